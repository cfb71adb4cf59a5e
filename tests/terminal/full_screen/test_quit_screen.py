"""Leaving the program."""

from __future__ import annotations

from pathlib import Path

from parlour.protocol.types import Terms
from parlour.terminal.full_screen.quit_screen import QuitScreen, unfinished
from parlour.terminal.full_screen.start_screen import StartScreen
from tests.terminal.full_screen.screens import opened, signed_in


def test_unfinished_games_are_counted() -> None:
    """A player without one reads nothing about them."""
    assert unfinished(0) == ""
    assert unfinished(1).startswith("One of your games is not over.")
    assert unfinished(3).startswith("3 of your games are not over.")


async def test_the_player_is_asked(address: str, tmp_path: Path) -> None:
    """No goes back, also after Ctrl+Q; yes leaves. A game that is not over is mentioned."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.press("q")
        await shown.shows("Leave Parlour?", "y yes")
        assert "not over" not in shown.text
        await shown.press("n")
        await shown.at(StartScreen)
        await session.client.play_computer(Terms("isaac"), "random")
        await shown.press("ctrl+q")
        await shown.at(QuitScreen)
        await shown.press("ctrl+q")
        await shown.shows("One of your games is not over.", "y yes")
        assert shown.app.return_code is None
        await shown.press("y")
        await shown.until(lambda: shown.app.return_code == 0)
