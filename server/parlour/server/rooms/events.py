"""The events of a room's log.

The log is the only authority: a room's state is a fold over its events. Logs outlive server versions: fields may be
added at the end with a default, never moved or removed. `by`, `session` and `id` name the player, the player's session
and the command that caused an event, so that a command sent twice is executed once. `digest` tells that command from a
different one with the same id.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from parlour.protocol.types import Clock, OptionValue, Player, Result

CLAIM_AFTER = 60_000  # milliseconds; nodes may be configured otherwise


class Participant(Struct, frozen=True, array_like=True, gc=False):
    """A player in a seat."""

    id: str  # secret: it never leaves the server
    player: Player  # as others see it, with the rating before the game
    level: str | None = None  # of a bot that runs on the server
    # Of the name in an archived record (see `archive/record.py`); None: the salt that a new record would have.
    salt: str | None = None
    erased: str = ""


class Event(Struct, frozen=True, array_like=True, gc=False):
    """A fact about a room, with its time in milliseconds since 1970."""

    at: int


class Created(Event, frozen=True, tag="created"):
    """The room exists. The game has started, unless a player has to choose who moves first."""

    game: str
    options: dict[str, OptionValue]  # complete
    clock: Clock
    players: tuple[Participant, Participant]  # by seat
    rated: bool = False
    position: str | None = None  # where the game starts; None: at the game's usual start
    delay: int = 0  # milliseconds that spectators are behind
    chooser: int | None = None  # the seat that chooses who moves first
    follows: str | None = None  # the room of which this is the rematch
    claim_after: int = CLAIM_AFTER  # how long a player may be offline before the opponent may claim the win
    private: bool = False  # not listed among the live games
    rules_version: int = 1  # by which the game is played to its end
    lag_cap: int = 500  # milliseconds of network delay per move that are not charged, at most
    unrated: str = ""  # why a rated game does not count, if that is known from the start
    tournament: str = ""  # that the game is part of
    berserk: bool = False  # whether players may halve their clocks
    first_move_factor: int = 1  # how many times longer than usual first moves are awaited


class Chose(Event, frozen=True, tag="chose"):
    """The seat with the choice has chosen who moves first."""

    swap: bool  # whether the two players change seats
    by: str = ""
    id: int = -1
    session: str = ""
    digest: int = 0


class Berserked(Event, frozen=True, tag="berserked"):
    """A player has halved their own clock, for more points in an arena."""

    seat: int
    by: str = ""
    id: int = -1
    session: str = ""
    digest: int = 0


class Started(Event, frozen=True, tag="started"):
    """The game has started, after the choice of who moves first."""


class Played(Event, frozen=True, tag="played"):
    """A move was made."""

    move: tuple[int, ...]
    lag: int = 0  # milliseconds of network delay, not charged to the mover
    by: str = ""
    id: int = -1
    session: str = ""
    digest: int = 0


class Offered(Event, frozen=True, tag="offered"):
    """A player has offered a draw, a takeback or a rematch."""

    seat: int
    what: str
    by: str = ""
    id: int = -1
    session: str = ""
    digest: int = 0


class Declined(Event, frozen=True, tag="declined"):
    """An offer is no longer open: the opponent declined it, or the player withdrew it."""

    seat: int  # that declined or withdrew
    what: str
    own: bool = False  # withdrawn
    by: str = ""
    id: int = -1
    session: str = ""
    digest: int = 0


class TakenBack(Event, frozen=True, tag="taken_back"):
    """Moves were taken back."""

    seat: int  # that agreed
    plies: int  # the number of moves that remain
    by: str = ""
    id: int = -1
    session: str = ""
    digest: int = 0


class Disconnected(Event, frozen=True, tag="disconnected"):
    """A player has lost its last connection."""

    seat: int


class Reconnected(Event, frozen=True, tag="reconnected"):
    """A player is connected again."""

    seat: int


class Excused(Event, frozen=True, tag="excused"):
    """An outage: players could not be served, so this time is not charged to them."""

    since: int
    until: int
    seat: int | None = None  # the only player whose node it was; None: both players


class Ended(Event, frozen=True, tag="ended"):
    """The game is over."""

    result: Result
    seat: int | None = None  # that ended it, if not with a move
    by: str = ""
    id: int = -1
    session: str = ""
    digest: int = 0


class Rematch(Event, frozen=True, tag="rematch"):
    """Both players want another game. It is in the room `next`, with the seats swapped."""

    seat: int  # that agreed
    next: str
    by: str = ""
    id: int = -1
    session: str = ""
    digest: int = 0


class Closed(Event, frozen=True, tag="closed"):
    """An operator has closed the room: nothing happens in it any more."""


AnyEvent = (
    Created
    | Chose
    | Berserked
    | Started
    | Played
    | Offered
    | Declined
    | TakenBack
    | Disconnected
    | Reconnected
    | Excused
    | Ended
    | Rematch
    | Closed
)  # fmt: skip

# Those that a command can cause.
CommandEvent = Chose | Berserked | Played | Offered | Declined | TakenBack | Ended | Rematch

encode = msgspec.msgpack.Encoder().encode  # to an entry of the log
decode = msgspec.msgpack.Decoder(AnyEvent).decode
