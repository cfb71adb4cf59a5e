"""The types that messages share: games, options, terms, clocks, players, results and picks."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from parlour.protocol.scene import SceneDiff, SeatSpec, Stack

# A number that JavaScript represents exactly.
Integer = Annotated[int, Meta(ge=-(2**53), le=2**53)]
Rating = Annotated[int, Meta(ge=-100_000, le=100_000)]
OptionValue = str | Integer | bool

RoomId = Annotated[str, Meta(min_length=1, max_length=24)]
Name = Annotated[str, Meta(min_length=1, max_length=32)]
Seat = Annotated[int, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0, lt=2**53)]
Milliseconds = Annotated[int, Meta(ge=0, lt=2**53)]
TournamentId = Annotated[str, Meta(min_length=1, max_length=24)]
TournamentFormat = Literal["arena", "swiss", "round_robin", "knockout", "simul"]
HostSide = Literal["first", "second", "alternating", "random"]
Points = Annotated[int, Meta(ge=0, lt=2**53)]


class LayoutPiece(Struct, frozen=True, omit_defaults=True):
    """A kind of piece that a player may place in a layout."""

    symbol: str  # one character: how a cell with this piece is written
    name: str  # "wall"
    glyph: int  # how it is drawn: an index into `BoardSpec.glyphs`
    cells: tuple[int, ...]  # where it may be placed
    high: Count  # a layout has at most this many
    low: Count = 0  # and at least this many


class LayoutSpec(Struct, frozen=True, omit_defaults=True):
    """How the layout of a board is written, drawn and edited.

    A layout is text: one character per cell, the rows from the top down, joined by `/`. A cell holds either the
    character it has in `blank`, or the symbol of a piece that may be placed there. Only cells that differ from `blank`
    hold a placed piece, so only those are counted and drawn.
    """

    columns: Count
    rows: Count
    blank: str  # the layout without placed pieces; erasing a cell restores its character from here
    pieces: tuple[LayoutPiece, ...]  # what may be placed
    fixed: tuple[Stack, ...] = ()  # pieces that are on the board in every layout, as in `Scene.pieces`


class PaletteItem(Struct, frozen=True, omit_defaults=True):
    """An item that can be put on the board when a position is set up by hand."""

    name: str  # "White man"
    glyph: int | None = None  # how it is drawn: an index into `BoardSpec.glyphs`; None: it removes pieces
    places: Count = 1  # how many cells it needs: 2 for the ends of a bar; or one slot beside the board


class PositionNumber(Struct, frozen=True, omit_defaults=True):
    """A number that belongs to a position, such as points."""

    title: str
    value: Count
    high: Count  # the largest value; the smallest one is 0
    step: Count = 1
    choices: tuple[str, ...] = ()  # words for the values from 0 on


class OptionSpec(Struct, frozen=True, omit_defaults=True):
    """An option of a game. Clients build their forms from these, so a new game brings its own form."""

    key: str
    title: str
    kind: str  # "choice", "switch", "number" or "layout" (one of the choices, or a layout as text)
    default: OptionValue
    help: str
    choices: tuple[OptionValue, ...] = ()
    low: int = 0
    high: int = 0
    layout: LayoutSpec | None = None  # of a layout: how it is written and edited


class Level(Struct, frozen=True, array_like=True):
    """A playing strength of the computer in a game."""

    key: str  # "1" to "8", or the name of a playing style
    title: str  # "Beginner"
    rating: int | None = None  # measured in matches between the levels; None: not measured
    summary: str = ""  # what it does, in a sentence or two
    alias: str = ""  # another name that is accepted for it


class GameCard(Struct, frozen=True):
    """A game that can be played on this server."""

    key: str
    name: str
    summary: str
    seats: tuple[SeatSpec, ...]
    options: tuple[OptionSpec, ...]
    levels: tuple[Level, ...]  # of the computer, weakest first
    reasons: dict[str, str]  # how a game can end: code -> the words after "White wins: "
    lesson_minutes: Count = 0  # how long the lesson takes; 0: there is none
    loser_reasons: dict[str, str] = {}  # the words after "You lost: ", where they differ from `reasons`


class Clock(Struct, frozen=True, omit_defaults=True):
    """A time control. All times are in milliseconds.

    `none`: no limit. `move`: `main` for every move. `fischer`: `main`, and `step` is added after each move.
    `bronstein`: `main`, and after each move up to `step` of the time used is returned. `delay`: `main`, which starts to
    run `step` after the turn began. `byoyomi`: `main`, then `count` periods of `step`. `canadian`: `main`, then `count`
    moves in each `step`. `days`: `main` for every move, in days rather than minutes.
    """

    kind: str = "none"
    main: Milliseconds = 0
    step: Milliseconds = 0
    count: Count = 0


class Terms(Struct, frozen=True, omit_defaults=True):
    """The terms of a game, on which two players agree before it."""

    game: Name
    options: dict[str, OptionValue] = {}
    clock: Clock = Clock()
    rated: bool = False


class Player(Struct, frozen=True, omit_defaults=True):
    """A player. Bots are players like any other, but always labelled."""

    name: str
    rating: Rating | None = None
    provisional: bool = False  # True while the rating rests on few games
    bot: bool = False
    guest: bool = False  # has no account; the name expires if it is not used


class SeatedPlayer(Struct, frozen=True, omit_defaults=True):
    """A player in a seat."""

    player: Player
    online: bool = False


class Result(Struct, frozen=True, omit_defaults=True):
    """How a game ended.

    Besides the reasons of the game itself there are resigned, flag, agreed, repetition, abandoned and aborted, and of
    the operator adjudicated (with a winner or as a draw) and cancelled (without a result). A rated game does not count
    if it is not_both_moved, too_short, same_network or repeated_pairing.
    """

    winner: Integer | None  # None: drawn or aborted
    reason: str  # one of the game's reasons, or one that all games share
    scores: tuple[Integer, ...] = ()
    unrated: str = ""  # why a rated game does not count; empty: it counts, or is casual


class TimeLeft(Struct, frozen=True, array_like=True, gc=False):
    """The clock of a seat when the message is sent."""

    main: Milliseconds
    count: Count = 0  # byoyomi: whole periods after `main`; canadian: moves still to make, 0 in main time


class Pick(Struct, frozen=True, array_like=True, gc=False):
    """A pick with a label, or one that is followed by others."""

    place: Count
    label: str = ""  # "+7", "turns 4, takes +3"
    kind: str = ""  # "capture": takes the piece there; "crown": promotes it to a king
    cell: int | None = None  # where to draw a pick that is not a cell
    then: Step | None = None  # the picks that follow; None: the turn is complete, unless `more` is True
    more: bool = False  # more picks follow; ask for them with explore


class Step(Struct, frozen=True, array_like=True, gc=False):
    """One step of a turn that is being chosen."""

    prompt: Count  # an index into the prompts of the message
    picks: tuple[int | Pick, ...]  # a bare place completes the turn
    look: SceneDiff | None = None  # the change from the room's scene to the scene at this step; None: no change


class TournamentSettings(Struct, frozen=True, kw_only=True):
    """The settings of a tournament, which its organiser chooses.

    `arena`: players are paired again as soon as their game is over, until the time is up. `swiss`: in each round
    players with equal points meet, never twice. `round_robin`: each player meets each other one. `knockout`: the winner
    of each match goes on. `simul`: the organiser plays against all others at once.
    """

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    format: TournamentFormat
    terms: Terms
    start: Milliseconds = 0  # when it begins, since 1970; 0: as soon as `min_players` have entered
    every: Milliseconds = 0  # from one start to the next; 0: it takes place once
    duration: Milliseconds = 0  # of an arena
    rounds: Count = 0  # of a Swiss tournament; 0: as many as it needs
    cycles: Count = 1  # of a round robin: how often each player meets each other one
    games: Count = 1  # of each match, except in an arena; the players change sides after each
    third_place: bool = False  # of a knockout: the losers of the semifinals play for it
    pause: Milliseconds = 0  # between the end of a round and the next one
    min_players: Count = 2  # with fewer at the start, the tournament is cancelled
    max_players: Count = 64
    late_entry: bool = True  # players may enter an arena or a Swiss tournament that has begun
    berserk: bool = False  # of an arena: players may halve their clocks for an extra point
    host_side: HostSide = "first"  # of a simul: whether the organiser begins
    entrants: Literal["all", "people", "bots"] = "all"
    ratings: tuple[Rating, Rating] | None = None  # the lowest and the highest rating of an entrant
    teams: Annotated[tuple[Name, ...], Meta(max_length=20)] = ()  # each player enters for one; empty: no teams
