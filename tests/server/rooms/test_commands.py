"""Rooms accept exactly the commands that are allowed, and give a reason for every refusal."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour.games.api import Move
from parlour.games.perft import random_move
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import (
    Abort,
    ChooseFirst,
    Claim,
    Command,
    Join,
    Play,
    Resign,
)  # fmt: skip
from parlour.protocol.types import Clock, OptionValue
from parlour.server.rooms.commands import (
    decide,
    disconnect,
    expire,
    reconnect,
)  # fmt: skip
from parlour.server.rooms.events import (
    Chose,
    Disconnected,
    Participant,
    Played,
    Started,
)  # fmt: skip
from parlour.server.rooms.state import RoomState, evolve
from tests.server.rooms.sample_rooms import (
    ABORT,
    ADA,
    BEN,
    CHOOSING,
    CLAIM,
    CLOCKS,
    CUSTOM_BOARD,
    EVE,
    GAME,
    GAMES,
    NOON,
    OVER,
    PLAYERS,
    RESIGN,
    SECOND,
    answer,
    commanded,
    fold,
    new_room,
    offer,
    origin,
    play,
    played,
    refused,
    to_the_end,
)

# -- who moves first


@pytest.mark.parametrize("host", [0, 1])
@pytest.mark.parametrize("me", [True, False])
def test_the_hosts_opponent_chooses_who_moves_first(host: int, me: bool) -> None:
    """The chooser gets the seat it wants; then the game starts."""
    room = new_room("mapello", board=CUSTOM_BOARD, host=host)
    assert room.status == "choosing"
    chooser, other = PLAYERS[1 - host], PLAYERS[host]
    choice = ChooseFirst(id=3, room="room", go_first=me)
    events = decide(room, chooser.id, choice, NOON + 9, session="one")
    assert events == (Chose(NOON + 9, me == (host == 0), *origin(chooser, choice, "one")), Started(NOON + 9))
    room = fold(room, *events)
    assert (room.seat_of(chooser.id), room.seat_of(other.id)) == ((0, 1) if me else (1, 0))
    assert (room.status, room.to_move) == ("playing", 0)
    first = chooser if me else other
    assert commanded(room, first, play(room)).movers == (0,)


def test_only_the_chooser_chooses_and_only_once() -> None:
    """The host, a spectator, and a second choice are refused."""
    choice = ChooseFirst(id=3, room="room", go_first=True)
    room = new_room("mapello", board=CUSTOM_BOARD, host=0)
    assert refused(room, ADA, choice) == ErrorCode.OFFER_REFUSED
    assert refused(room, EVE, choice) == ErrorCode.NOT_A_PLAYER
    assert refused(commanded(room, BEN, choice), BEN, choice) == ErrorCode.OFFER_REFUSED
    assert refused(new_room("mapello"), BEN, choice) == ErrorCode.OFFER_REFUSED


# -- moves


@GAME
def test_a_move_can_be_sent_as_text_or_as_picks(key: str) -> None:
    """Both lead to the same move, with the mover's lag, session and command."""
    for room in to_the_end(key):
        if room.to_move is None:
            break
        move = random_move(room.rules, room.state, Random(len(room.moves)))
        player = PLAYERS[room.to_move]
        for command in (play(room, room.rules.write(room.state, move), id=9), play(room, move, id=9)):
            played, *_ = decide(room, player.id, command, NOON + 4, 120, "one")
            assert played == Played(NOON + 4, move, 120, *origin(player, command, "one"))


@GAME
def test_text_takes_precedence_over_picks(key: str) -> None:
    """A command with both plays the move that is written."""
    room = new_room(key)
    picked, written, *_ = room.rules.moves(room.state)
    both = replace(play(room, picked), move=room.rules.write(room.state, written))
    assert commanded(room, ADA, both).moves == (written,)
    assert refused(room, ADA, replace(both, move="?")) == ErrorCode.MOVE_MALFORMED


@GAME
def test_picks_may_come_in_any_legal_order(key: str) -> None:
    """Whatever order the picks have, the log has the canonical move."""
    room, chance = new_room(key), Random(2)
    for _ in range(20):
        picks: Move = ()
        while following := room.rules.steps(room.state, picks):
            picks = (*picks, chance.choice(following))
        room = played(room, picks)
        assert room.moves[-1] == room.rules.canonical(picks)
        if room.status != "playing":
            break


FRESH, BEGUN = new_room(), played(new_room(), None)

REFUSALS = {
    "a spectator plays": (FRESH, EVE, play(FRESH), ErrorCode.NOT_A_PLAYER),
    "a spectator resigns": (FRESH, EVE, RESIGN, ErrorCode.NOT_A_PLAYER),
    "a spectator aborts": (FRESH, EVE, ABORT, ErrorCode.NOT_A_PLAYER),
    "a spectator claims": (FRESH, EVE, CLAIM, ErrorCode.NOT_A_PLAYER),
    "a spectator offers": (FRESH, EVE, offer("draw"), ErrorCode.NOT_A_PLAYER),
    "a spectator answers": (FRESH, EVE, answer("draw", True), ErrorCode.NOT_A_PLAYER),
    "play before the choice": (CHOOSING, ADA, play(CHOOSING), ErrorCode.GAME_NOT_STARTED),
    "a draw before the choice": (CHOOSING, ADA, offer("draw"), ErrorCode.GAME_NOT_STARTED),
    "a takeback before the choice": (CHOOSING, ADA, offer("takeback"), ErrorCode.GAME_NOT_STARTED),
    "resign before the choice": (CHOOSING, BEN, RESIGN, ErrorCode.GAME_NOT_STARTED),
    "claim before the choice": (fold(CHOOSING, Disconnected(0, 0)), BEN, CLAIM, ErrorCode.GAME_NOT_STARTED),
    "the ply before": (BEGUN, BEN, replace(play(BEGUN), ply=0), ErrorCode.STALE_PLY),
    "the ply before, again": (BEGUN, ADA, play(FRESH), ErrorCode.STALE_PLY),
    "the ply after": (BEGUN, BEN, replace(play(BEGUN), ply=2), ErrorCode.STALE_PLY),
    "out of turn": (FRESH, BEN, play(FRESH), ErrorCode.NOT_YOUR_TURN),
    "out of turn, second": (BEGUN, ADA, play(BEGUN), ErrorCode.NOT_YOUR_TURN),
    "an illegal text": (FRESH, ADA, play(FRESH, "a1-h8"), ErrorCode.MOVE_ILLEGAL),
    "illegal picks": (FRESH, ADA, play(FRESH, (0, 63)), ErrorCode.MOVE_ILLEGAL),
    "picks beyond the board": (FRESH, ADA, play(FRESH, (10**15,)), ErrorCode.MOVE_ILLEGAL),
    "a part of a turn": (FRESH, ADA, play(FRESH, FRESH.rules.moves(FRESH.state)[0][:1]), ErrorCode.MOVE_ILLEGAL),
    "no picks": (FRESH, ADA, play(FRESH, ()), ErrorCode.MOVE_ILLEGAL),
    "no text": (FRESH, ADA, play(FRESH, ""), ErrorCode.MOVE_MALFORMED),
    "no move text": (FRESH, ADA, play(FRESH, "castle"), ErrorCode.MOVE_MALFORMED),
    "neither text nor picks": (FRESH, ADA, Play(id=1, room="room", ply=0), ErrorCode.REQUEST_MALFORMED),
    "no command of a room": (FRESH, ADA, Join(id=1, room="room"), ErrorCode.REQUEST_MALFORMED),
    "a choice not offered": (FRESH, ADA, ChooseFirst(id=1, room="room", go_first=True), ErrorCode.OFFER_REFUSED),
    "play after the end": (OVER, BEN, play(FRESH), ErrorCode.GAME_OVER),
    "resign after the end": (OVER, BEN, RESIGN, ErrorCode.GAME_OVER),
    "abort after the end": (OVER, BEN, ABORT, ErrorCode.GAME_OVER),
    "claim after the end": (OVER, BEN, CLAIM, ErrorCode.GAME_OVER),
    "a draw after the end": (OVER, BEN, offer("draw"), ErrorCode.GAME_OVER),
    "a takeback after the end": (OVER, BEN, offer("takeback"), ErrorCode.GAME_OVER),
    "no draw to accept": (FRESH, ADA, answer("draw", True), ErrorCode.NOTHING_OFFERED),
    "no draw to decline": (FRESH, ADA, answer("draw", False), ErrorCode.NOTHING_OFFERED),
    "no rematch to accept": (OVER, ADA, answer("rematch", True), ErrorCode.NOTHING_OFFERED),
    "a takeback without a move": (BEGUN, BEN, offer("takeback"), ErrorCode.OFFER_REFUSED),
    "a rematch during play": (BEGUN, BEN, offer("rematch"), ErrorCode.OFFER_REFUSED),
    "claim while the other is here": (BEGUN, BEN, CLAIM, ErrorCode.CANNOT_CLAIM),
}


@pytest.mark.parametrize(("room", "player", "command", "code"), REFUSALS.values(), ids=REFUSALS.keys())
def test_commands_that_are_not_allowed_are_refused(
    room: RoomState, player: Participant, command: Command, code: ErrorCode
) -> None:
    """Each refusal has its own code and a sentence."""
    assert refused(room, player, command) == code


@GAME
@given(text=st.text(max_size=128), picks=st.lists(st.integers(0, 250), max_size=32), seed=st.integers(0, 40))
@settings(max_examples=25)
def test_no_move_from_outside_breaks_a_room(key: str, text: str, picks: list[int], seed: int) -> None:
    """Any text and any picks are a legal move or are refused as an illegal one."""
    room = new_room(key)
    for _ in range(seed):
        room = played(room, random_move(room.rules, room.state, Random(seed))) if room.to_move is not None else room
    if room.to_move is None:
        return
    for command in (play(room, text), play(room, tuple(picks))):
        try:
            events = decide(room, PLAYERS[room.to_move].id, command, NOON)
        except Refusal as refusal:
            assert refusal.code in (ErrorCode.MOVE_MALFORMED, ErrorCode.MOVE_ILLEGAL)
        else:
            assert isinstance(events[0], Played)
            assert events[0].move in room.rules.moves(room.state)


# -- whatever two players do


def any_command(room: RoomState, kind: str, id: int, chance: Random) -> Command:
    what = chance.choice(["draw", "takeback", "rematch"])
    match kind:
        case "play" if room.to_move is not None:
            return play(room, random_move(room.rules, room.state, chance), id)
        case "play" | "stale":
            return Play(id=id, room="room", ply=chance.randrange(4), picks=(chance.randrange(100),))
        case "offer":
            return offer(what, id)
        case "yes" | "no":
            return answer(what, kind == "yes", id)
        case "resign":
            return Resign(id=id, room="room")
        case "abort":
            return Abort(id=id, room="room")
        case "claim":
            return Claim(id=id, room="room")
        case _:
            return ChooseFirst(id=id, room="room", go_first=chance.random() < 0.5)


KINDS = ["play"] * 8 + ["offer"] * 3 + ["yes", "no"] * 2
KINDS += ["stale", "resign", "abort", "claim", "choose", "disconnected", "reconnected", "expire"]
ACT = st.tuples(st.sampled_from(KINDS), st.sampled_from([ADA, BEN, EVE]), st.integers(0, 90 * SECOND))


@given(
    key=st.sampled_from(GAMES),
    clock=st.sampled_from(CLOCKS),
    own_board=st.booleans(),
    acts=st.lists(ACT, min_size=30, max_size=60) | st.lists(ACT, max_size=30),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=150)
def test_a_room_stays_consistent_whatever_happens(
    key: str, clock: Clock, own_board: bool, acts: list[tuple[str, Participant, int]], seed: int
) -> None:
    """Commands lead to events or refusals and to nothing else, and the state stays consistent."""
    options: dict[str, OptionValue] = {"board": CUSTOM_BOARD} if own_board and key == "mapello" else {}
    room, now, chance = new_room(key, clock, PLAYERS, None, 0, **options), NOON, Random(seed)
    for id, (kind, player, pause) in enumerate(acts):
        now += pause
        try:
            match kind:
                case "disconnected" | "reconnected":
                    events = (disconnect if kind == "disconnected" else reconnect)(room, chance.randrange(2), now)
                case "expire":
                    events = expire(room, now)
                case _:
                    events = decide(room, player.id, any_command(room, kind, id, chance), now)
                    assert events
        except Refusal:
            continue
        for event in events:
            before, room = room, evolve(room, event)
            assert room.seq == before.seq + 1
        check_consistent(room)


def check_consistent(room: RoomState) -> None:
    """Check what has to hold in every room between two commands."""
    assert {participant.id for participant in room.players} == {ADA.id, BEN.id}
    assert (room.result is not None) == (room.status == "over")
    assert (room.status == "choosing") == (room.chooser is not None and room.status != "over")
    assert (room.to_move is not None) == (room.status == "playing")
    assert len(room.moves) == len(room.texts) == len(room.movers)
    assert len(room.position_hashes) == (len(room.moves) + 1 if room.rules.info.repetition else 0)
    assert {what for _, what in room.offers} <= ({"rematch"} if room.status == "over" else {"draw", "takeback"})
    assert room.status in ("playing", "over") or not room.offers
    assert room.times.running in (None, room.to_move)
    assert room.next is None or room.status == "over"


def test_lag_is_charged_beyond_the_cap_of_the_room() -> None:
    """A fast game gives back less than a slow one; a room of an older version has the cap of that version."""
    for cap in (150, 500):
        room = replace(new_room("replica"), lag_cap=cap)
        move = room.rules.write(room.state, room.rules.moves(room.state)[0])
        player = room.players[room.to_move or 0].id
        (played, *_) = decide(room, player, Play(id=1, room=room.id, ply=0, move=move), NOON, lag=9_000)
        assert isinstance(played, Played)
        assert played.lag == cap
