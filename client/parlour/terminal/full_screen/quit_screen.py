"""Leaving the program."""

from __future__ import annotations

from collections.abc import Callable

from parlour.terminal.full_screen.question_screen import QuestionScreen


class QuitScreen(QuestionScreen):
    """Asks before the program ends."""

    def __init__(self, games: int, on_yes: Callable[[], None]) -> None:
        """`games`: how many of the player's games are not over."""
        super().__init__("Leave Parlour", "Leave Parlour?", unfinished(games), on_yes)


def unfinished(games: int) -> str:
    """Return the consequences for the player's games."""
    if not games:
        return ""
    if games == 1:
        return "One of your games is not over. You keep your seat; if the game has a clock, it runs on."
    return f"{games} of your games are not over. You keep your seats; clocks run on."
