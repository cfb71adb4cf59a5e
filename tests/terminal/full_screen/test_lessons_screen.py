"""The games that can be learnt."""

from __future__ import annotations

from pathlib import Path

from parlour.terminal.full_screen.lesson_screen import LessonScreen
from parlour.terminal.full_screen.lessons_screen import LessonsScreen
from parlour.terminal.full_screen.start_screen import StartScreen
from tests.terminal.full_screen.screens import opened, signed_in


async def test_games_with_a_lesson_are_listed(address: str, tmp_path: Path) -> None:
    """Each has its length and what it is about, and Enter opens it; a game without a lesson is not listed."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path, size=(60, 24)) as shown:
        await shown.press("g")
        await shown.at(LessonsScreen)
        text = await shown.shows(*(f"{card.name}, {card.lesson_minutes} minutes" for card in session.client.games))
        lines = [line for line in text.splitlines()[1:-2] if line]
        assert all(line.startswith(("   ", " > ")) for line in lines)  # also those that were wrapped
        await shown.press("down", "enter")
        screen = await shown.at(LessonScreen)
        assert screen.view.game == session.client.games[1].key
        await shown.press("q")
        await shown.at(LessonsScreen)
        await shown.shows("Which game would you like to learn?")
        await shown.press("q")
        await shown.at(StartScreen)
