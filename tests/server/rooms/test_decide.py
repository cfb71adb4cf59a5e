"""What a room makes of commands: exactly what the rules of the table allow, and a reason for all else."""

from __future__ import annotations

from collections.abc import Sequence
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
from parlour.protocol.tables import Clock, OptionValue
from parlour.server.rooms.core import Room, evolve
from parlour.server.rooms.decide import (
    back,
    decide,
    due,
    gone,
    sit,
)  # fmt: skip
from parlour.server.rooms.events import (
    Chose,
    Gone,
    Played,
    Seated,
    Started,
)  # fmt: skip
from parlour.server.rooms.opening import Guest
from tests.server.rooms.tables import (
    ABORT,
    ADA,
    BEN,
    CHOOSING,
    CLAIM,
    CLOCKS,
    EVE,
    GAME,
    GAMES,
    NOON,
    OVER,
    OWN_BOARD,
    PLAYERS,
    RESIGN,
    SECOND,
    WAITING,
    answer,
    fold,
    offer,
    play,
    played,
    refused,
    table,
    to_the_end,
    told,
)

# -- sitting down


@GAME
def test_the_game_starts_when_both_seats_are_taken(key: str) -> None:
    """The first who sits down waits; with the second the game begins and the first seat is to move."""
    room = table(key, seats=(None, None))
    events = sit(room, None, "id-of-ada", "Ada", 1500, False, NOON)
    assert events == (Seated(NOON, 0, "id-of-ada", "Ada", 1500, False),)
    room = fold(room, *events)
    assert (room.status, room.to_move) == ("waiting", None)
    events = sit(room, None, "id-of-bot", "easy", None, True, NOON + 5)
    assert events == (Seated(NOON + 5, 1, "id-of-bot", "easy", None, True), Started(NOON + 5))
    room = fold(room, *events)
    assert (room.status, room.to_move, room.turn_began) == ("playing", 0, NOON + 5)


def test_the_second_seat_can_be_taken_first() -> None:
    """Who wants a certain free seat gets it, and the next one gets the other."""
    room = table(seats=(None, None))
    room = fold(room, *sit(room, 1, "id-of-ada", "Ada", None, False, NOON))
    room = fold(room, *sit(room, None, "id-of-ben", "Ben", None, False, NOON))
    assert (room.seat_of("id-of-ada"), room.seat_of("id-of-ben"), room.status) == (1, 0, "playing")


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_sitting_down_twice_changes_nothing(seat: int | None) -> None:
    """Who has a seat keeps it, and cannot have the other one too."""
    assert sit(table(seats=(ADA, None)), seat, ADA.player, "Ada", None, False, NOON) == ()
    assert sit(table(), seat, ADA.player, "Ada", None, False, NOON) == ()


@pytest.mark.parametrize(
    ("seats", "seat"), [((ADA, None), 0), ((None, ADA), 1), (PLAYERS, None), (PLAYERS, 0), ((None, None), 2)]
)
def test_a_seat_that_is_not_free_is_refused(seats: Sequence[Guest | None], seat: int | None) -> None:
    """A seat that somebody else has, or that does not exist, cannot be taken."""
    with pytest.raises(Refusal) as caught:
        sit(table(seats=seats), seat, EVE.player, "Eve", None, False, NOON)
    assert caught.value.code == ErrorCode.SEAT_TAKEN


def test_nobody_sits_down_at_a_table_that_was_given_up() -> None:
    """A game that was called off before the second player came does not start when one comes."""
    room = told(table(seats=(ADA, None)), ADA, ABORT)
    assert room.status == "over"
    with pytest.raises(Refusal) as caught:
        sit(room, None, BEN.player, "Ben", None, False, NOON)
    assert caught.value.code == ErrorCode.GAME_OVER


# -- who moves first


@pytest.mark.parametrize("host", [0, 1])
@pytest.mark.parametrize("me", [True, False])
def test_who_did_not_bring_the_board_says_who_moves_first(host: int, me: bool) -> None:
    """The chooser gets the seat he wants, the other one the other; then the game begins."""
    room = table("mapello", board=OWN_BOARD, host=host)
    assert room.status == "choosing"
    chooser, other = PLAYERS[1 - host], PLAYERS[host]
    events = decide(room, chooser.player, ChooseFirst(id=3, room="room", me=me), NOON + 9)
    assert events == (Chose(NOON + 9, me == (host == 0), chooser.player, 3), Started(NOON + 9))
    room = fold(room, *events)
    assert (room.seat_of(chooser.player), room.seat_of(other.player)) == ((0, 1) if me else (1, 0))
    assert (room.status, room.to_move) == ("playing", 0)
    first = chooser if me else other
    assert told(room, first, play(room)).movers == (0,)


def test_only_the_chooser_chooses_and_once() -> None:
    """The one who brought the board, somebody else, and a second choice are refused."""
    choice = ChooseFirst(id=3, room="room", me=True)
    room = table("mapello", board=OWN_BOARD, host=0)
    assert refused(room, ADA, choice) == ErrorCode.OFFER_REFUSED
    assert refused(room, EVE, choice) == ErrorCode.NOT_A_PLAYER
    assert refused(told(room, BEN, choice), BEN, choice) == ErrorCode.OFFER_REFUSED
    assert refused(table("mapello"), BEN, choice) == ErrorCode.OFFER_REFUSED
    assert refused(table("mapello", board=OWN_BOARD, host=0, seats=(None, BEN)), BEN, choice) == ErrorCode.OFFER_REFUSED


def test_the_choice_waits_for_the_second_player() -> None:
    """When the chooser sits down last, the game waits for the choice and not for anything else."""
    room = table("mapello", board=OWN_BOARD, host=0, seats=(ADA, None))
    events = sit(room, None, BEN.player, "Ben", None, False, NOON)
    assert [type(event) for event in events] == [Seated]
    assert fold(room, *events).status == "choosing"


# -- moves


@GAME
def test_a_turn_can_be_played_as_text_and_as_picks(key: str) -> None:
    """Text and picks of a turn lead to the same event, with the mover's lag and the command's id."""
    for room in to_the_end(key):
        if room.to_move is None:
            break
        move = random_move(room.rules, room.state, Random(len(room.moves)))
        player = PLAYERS[room.to_move].player
        by_text = decide(room, player, play(room, room.rules.write(room.state, move), id=9), NOON + 4, 120)
        by_picks = decide(room, player, play(room, move, id=9), NOON + 4, 120)
        assert by_text == by_picks
        assert by_text[0] == Played(NOON + 4, move, 120, player, 9)


@GAME
def test_the_text_counts_if_there_are_picks_too(key: str) -> None:
    """A turn that is given twice is the one that is written."""
    room = table(key)
    picked, written, *_ = room.rules.moves(room.state)
    both = replace(play(room, picked), move=room.rules.write(room.state, written))
    assert told(room, ADA, both).moves == (written,)
    assert refused(room, ADA, replace(both, move="?")) == ErrorCode.MOVE_MALFORMED


@GAME
def test_picks_in_the_order_in_which_a_person_makes_them(key: str) -> None:
    """Whatever way through the steps is taken, the log has the canonical move."""
    room, chance = table(key), Random(2)
    for _ in range(20):
        picks: Move = ()
        while following := room.rules.steps(room.state, picks):
            picks = (*picks, chance.choice(following))
        room = played(room, picks)
        assert room.moves[-1] == room.rules.canonical(picks)
        if room.status != "playing":
            break


FRESH, BEGUN = table(), played(table(), None)

REFUSALS = {
    "a watcher plays": (FRESH, EVE, play(FRESH), ErrorCode.NOT_A_PLAYER),
    "a watcher resigns": (FRESH, EVE, RESIGN, ErrorCode.NOT_A_PLAYER),
    "a watcher aborts": (FRESH, EVE, ABORT, ErrorCode.NOT_A_PLAYER),
    "a watcher claims": (FRESH, EVE, CLAIM, ErrorCode.NOT_A_PLAYER),
    "a watcher offers": (FRESH, EVE, offer("draw"), ErrorCode.NOT_A_PLAYER),
    "a watcher answers": (FRESH, EVE, answer("draw", True), ErrorCode.NOT_A_PLAYER),
    "play before anybody came": (WAITING, ADA, play(FRESH), ErrorCode.GAME_NOT_STARTED),
    "play before the choice": (CHOOSING, ADA, play(CHOOSING), ErrorCode.GAME_NOT_STARTED),
    "a draw before the choice": (CHOOSING, ADA, offer("draw"), ErrorCode.GAME_NOT_STARTED),
    "a takeback before the choice": (CHOOSING, ADA, offer("takeback"), ErrorCode.GAME_NOT_STARTED),
    "a draw before anybody came": (WAITING, ADA, offer("draw"), ErrorCode.GAME_NOT_STARTED),
    "resign before anybody came": (WAITING, ADA, RESIGN, ErrorCode.GAME_NOT_STARTED),
    "resign before the choice": (CHOOSING, BEN, RESIGN, ErrorCode.GAME_NOT_STARTED),
    "claim before anybody came": (WAITING, ADA, CLAIM, ErrorCode.GAME_NOT_STARTED),
    "claim before the choice": (fold(CHOOSING, Gone(0, 0)), BEN, CLAIM, ErrorCode.GAME_NOT_STARTED),
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
    "a choice nobody has": (FRESH, ADA, ChooseFirst(id=1, room="room", me=True), ErrorCode.OFFER_REFUSED),
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
def test_what_is_not_allowed_is_refused(room: Room, player: Guest, command: Command, code: ErrorCode) -> None:
    """Each thing that cannot be done now has its own code and a sentence."""
    assert refused(room, player, command) == code


@GAME
@given(text=st.text(max_size=128), picks=st.lists(st.integers(0, 250), max_size=32), seed=st.integers(0, 40))
@settings(max_examples=25)
def test_no_move_from_outside_breaks_a_room(key: str, text: str, picks: list[int], seed: int) -> None:
    """Any text and any picks are a legal move or are refused as no move; nothing else comes out."""
    room = table(key)
    for _ in range(seed):
        room = played(room, random_move(room.rules, room.state, Random(seed))) if room.to_move is not None else room
    if room.to_move is None:
        return
    for command in (play(room, text), play(room, tuple(picks))):
        try:
            events = decide(room, PLAYERS[room.to_move].player, command, NOON)
        except Refusal as refusal:
            assert refusal.code in (ErrorCode.MOVE_MALFORMED, ErrorCode.MOVE_ILLEGAL)
        else:
            assert isinstance(events[0], Played)
            assert events[0].move in room.rules.moves(room.state)


# -- whatever two players do


def any_command(room: Room, kind: str, id: int, chance: Random) -> Command:
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
            return ChooseFirst(id=id, room="room", me=chance.random() < 0.5)


KINDS = ["play"] * 8 + ["offer"] * 3 + ["yes", "no"] * 2
KINDS += ["stale", "resign", "abort", "claim", "choose", "sit", "sit", "gone", "back", "due"]
ACT = st.tuples(st.sampled_from(KINDS), st.sampled_from([ADA, BEN, EVE]), st.integers(0, 90 * SECOND))


@given(
    key=st.sampled_from(GAMES),
    clock=st.sampled_from(CLOCKS),
    own_board=st.booleans(),
    acts=st.lists(ACT, min_size=30, max_size=60) | st.lists(ACT, max_size=30),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=150)
def test_a_room_stays_sound_whatever_happens(
    key: str, clock: Clock, own_board: bool, acts: list[tuple[str, Guest, int]], seed: int
) -> None:
    """Commands lead to events or refusals and to nothing else, and what is true about a room fits together."""
    options: dict[str, OptionValue] = {"board": OWN_BOARD} if own_board and key == "mapello" else {}
    room, now, chance = table(key, clock, (None, None), None, 0, **options), NOON, Random(seed)
    for id, (kind, player, pause) in enumerate(acts):
        now += pause
        try:
            match kind:
                case "sit":
                    events = sit(room, chance.choice([None, 0, 1]), player.player, player.name, None, False, now)
                case "gone" | "back":
                    events = (gone if kind == "gone" else back)(room, chance.randrange(2), now)
                case "due":
                    events = due(room, now)
                case _:
                    events = decide(room, player.player, any_command(room, kind, id, chance), now)
                    assert events
        except Refusal:
            continue
        for event in events:
            before, room = room, evolve(room, event)
            assert room.seq == before.seq + 1
        check_sound(room)


def check_sound(room: Room) -> None:
    """What has to hold in every room between two commands."""
    taken = [chair for chair in room.chairs if chair is not None]
    assert len({chair.player for chair in taken}) == len(taken)
    assert (room.result is not None) == (room.status == "over")
    if room.status in ("playing", "choosing"):
        assert len(taken) == 2
    assert (room.status == "choosing") == (room.chooser is not None and len(taken) == 2 and room.status != "over")
    assert (room.to_move is not None) == (room.status == "playing")
    assert len(room.moves) == len(room.texts) == len(room.movers) == len(room.used)
    assert len(room.marks) == (len(room.moves) + 1 if room.rules.info.repetition else 0)
    assert {what for _, what in room.offers} <= ({"rematch"} if room.status == "over" else {"draw", "takeback"})
    assert room.status in ("playing", "over") or not room.offers
    assert room.times.running in (None, room.to_move)
    assert room.next is None or room.status == "over"
