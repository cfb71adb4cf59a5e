"""The command palette."""

from __future__ import annotations

from pathlib import Path

from parlour.client.terminal.palette import Palette
from parlour.client.terminal.start_screen import StartScreen
from tests.client.terminal.screens import opened, signed_in


async def test_a_closed_palette_does_nothing_more(address: str, tmp_path: Path) -> None:
    """What it would have shown a moment later is not missed by anyone."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.at(StartScreen)
        await shown.press("ctrl+p")
        await shown.shows("Search for commands")
        palette, done = shown.app.screen, []
        assert isinstance(palette, Palette)
        palette.set_timer(0.01, lambda: done.append("while open"))
        await shown.until(lambda: bool(done))
        palette.set_timer(0.01, lambda: done.append("when closed"))
        await shown.app.pop_screen()
        await shown.at(StartScreen)
        await shown.pilot.pause(0.05)
        assert done == ["while open"]
