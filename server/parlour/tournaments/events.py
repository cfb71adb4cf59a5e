"""The events of a tournament. Its log consists of them, and everything else follows from the log.

`account` is the id of a player, which never leaves the server: a log that is exported has none. Everywhere else players
go by `player`, a name that is unique in the tournament. `command` is a digest of the player's command, which is
executed once, however often and on whichever node it arrives. It does not leave the server either.
"""

from __future__ import annotations

from msgspec import Struct

from parlour.tournaments.settings import Settings

Pair = tuple[str, str]  # two players; the first one begins the first game of their match


class Created(Struct, frozen=True, omit_defaults=True, tag="created"):
    """The organiser has opened the tournament."""

    at: int  # milliseconds since 1970, as in every event
    settings: Settings
    organiser: str = ""  # the name
    account: str = ""  # of the organiser
    code: str = ""  # a digest of the entry code


class Entered(Struct, frozen=True, omit_defaults=True, tag="entered"):
    """A player takes part."""

    at: int
    player: str
    name: str
    rating: int = 0
    account: str = ""
    level: str | None = None  # of the computer
    kind: str = ""  # bot or guest; empty: a person with an account
    team: str = ""
    command: str = ""


class Withdrew(Struct, frozen=True, omit_defaults=True, tag="withdrew"):
    """A player leaves: the results remain, and the player is not paired again."""

    at: int
    player: str
    command: str = ""


class Paused(Struct, frozen=True, omit_defaults=True, tag="paused"):
    """A player is not paired for a while."""

    at: int
    player: str
    command: str = ""


class Returned(Struct, frozen=True, omit_defaults=True, tag="returned"):
    """A player who has withdrawn or paused is paired again."""

    at: int
    player: str
    command: str = ""


class RoundStarted(Struct, frozen=True, tag="round_started"):
    """The matches of a round, and the players without an opponent. In an arena, some games begin."""

    at: int
    round: int  # from 1
    pairs: tuple[Pair, ...]
    byes: tuple[str, ...] = ()


class GameEnded(Struct, frozen=True, omit_defaults=True, tag="game_ended"):
    """A game of a match is over."""

    at: int
    round: int
    match: int  # index in the round
    game: int  # index in the match
    winner: str | None  # the player; None for a draw
    forfeit: bool = False  # whether it was decided without being played
    berserk: tuple[str, ...] = ()  # the players who have halved their clocks


class Finished(Struct, frozen=True, tag="finished"):
    """All rounds have been played."""

    at: int


class Cancelled(Struct, frozen=True, omit_defaults=True, tag="cancelled"):
    """The tournament does not take place, or an operator has cancelled it."""

    at: int
    command: str = ""


Event = (
    Created | Entered | Withdrew | Paused | Returned | RoundStarted | GameEnded | Finished | Cancelled
)  # fmt: skip
