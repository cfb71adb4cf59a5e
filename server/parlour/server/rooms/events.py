"""What can happen in a room. The log of a room is a list of these, and nothing else is ever true about it.

Events are kept for as long as the game is: fields may be added at the end with a default, never moved or removed.
`by` and `id` name the player and the command that led to the event, so that the same command is not carried out twice.
"""

from __future__ import annotations

from msgspec import Struct

from parlour.protocol.tables import Clock, OptionValue, Result

CLAIM_AFTER = 60_000  # milliseconds, where nobody has said otherwise


class Event(Struct, frozen=True, array_like=True, gc=False):
    """Something that happened, at a time in milliseconds since 1970."""

    at: int


class Created(Event, frozen=True, tag="created"):
    game: str
    options: dict[str, OptionValue]  # settled
    clock: Clock
    rated: bool = False
    position: str | None = None  # where it begins, if not at the game's own beginning
    delay: int = 0  # milliseconds by which watchers are behind
    chooser: int | None = None  # the seat that chooses who moves first
    follows: str | None = None  # the room of which this is the rematch
    claim_after: int = CLAIM_AFTER  # an opponent who is gone for so long has lost if the other one says so
    private: bool = False  # not shown among the live games


class Seated(Event, frozen=True, tag="seated"):
    seat: int
    player: str
    name: str
    rating: int | None = None
    bot: bool = False
    level: str | None = None  # of the computer, if it plays there
    sure: bool = True  # whether the rating rests on enough games
    guest: bool = False  # has no account


class Started(Event, frozen=True, tag="started"):
    """Both seats are taken and nothing is left to choose."""


class Chose(Event, frozen=True, tag="chose"):
    """The seat that had the choice said who moves first."""

    swap: bool  # whether the two change seats
    by: str = ""
    id: int = -1


class Played(Event, frozen=True, tag="played"):
    move: tuple[int, ...]
    lag: int = 0  # milliseconds of the network, given back to the mover
    by: str = ""
    id: int = -1


class Offered(Event, frozen=True, tag="offered"):
    seat: int
    what: str
    by: str = ""
    id: int = -1


class Declined(Event, frozen=True, tag="declined"):
    """An offer is gone: declined by the other seat, or withdrawn by its own."""

    seat: int  # who said so
    what: str
    own: bool = False  # it was the own offer
    by: str = ""
    id: int = -1


class TakenBack(Event, frozen=True, tag="taken_back"):
    seat: int  # who agreed
    plies: int  # how many moves are left
    by: str = ""
    id: int = -1


class Gone(Event, frozen=True, tag="gone"):
    """A player has no connection any more."""

    seat: int


class Back(Event, frozen=True, tag="back"):
    """A player has a connection again."""

    seat: int


class Excused(Event, frozen=True, tag="excused"):
    """Nobody could be served, so nobody is charged with that time."""

    since: int
    until: int


class Ended(Event, frozen=True, tag="ended"):
    result: Result
    seat: int | None = None  # who brought it about, if not by a move
    by: str = ""
    id: int = -1


class Rematch(Event, frozen=True, tag="rematch"):
    """Both want another game: it is in the room `next`, with the seats changed."""

    seat: int  # who agreed
    next: str
    by: str = ""
    id: int = -1


AnyEvent = (
    Created
    | Seated
    | Started
    | Chose
    | Played
    | Offered
    | Declined
    | TakenBack
    | Gone
    | Back
    | Ended
    | Rematch
    | Excused
)  # fmt: skip
