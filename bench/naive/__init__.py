"""The four games a second time, written straight from the rules by the plainest means.

Lists of lists, loops and copies; no tables, no bits, no memory. The benchmarks measure the real engines
against these, and the tests compare the two: neither side shares any code with the other.
"""

from __future__ import annotations

from typing import Any, Protocol

from bench.naive import isaac, mapello, mitsudomoe, replica


class Reference(Protocol):
    """What each module here offers. Positions and turns are its own business, hence Any."""

    def parse(self, text: str, **options: object) -> Any:
        """The position of that text."""

    def print(self, position: Any) -> str:
        """The position as one line of text."""

    def turns(self, position: Any) -> list[Any]:
        """Every legal turn, in no order, as the module keeps it: without the price of writing texts."""

    def make(self, position: Any, turn: Any) -> Any:
        """The position after a turn from `turns`, settled: skips, change of phase, end."""

    def write(self, turn: Any) -> str:
        """The text of a turn."""

    def moves(self, position: Any) -> list[str]:
        """The texts of all legal turns, in no order."""

    def play(self, position: Any, text: str) -> Any:
        """The position after the legal turn of that text."""

    def winner(self, position: Any) -> str | None:
        """The seat that won, in lower case, or "draw"; None while the game goes on."""

    def scores(self, position: Any) -> list[int]:
        """Points by seat, in games that count points."""


REFERENCES: dict[str, Reference] = {
    "isaac": isaac,
    "mapello": mapello,
    "mitsudomoe": mitsudomoe,
    "replica": replica,
}
