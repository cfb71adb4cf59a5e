"""A move in words, for the player who made it and for everyone else.

The player who moved reads "You" and the plain verb; the opponent and spectators read the player's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from parlour.games.api import Fact, Game, Move


class Voice(Struct, frozen=True):
    """The player who made a move, and the reader of its description."""

    mover: str  # a name: of the player, or of the seat
    other: str
    own: bool = False  # True: the reader made the move

    @property
    def subject(self) -> str:
        return "You" if self.own else self.mover

    @property
    def possessive(self) -> str:
        return "Your" if self.own else f"{self.mover}’s"

    def verb(self, third: str, second: str) -> str:
        """Return the form of a verb that fits the subject: "lifts" or "lift"."""
        return second if self.own else third


def number(facts: Mapping[str, Fact], name: str) -> int:
    """Return a fact that is a number."""
    value = facts[name]
    assert isinstance(value, int)
    return value


def plural(number: int, one: str, many: str) -> str:
    """Return "1 disc" or "2 discs"."""
    return f"{number} {one if number == 1 else many}"


def tell(
    game: Game[Any], before: Any, move: Move, after: Any, *, own: bool = False, names: tuple[str, ...] = ()
) -> str:
    """Return a move in words, and who was skipped after it. Without names, the seats are named."""
    seat = game.to_move(before)
    assert seat is not None
    named = names or tuple(spec.name for spec in game.info.seats)
    voice = Voice(named[seat], named[1 - seat], own)
    told = game.describe(before, move, after, voice)
    if game.to_move(after) != seat:
        return told
    if own:
        return f"{told} {voice.other} cannot move. Your turn again."
    return f"{told} {voice.other} cannot move, so it is {voice.mover}’s turn again."
