"""Rooms to test with, and commands that players send to them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from random import Random

import pytest

from parlour.games.api import Move
from parlour.games.perft import random_move
from parlour.protocol.command_digest import command_digest
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
from parlour.protocol.types import Clock, OptionValue, Player, Terms
from parlour.server.rooms.commands import Origin, decide
from parlour.server.rooms.events import AnyEvent, Participant
from parlour.server.rooms.setup import complete_options, create
from parlour.server.rooms.state import RoomState, evolve, initial_state

NOON = 1_700_000_000_000
SECOND = 1_000
DAY = 24 * 3_600 * SECOND

GAMES = ("isaac", "mapello", "mitsudomoe", "replica")
GAME = pytest.mark.parametrize("key", GAMES)
ADA = Participant("id-of-ada", Player("Ada"))
BEN = Participant("id-of-ben", Player("Ben"))
EVE = Participant("id-of-eve", Player("Eve"))  # only watches
PLAYERS = (ADA, BEN)

FISCHER = Clock("fischer", main=60 * SECOND, step=3 * SECOND)
DAYS = Clock("days", main=DAY)
CLOCKS = (
    Clock(), FISCHER, DAYS, Clock("move", main=10 * SECOND), Clock("bronstein", main=60 * SECOND, step=5 * SECOND),
    Clock("delay", main=60 * SECOND, step=5 * SECOND), Clock("byoyomi", main=20 * SECOND, step=10 * SECOND, count=3),
    Clock("canadian", main=20 * SECOND, step=30 * SECOND, count=3),
)  # fmt: skip
TIMED = CLOCKS[1:]

# A board that a player designed: empty but for the first four pieces.
CUSTOM_BOARD = "/".join(["#" * 10, *["#........#"] * 3, "#...XO...#", "#...OX...#", *["#........#"] * 3, "#" * 10])


def fold(room: RoomState, *events: AnyEvent) -> RoomState:
    return reduce(evolve, events, room)


def new_room(
    key: str = "replica",
    clock: Clock = Clock(),  # noqa: B008  # it is frozen
    players: tuple[Participant, Participant] = PLAYERS,
    position: str | None = None,
    host: int | None = None,
    **options: OptionValue,
) -> RoomState:
    """Return a new room."""
    terms = Terms(key, options, clock)
    event = create(terms, complete_options(terms, position, Random(1)), position, players, NOON, host=host)
    return initial_state("room", event)


def commanded(room: RoomState, player: Participant, command: Command, now: int = NOON, session: str = "") -> RoomState:
    """Return the room after a player's command."""
    return fold(room, *decide(room, player.id, command, now, session=session))


def origin(player: Participant, command: Command, session: str = "") -> Origin:
    """Return the last fields of the events that a player's command causes."""
    return Origin(player.id, command.id, session, command_digest(command))


def play(room: RoomState, move: Move | str | None = None, id: int = 1) -> Play:
    """Return the command for a move at the current ply, as text or as picks; None for the first legal move."""
    if isinstance(move, str):
        return Play(id=id, room="room", ply=len(room.moves), move=move)
    picks = room.rules.moves(room.state)[0] if move is None else move
    return Play(id=id, room="room", ply=len(room.moves), picks=picks)


def played(room: RoomState, *moves: Move | str | None, now: int = NOON) -> RoomState:
    """Return the room after these moves, each made by the player to move."""
    for move in moves:
        assert room.to_move is not None
        room = commanded(room, PLAYERS[room.to_move], play(room, move), now)
    return room


def offer(what: str, id: int = 1) -> Offer:
    return Offer(id=id, room="room", kind=what)  # type: ignore[arg-type]  # one of three


def answer(what: str, yes: bool, id: int = 1) -> AnswerOffer:
    return AnswerOffer(id=id, room="room", kind=what, accept=yes)  # type: ignore[arg-type]  # one of three


RESIGN, ABORT, CLAIM = Resign(id=1, room="room"), Abort(id=1, room="room"), Claim(id=1, room="room")


def refused(room: RoomState, player: Participant, command: Command, now: int = NOON) -> ErrorCode:
    """Return the code with which the room refuses a command; the refusal must have a sentence."""
    with pytest.raises(Refusal) as caught:
        decide(room, player.id, command, now)
    assert caught.value.sentence.endswith(".")
    return caught.value.code


def to_the_end(key: str, seed: int = 5, clock: Clock = Clock()) -> Iterator[RoomState]:  # noqa: B008
    """Yield the room after each move of a random game, up to its end."""
    room, chance = new_room(key, clock), Random(seed)
    yield room
    while room.status == "playing":
        room = played(room, random_move(room.rules, room.state, chance))
        yield room


def until_skipped(key: str) -> RoomState:
    """Return a room in which the last mover is to move again, after both players have moved."""
    for seed in range(100):
        for room in to_the_end(key, seed):
            if len(set(room.movers)) == 2 and room.movers[-1] == room.to_move:
                return room
    raise AssertionError("no player was ever skipped")


# A room in which Ben has to choose who moves first, and one whose game is over.
CHOOSING = new_room("mapello", board=CUSTOM_BOARD, host=0)
OVER = commanded(new_room(), ADA, RESIGN)
