"""Tables for tests: rooms in which somebody sits, and what is done to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from random import Random

import pytest

from parlour.games.api import Move
from parlour.games.perft import random_move
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import (
    Abort,
    AnswerOffer,
    Claim,
    Command,
    Offer,
    Play,
    Resign,
)  # fmt: skip
from parlour.protocol.tables import Clock, OptionValue, Terms
from parlour.server.rooms.core import Room, created, evolve
from parlour.server.rooms.decide import (
    decide,
)  # fmt: skip
from parlour.server.rooms.events import (
    AnyEvent,
    Created,
)  # fmt: skip
from parlour.server.rooms.opening import Guest, agreed, opening

NOON = 1_700_000_000_000
SECOND = 1_000
DAY = 24 * 3_600 * SECOND

GAMES = ("isaac", "mapello", "mitsudomoe", "replica")
GAME = pytest.mark.parametrize("key", GAMES)
ADA, BEN, EVE = Guest("id-of-ada", "Ada"), Guest("id-of-ben", "Ben"), Guest("id-of-eve", "Eve")
PLAYERS = (ADA, BEN)

FISCHER = Clock("fischer", main=60 * SECOND, step=3 * SECOND)
DAYS = Clock("days", main=DAY)
CLOCKS = (
    Clock(), FISCHER, DAYS, Clock("move", main=10 * SECOND), Clock("bronstein", main=60 * SECOND, step=5 * SECOND),
    Clock("delay", main=60 * SECOND, step=5 * SECOND), Clock("byoyomi", main=20 * SECOND, step=10 * SECOND, count=3),
    Clock("canadian", main=20 * SECOND, step=30 * SECOND, count=3),
)  # fmt: skip
TIMED = CLOCKS[1:]

# A board of Ada's own, without anything on it.
OWN_BOARD = "/".join(["#" * 10, *["#........#"] * 3, "#...XO...#", "#...OX...#", *["#........#"] * 3, "#" * 10])


def fold(room: Room, *events: AnyEvent) -> Room:
    return reduce(evolve, events, room)


def table(
    key: str = "replica",
    clock: Clock = Clock(),  # noqa: B008  # it is frozen
    seats: Sequence[Guest | None] = PLAYERS,
    position: str | None = None,
    host: int | None = None,
    **options: OptionValue,
) -> Room:
    """A room in which these sit; with both seats taken the game is on."""
    terms = Terms(key, options, clock)
    settled, start = agreed(terms, position, Random(1))
    first, *rest = opening(terms, settled, start, seats, NOON, host=host)
    assert isinstance(first, Created)
    return fold(created("room", first), *rest)


def told(room: Room, player: Guest, command: Command, now: int = NOON) -> Room:
    return fold(room, *decide(room, player.player, command, now))


def play(room: Room, move: Move | str | None = None, id: int = 1) -> Play:
    """A turn for the present ply: as text, as picks, or the first there is."""
    if isinstance(move, str):
        return Play(id=id, room="room", ply=len(room.moves), move=move)
    picks = room.rules.moves(room.state)[0] if move is None else move
    return Play(id=id, room="room", ply=len(room.moves), picks=picks)


def played(room: Room, *moves: Move | str | None, now: int = NOON) -> Room:
    """The room after these turns, each made by whoever has to."""
    for move in moves:
        assert room.to_move is not None
        room = told(room, PLAYERS[room.to_move], play(room, move), now)
    return room


def offer(what: str, id: int = 1) -> Offer:
    return Offer(id=id, room="room", what=what)  # type: ignore[arg-type]  # one of three


def answer(what: str, yes: bool, id: int = 1) -> AnswerOffer:
    return AnswerOffer(id=id, room="room", what=what, yes=yes)  # type: ignore[arg-type]  # one of three


RESIGN, ABORT, CLAIM = Resign(id=1, room="room"), Abort(id=1, room="room"), Claim(id=1, room="room")


def refused(room: Room, player: Guest, command: Command, now: int = NOON) -> ErrorCode:
    """The code with which the room refuses this; it must have a sentence."""
    with pytest.raises(Refusal) as caught:
        decide(room, player.player, command, now)
    assert caught.value.sentence.endswith(".")
    return caught.value.code


def to_the_end(key: str, seed: int = 5, clock: Clock = Clock()) -> Iterator[Room]:  # noqa: B008
    """Every room of a random game, the finished one last."""
    room, chance = table(key, clock), Random(seed)
    yield room
    while room.status == "playing":
        room = played(room, random_move(room.rules, room.state, chance))
        yield room


def until_skipped(key: str) -> Room:
    """A room in which the one who has just moved moves again, after the other one has moved as well."""
    for seed in range(100):
        for room in to_the_end(key, seed):
            if len(set(room.movers)) == 2 and room.movers[-1] == room.to_move:
                return room
    raise AssertionError("nobody was ever skipped")


# A table at which a seat is free, one at which Ben has to say who moves first, and one whose game is over.
WAITING, CHOOSING = table(seats=(ADA, None)), table("mapello", board=OWN_BOARD, host=0)
OVER = told(table(), ADA, RESIGN)
