"""Setting up positions by hand: an optional part of a game, with which generic clients offer it.

A draft is a parsed position text. Unlike a position it may be impossible, since it changes one piece at a time;
`Game.parse` decides whether it can be played.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from parlour.games.api import Seat
from parlour.games.options import Options
from parlour.protocol.scene import Scene
from parlour.protocol.types import PaletteItem, PositionNumber

__all__ = ["PaletteItem", "PositionEditor", "PositionNumber"]

D = TypeVar("D")


class PositionEditor(ABC, Generic[D]):
    """Edits positions of a game. `read` and `put` refuse invalid arguments with a sentence."""

    palette: ClassVar[tuple[PaletteItem, ...]]

    @abstractmethod
    def clear(self, options: Options) -> D:
        """Return the board without pieces, with the first seat to move."""

    @abstractmethod
    def read(self, text: str, options: Options) -> D:
        """Return the draft of a text, possible or not; refuse text that is not in the notation."""

    @abstractmethod
    def write(self, draft: D) -> str:
        """Return a draft as position text. `write(read(text, options)) == text` for the text of every position."""

    @abstractmethod
    def scene(self, draft: D) -> Scene:
        """Return the scene of a draft, as `Game.scene` does for a position."""

    @abstractmethod
    def put(self, draft: D, item: int, places: Sequence[int]) -> D:
        """Return the draft with an item of the palette put on as many places of the board as it takes, or on a slot.

        Raise Refusal if it cannot be put there.
        """

    @abstractmethod
    def with_turn(self, draft: D, seat: Seat) -> D:
        """Return the draft with that seat to move."""

    def slots(self, draft: D) -> Sequence[int]:
        """Return the places beside the board where items can be put."""
        return ()

    def numbers(self, draft: D) -> tuple[PositionNumber, ...]:
        """Return the numbers of a position, such as points."""
        return ()

    def with_number(self, draft: D, number: int, value: int) -> D:
        """Return the draft with one of its numbers changed to a value within the limits."""
        raise IndexError("no such number")
