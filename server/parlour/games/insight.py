"""What bots know about playing a game well. The search in `parlour.bots` uses it; the rules never do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct

from parlour.games.api import Game, Move

S = TypeVar("S")


class Style(Struct, frozen=True):
    """A named way to play, known to players. It chooses a move at once, without a search."""

    choose: Callable[[Game[Any], Any, Random], Move]
    summary: str  # what it does, for players
    alias: str = ""  # another name by which players may know it


class Insight(ABC, Generic[S]):
    """Judgement of positions of one game. Pure: the same state gives the same answer.

    No method is called for a position that is over, and only `win` where `win` finds a move. Only `value` is required;
    every other method makes the search faster or lets it see further.
    """

    styles: ClassVar[Mapping[str, Style]] = {}  # weakest first
    scale: ClassVar[int] = 100  # a seat that is ahead by this much wins three games of four
    nodes: ClassVar[int] = 50_000  # positions that the strongest level searches for one move: about a second

    @abstractmethod
    def value(self, state: S) -> int:
        """Return how good the position is for the seat to move: above 0 is better than even."""

    def order(self, state: S, moves: Sequence[Move]) -> Sequence[Move]:
        """Return the moves, likely best first. Moves that lose at once may be left out, unless all do."""
        return moves

    def candidates(self, state: S) -> Sequence[Move] | None:
        """Return the moves worth searching, likely best first, if there are too many to search all; None for all."""
        return None

    def win(self, state: S) -> Move | None:
        """Return a move that wins at once, if finding it is cheaper than trying every move."""
        return None

    def danger(self, state: S) -> bool:
        """Return whether the seat to move faces a threat: such a position is searched on instead of judged."""
        return False

    def forcing(self, state: S) -> Sequence[Move]:
        """Return the moves to try before a position is judged: captures, threats that must be answered."""
        return ()
