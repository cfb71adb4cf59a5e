"""What a game knows about being played well. The search in `parlour.bots` asks it; the rules never do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

from parlour.games.api import Move

S = TypeVar("S")

# A simple way to play, under a name that players know: it chooses a move at once, without a search.
Style = Callable[[Any, Random], Move]


class Insight(ABC, Generic[S]):
    """Judgement about positions of one game. Pure: the same state gives the same answer.

    No method is asked about a position that is over, and none but `win` about one where `win` has found something.
    Only `value` is needed; every other makes the search faster or lets it see further.
    """

    styles: ClassVar[Mapping[str, Style]] = {}  # weakest first
    scale: ClassVar[int] = 100  # a seat that is better by so much wins three games of four
    nodes: ClassVar[int] = 50_000  # positions the strongest level looks at for one move: about a second

    @abstractmethod
    def value(self, state: S) -> int:
        """How good the position is for the seat to move: above 0 is better than even."""

    def order(self, state: S, moves: Sequence[Move]) -> Sequence[Move]:
        """The moves, those first that are likely to be best; those that lose at once may be left out, if not all do."""
        return moves

    def candidates(self, state: S) -> Sequence[Move] | None:
        """The moves worth a search, likely best first, where there are too many to try them all; None means all."""
        return None

    def win(self, state: S) -> Move | None:
        """A move that wins at once, where that is seen more cheaply than by trying every move."""
        return None

    def danger(self, state: S) -> bool:
        """Whether the seat to move must do something about it: such a position is not judged, but searched on."""
        return False

    def forcing(self, state: S) -> Sequence[Move]:
        """The moves without which a position cannot be judged at rest: captures, threats that must be answered."""
        return ()
