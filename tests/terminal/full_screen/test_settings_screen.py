"""Changing the settings."""

from __future__ import annotations

from pathlib import Path

from parlour.terminal.drawing import Theme
from parlour.terminal.full_screen.form import Form
from parlour.terminal.full_screen.settings_screen import SettingsScreen
from parlour.terminal.full_screen.start_screen import StartScreen
from parlour.terminal.ui.settings import SettingsFile
from tests.terminal.full_screen.screens import opened, signed_in


async def test_settings_are_saved(address: str, tmp_path: Path) -> None:
    """A change is written to the file and applied at once."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.press("s")
        screen = await shown.at(SettingsScreen)
        form = screen.query_one("#form", Form)
        form.go("bell")
        await shown.press("right")
        form.go("characters")
        await shown.press("left")
        await shown.until(lambda: not shown.app.drawing.unicode)
        form.go("theme")
        await shown.press("left")
        await shown.until(lambda: shown.app.drawing.theme is Theme.CONTRAST)
        await shown.press("q")
        await shown.at(StartScreen)
        await shown.shows("o connected")

    kept = SettingsFile(tmp_path / "terminal.json").read()
    assert (kept.bell, kept.characters, kept.theme) == (False, "ascii", "contrast")
