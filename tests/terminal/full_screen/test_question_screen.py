"""A question that covers the whole screen."""

from __future__ import annotations

from pathlib import Path

from parlour.terminal.full_screen.question_screen import QuestionScreen
from parlour.terminal.full_screen.start_screen import StartScreen
from tests.terminal.full_screen.screens import opened, signed_in


async def test_only_yes_has_consequences(address: str, tmp_path: Path) -> None:
    """They are shown with the question. Either answer leads back to the screen before."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        done: list[str] = []
        for key, expected in (("n", []), ("y", ["done"])):
            shown.app.push_screen(QuestionScreen("A step", "Take it?", "It is a big one.", lambda: done.append("done")))
            await shown.at(QuestionScreen)
            await shown.shows("A step", "Take it?", "It is a big one.", "y yes")
            await shown.press(key)
            await shown.at(StartScreen)
            assert done == expected
