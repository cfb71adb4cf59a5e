"""The help page."""

from __future__ import annotations

from pathlib import Path

from parlour.terminal.full_screen.help_screen import WIDTH, HelpScreen, help_text
from parlour.terminal.full_screen.key_map import KeyMap
from parlour.terminal.full_screen.start_screen import StartScreen
from tests.terminal.full_screen.screens import opened, signed_in


def test_the_page_fits_a_narrow_terminal() -> None:
    """Every line fits 60 columns beside the margin and the scroll bar, and the user's own keys are shown."""
    text = help_text(KeyMap({"resign": "X"}))
    assert max(map(len, text.splitlines())) <= WIDTH == 60 - 5
    assert "  X     resign the game" in text


async def test_a_question_mark_opens_and_closes_it(address: str, tmp_path: Path) -> None:
    """It lies above the current screen."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.press("question_mark")
        await shown.at(HelpScreen)
        await shown.shows("At the table", "undo the last choice")
        await shown.press("question_mark")
        await shown.at(StartScreen)
