"""A screen that shows one game at a time."""

from __future__ import annotations

from pathlib import Path

from parlour.terminal.full_screen.game_page import GamePage
from parlour.terminal.full_screen.start_screen import StartScreen
from tests.terminal.full_screen.screens import opened, signed_in


class NamePage(GamePage):
    """Shows the key of the game."""

    subject = "Names"

    async def load(self) -> None:
        self.say(f"This is {self.game}.")


async def test_left_and_right_switch_the_game(address: str, tmp_path: Path) -> None:
    """The page starts with the given game, wraps around at both ends, and q closes it."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        cards = session.client.games
        await shown.app.push_screen(NamePage(cards[-1].key))
        await shown.shows(f"Names: {cards[-1].name}", f"This is {cards[-1].key}.")
        await shown.press("right")
        await shown.shows(f"Names: {cards[0].name}", f"This is {cards[0].key}.")
        await shown.press("left")
        await shown.shows(f"This is {cards[-1].key}.")
        await shown.press("q")
        await shown.at(StartScreen)


async def test_an_unknown_game_shows_the_first_one(address: str, tmp_path: Path) -> None:
    """The setting may name a game that this server does not have."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.app.push_screen(NamePage("chess"))
        await shown.shows(f"This is {session.client.games[0].key}.")
