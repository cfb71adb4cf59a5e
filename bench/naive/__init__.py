"""A second, naive implementation of the four games, written directly from the rules.

It uses lists of lists, loops and copies; no tables, no bitboards, no caches. The benchmarks measure the real engines
against it, and the tests compare both move by move. The two share no code.
"""

from __future__ import annotations

from typing import Any, Protocol

from bench.naive import isaac, mapello, mitsudomoe, replica


class Reference(Protocol):
    """The interface of each module here. Positions and turns have different types in each, hence Any."""

    def parse(self, text: str, **options: object) -> Any:
        """Return the position with that text."""

    def print(self, position: Any) -> str:
        """Return the position as one line of text."""

    def turns(self, position: Any) -> list[Any]:
        """Return all legal turns, in no particular order and without the cost of writing texts."""

    def make(self, position: Any, turn: Any) -> Any:
        """Return the position after a turn from `turns`, with skipped turns, changes of phase and the end applied."""

    def write(self, turn: Any) -> str:
        """Return the text of a turn."""

    def moves(self, position: Any) -> list[str]:
        """Return the texts of all legal turns, in no particular order."""

    def play(self, position: Any, text: str) -> Any:
        """Return the position after the legal turn with that text."""

    def winner(self, position: Any) -> str | None:
        """Return the winner's seat in lower case or "draw", or None if the game is not over."""

    def scores(self, position: Any) -> list[int]:
        """Return the points by seat, or nothing for a game without points."""


REFERENCES: dict[str, Reference] = {
    "isaac": isaac,
    "mapello": mapello,
    "mitsudomoe": mitsudomoe,
    "replica": replica,
}
