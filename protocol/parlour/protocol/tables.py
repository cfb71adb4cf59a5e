"""What a table is: the game on it, its options, the clock, who sits where. Parts of messages, in both directions."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from parlour.protocol.scene import SceneDiff, SeatSpec

OptionValue = str | int | bool

RoomId = Annotated[str, Meta(min_length=1, max_length=24)]
Name = Annotated[str, Meta(min_length=1, max_length=32)]
Seat = Annotated[int, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0)]
Milliseconds = Annotated[int, Meta(ge=0)]


class OptionSpec(Struct, frozen=True, omit_defaults=True):
    """One choice when a table is set up. Clients draw a form from these, so a new game brings its own."""

    key: str
    title: str
    kind: str  # "choice", "switch", "number" or "layout" (one of the choices, or a board drawn as text)
    default: OptionValue
    help: str
    choices: tuple[OptionValue, ...] = ()
    low: int = 0
    high: int = 0


class Level(Struct, frozen=True, array_like=True):
    """How well the computer can play a game."""

    key: str  # "1" to "8", or the name of a way to play
    title: str  # "Beginner"
    rating: int | None = None  # as measured by matches between the levels; None: not measured


class GameCard(Struct, frozen=True):
    """A game that can be played here, as a client needs to know it."""

    key: str
    name: str
    summary: str
    seats: tuple[SeatSpec, ...]
    options: tuple[OptionSpec, ...]
    levels: tuple[Level, ...]  # of the computer, weakest first
    reasons: dict[str, str]  # how a game can end: code -> words after "White wins: "


class Clock(Struct, frozen=True, omit_defaults=True):
    """How time is kept. All times are in milliseconds.

    `none`: no limit. `move`: `main` for every move. `fischer`: `main`, and `step` is added after each move.
    `bronstein`: `main`, and up to `step` of the time used comes back. `delay`: `main`, which starts to run `step`
    after the turn began. `byoyomi`: `main`, then `count` periods of `step`. `canadian`: `main`, then `count` moves in
    each `step`. `days`: `main` for every move, in days rather than minutes.
    """

    kind: str = "none"
    main: Milliseconds = 0
    step: Milliseconds = 0
    count: Count = 0


class Terms(Struct, frozen=True, omit_defaults=True):
    """What two players agree on before they play."""

    game: Name
    options: dict[str, OptionValue] = {}
    clock: Clock = Clock()
    rated: bool = False


class Player(Struct, frozen=True, omit_defaults=True):
    """Somebody at a table. Bots are players like any other, and always labelled."""

    name: str
    rating: int | None = None
    sure: bool = True  # False while the rating rests on few games
    bot: bool = False
    guest: bool = False  # has no account: the name is given back some day


class Chair(Struct, frozen=True, omit_defaults=True):
    """A seat at a table."""

    player: Player | None = None
    online: bool = False


class Result(Struct, frozen=True, omit_defaults=True):
    """How a game ended."""

    winner: int | None  # None: a draw, or called off
    reason: str  # a reason of the game, or resigned, flag, agreed, repetition, abandoned, aborted
    scores: tuple[int, ...] = ()


class TimeLeft(Struct, frozen=True, array_like=True, gc=False):
    """A seat's clock at the moment of the message."""

    main: Milliseconds
    count: Count = 0  # byoyomi: whole periods behind main; canadian: moves still to make, 0 in main time


class Pick(Struct, frozen=True, array_like=True, gc=False):
    """A pick that has something to say, or after which the turn goes on."""

    place: Count
    label: str = ""  # "+7", "turns 4, takes +3"
    kind: str = ""  # "capture": takes what stands there; "crown": makes a king of it
    cell: int | None = None  # where to draw a pick that is not a cell
    then: Step | None = None  # the picks that follow; None: the turn is complete, unless `more`
    more: bool = False  # more picks follow, and explore asks for them


class Step(Struct, frozen=True, array_like=True, gc=False):
    """One step of a half-chosen turn."""

    prompt: Count  # an index into the prompts of the message
    picks: tuple[int | Pick, ...]  # a bare place: the turn is complete with it
    look: SceneDiff | None = None  # from the scene of the room to what it looks like now; None: the same
