"""The rules of each game."""

from __future__ import annotations

from pathlib import Path

from parlour.terminal.full_screen.lesson_screen import LessonScreen
from parlour.terminal.full_screen.rules_screen import RulesScreen
from parlour.terminal.full_screen.start_screen import StartScreen
from tests.terminal.full_screen.screens import opened, signed_in


async def test_the_rules_of_every_game(address: str, tmp_path: Path) -> None:
    """Left and right switch the game; headings, text and diagrams are shown."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path, size=(100, 60)) as shown:
        await shown.press("r")
        screen = await shown.at(RulesScreen)
        for card in session.client.games:
            await shown.shows(f"Rules: {card.name}", card.name.upper(), " a  ")
            assert len(screen.query_one("#rules").lines) > 100  # type: ignore[attr-defined]
            await shown.press("right")
        await shown.press("q")
        await shown.at(StartScreen)


async def test_the_lesson_of_the_game(address: str, tmp_path: Path) -> None:
    """L opens the lesson of the game whose rules are shown, and q leads back to them."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path, size=(60, 24)) as shown:
        shown.app.show_rules("replica")
        await shown.shows("Rules: Replica", "L lesson  q back")
        await shown.press("L")
        screen = await shown.at(LessonScreen)
        assert screen.view.game == "replica"
        await shown.press("q")
        await shown.at(RulesScreen)
