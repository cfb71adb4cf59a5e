"""What a room makes of commands and of time: exactly what the rules of the table allow, and a reason for all else."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour.games.api import REPETITION, Move
from parlour.games.match import Match, random_match
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
from parlour.protocol.tables import Clock, OptionValue, Result
from parlour.server.rooms import clock as clocks
from parlour.server.rooms.core import Room, evolve
from parlour.server.rooms.decide import (
    FIRST_MOVE_WITHIN,
    back,
    claim_in,
    deadline,
    decide,
    due,
    gone,
    sit,
)  # fmt: skip
from parlour.server.rooms.events import (
    CLAIM_AFTER,
    Back,
    Chose,
    Ended,
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
    CLAIM,
    CLOCKS,
    DAY,
    DAYS,
    EVE,
    FISCHER,
    GAME,
    GAMES,
    NOON,
    OWN_BOARD,
    PLAYERS,
    RESIGN,
    SECOND,
    TIMED,
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


WAITING, CHOOSING = table(seats=(ADA, None)), table("mapello", board=OWN_BOARD, host=0)
FRESH, BEGUN = table(), played(table(), None)
OVER = told(table(), ADA, RESIGN)

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
@settings(max_examples=25, deadline=None)
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


# -- endings


@GAME
@given(seed=st.integers(0, 2**32))
@settings(max_examples=6, deadline=None)
def test_a_game_ends_as_the_rules_say(key: str, seed: int) -> None:
    """The last move brings the end with it, with winner, reason and scores of the rules."""
    room = table(key)
    match = random_match(room.rules, room.options, Random(seed))
    room = played(room, *match.moves[:-1])
    assert room.status == "playing"
    assert room.to_move is not None
    events = decide(room, PLAYERS[room.to_move].player, play(room, match.moves[-1], id=4), NOON + 3)
    outcome = match.outcome
    assert outcome is not None
    assert [type(event) for event in events] == [Played, Ended]
    assert events[1] == Ended(NOON + 3, Result(outcome.winner, outcome.reason, outcome.scores))
    room = fold(room, *events)
    assert (room.status, room.to_move) == ("over", None)
    assert room.answered(PLAYERS[room.movers[-1]].player, 4) == room.seq - 1


@GAME
@pytest.mark.parametrize("seat", [0, 1])
def test_who_resigns_has_lost(key: str, seat: int) -> None:
    """At any time in the game, on turn or not, with the scores of the moment."""
    for room in list(to_the_end(key))[:-1:9]:
        events = decide(room, PLAYERS[seat].player, RESIGN, NOON + 1)
        result = Result(1 - seat, "resigned", room.rules.scores(room.state))
        assert events == (Ended(NOON + 1, result, seat, PLAYERS[seat].player, 1),)


@GAME
@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.name)
def test_a_game_can_be_called_off_before_the_second_move(key: str, player: Guest) -> None:
    """Either player can, until both sides have moved; nobody has won then."""
    rooms = list(to_the_end(key))
    for room in rooms[:2]:
        ended = told(room, player, ABORT)
        assert ended.result == Result(None, "aborted")
    assert [refused(room, player, ABORT) for room in rooms[2:6]] == [ErrorCode.TOO_LATE_TO_ABORT] * 4


def test_a_game_that_has_not_begun_can_be_called_off() -> None:
    """While a second player or a choice is awaited, too."""
    for room in (WAITING, CHOOSING):
        assert told(room, ADA, ABORT).result == Result(None, "aborted")


def test_after_a_takeback_of_everything_a_game_can_be_called_off() -> None:
    """What counts are the moves on the board."""
    room = told(told(played(table(), None, None), ADA, offer("takeback")), BEN, answer("takeback", True))
    assert room.moves == ()
    assert told(room, BEN, ABORT).status == "over"


# Both sides move a ring and a ball there and back again; the position after four moves comes every four moves.
SHUFFLE_FROM = ("+b2 b1-b2", "+d4 d5-d4", "+d1 a1-b1", "+b5 e5-d5")
SHUFFLE = ("d1-e1 b1-a1", "b5-a5 d5-e5", "e1-d1 a1-b1", "a5-b5 e5-d5")


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    """In Mitsudomoe the third time ends the game, and not the second."""
    room = played(table("mitsudomoe"), *SHUFFLE_FROM, *SHUFFLE, *SHUFFLE[:-1])
    assert room.status == "playing"
    events = decide(room, BEN.player, play(room, SHUFFLE[-1]), NOON)
    assert events[1:] == (Ended(NOON, Result(None, REPETITION)),)
    match = Match(room.rules, room.options)
    for move in fold(room, *events).moves:
        match.play(move)
    assert match.outcome is not None
    assert match.outcome.reason == REPETITION


def test_the_first_position_counts_for_repetition() -> None:
    """Also where it was given as text."""
    start = played(table("mitsudomoe"), *SHUFFLE_FROM)
    room = played(table("mitsudomoe", position=start.rules.print(start.state)), *SHUFFLE, *SHUFFLE)
    assert room.result == Result(None, REPETITION)


def test_a_position_that_was_taken_back_does_not_count() -> None:
    """What was taken back has not occurred."""
    room = played(table("mitsudomoe"), *SHUFFLE_FROM, *SHUFFLE)
    for _ in range(3):
        room = told(told(room, BEN, offer("takeback")), ADA, answer("takeback", True))
        room = played(room, SHUFFLE[-1])
    assert room.status == "playing"
    assert played(room, *SHUFFLE).result == Result(None, REPETITION)


# -- who is gone


@pytest.mark.parametrize("seat", [0, 1])
def test_a_win_can_be_claimed_after_the_opponent_was_gone_for_long(seat: int) -> None:
    """Not a moment before, by the one who stayed only, and with the scores."""
    room = played(table("mapello"), None, None)
    stayed, left = PLAYERS[seat], PLAYERS[1 - seat]
    assert claim_in(room, seat, NOON) is None
    room = fold(room, *gone(room, 1 - seat, NOON))
    assert claim_in(room, seat, NOON) == CLAIM_AFTER
    assert claim_in(room, 1 - seat, NOON + CLAIM_AFTER) is None
    assert refused(room, stayed, CLAIM, NOON + CLAIM_AFTER - 1) == ErrorCode.CANNOT_CLAIM
    assert refused(room, left, CLAIM, NOON + CLAIM_AFTER) == ErrorCode.CANNOT_CLAIM
    now = NOON + CLAIM_AFTER
    assert claim_in(room, seat, now + 5) == 0
    result = Result(seat, "abandoned", room.rules.scores(room.state))
    assert decide(room, stayed.player, CLAIM, now) == (Ended(now, result, seat, stayed.player, 1),)


def test_a_room_says_itself_how_long_is_long() -> None:
    """Where it was agreed otherwise, a claim takes another time."""
    room = fold(replace(played(table(), None, None), claim_after=5 * SECOND), Gone(NOON, 1))
    assert claim_in(room, 0, NOON + SECOND) == 4 * SECOND
    assert told(room, ADA, CLAIM, NOON + 5 * SECOND).result == Result(0, "abandoned")


def test_who_comes_back_cannot_be_claimed_against() -> None:
    """The count begins anew when he goes again."""
    room = fold(played(table(), None, None), Gone(NOON, 1), Back(NOON + CLAIM_AFTER, 1))
    assert refused(room, ADA, CLAIM, NOON + 2 * CLAIM_AFTER) == ErrorCode.CANNOT_CLAIM
    room = fold(room, *gone(room, 1, NOON + 2 * CLAIM_AFTER))
    assert refused(room, ADA, CLAIM, NOON + 3 * CLAIM_AFTER - 1) == ErrorCode.CANNOT_CLAIM
    assert told(room, ADA, CLAIM, NOON + 3 * CLAIM_AFTER).result == Result(0, "abandoned")


def test_the_refusal_of_a_claim_says_how_long_to_wait() -> None:
    """In whole seconds, rounded up."""
    room = fold(played(table(), None, None), Gone(NOON, 1))
    with pytest.raises(Refusal, match="in 2 seconds"):
        decide(room, ADA.player, CLAIM, NOON + CLAIM_AFTER - 1001)


def test_no_claim_where_time_is_counted_in_days() -> None:
    """Nobody has to stay for a game that takes days, and the refusal does not say that he did."""
    room = fold(played(table(clock=DAYS), None, None), Gone(NOON, 1))
    assert claim_in(room, 0, NOON + DAY // 2) is None
    with pytest.raises(Refusal) as caught:
        decide(room, ADA.player, CLAIM, NOON + DAY // 2)
    assert caught.value.code == ErrorCode.CANNOT_CLAIM
    assert "is here" not in caught.value.sentence


def test_going_and_coming_are_noted_once() -> None:
    """Gone is noted for one who was here and back for one who was gone; nothing for an empty chair or after the end."""
    room = table()
    assert gone(room, 0, NOON) == (Gone(NOON, 0),)
    assert back(room, 0, NOON) == ()
    away = fold(room, Gone(NOON, 0))
    assert gone(away, 0, NOON + 1) == ()
    assert back(away, 0, NOON + 1) == (Back(NOON + 1, 0),)
    assert gone(WAITING, 1, NOON) == back(WAITING, 1, NOON) == ()
    assert gone(OVER, 0, NOON) == ()
    assert gone(CHOOSING, 0, NOON) == (Gone(NOON, 0),)


# -- time


@pytest.mark.parametrize("clock", TIMED, ids=lambda clock: clock.kind)
def test_a_flag_falls_when_the_grace_is_over(clock: Clock) -> None:
    """Not at the deadline of the clock, but when a move that was in time would have arrived."""
    room = played(table("mapello", clock), None, None)
    flag, at = clocks.deadline(clock, room.times), deadline(room)
    assert flag is not None
    assert at == flag + clocks.LAG_CAP
    assert due(room, at - 1) == ()
    assert due(room, flag, grace=0) == due(replace(room), flag, 0) != ()
    assert due(room, flag - 1, grace=0) == ()
    assert due(room, at) == (Ended(at, Result(1, "flag", room.rules.scores(room.state)), 0),)


@pytest.mark.parametrize("clock", TIMED[:1] + TIMED[2:], ids=lambda clock: clock.kind)
@pytest.mark.parametrize("plies", [0, 1])
def test_a_game_that_nobody_begins_is_called_off(clock: Clock, plies: int) -> None:
    """Each side has a minute for the first move, and nobody loses by it."""
    room = played(table(clock=clock), *[None] * plies, now=NOON + 30 * SECOND)
    began = NOON + (30 * SECOND if plies else 0)
    assert deadline(room) == began + FIRST_MOVE_WITHIN
    assert due(room, began + FIRST_MOVE_WITHIN - 1) == ()
    assert due(room, began + FIRST_MOVE_WITHIN) == (Ended(began + FIRST_MOVE_WITHIN, Result(None, "aborted")),)


@pytest.mark.parametrize("clock", [Clock(), DAYS], ids=lambda clock: clock.kind)
def test_slow_games_may_begin_slowly(clock: Clock) -> None:
    """Without a limit, or with one in days, the first move has no limit."""
    for room in (table(clock=clock), played(table(clock=clock), None)):
        assert deadline(room) is None
        assert due(room, NOON + 100 * DAY) == ()


def test_without_a_limit_nothing_is_ever_due() -> None:
    """A game without a clock waits for ever."""
    room = played(table(), None, None, None)
    assert deadline(room) is None
    assert due(room, NOON + 1000 * DAY) == ()


def test_nothing_is_due_before_the_start_or_after_the_end() -> None:
    """Time means nothing to a room in which nobody plays."""
    waiting, choosing = table(clock=FISCHER, seats=(ADA, None)), table("mapello", FISCHER, board=OWN_BOARD, host=0)
    over = told(played(table(clock=FISCHER), None, None), ADA, RESIGN)
    for room in (waiting, choosing, over):
        assert deadline(room) is None
        assert due(room, NOON + DAY) == ()


@given(
    clock=st.sampled_from(CLOCKS),
    key=st.sampled_from(GAMES),
    pauses=st.lists(st.integers(0, 40 * SECOND), max_size=25),
    back_at=st.sampled_from([None, 3, 8, 20]),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=120, deadline=None)
def test_deadline_says_when_something_is_due(
    clock: Clock, key: str, pauses: list[int], back_at: int | None, seed: int
) -> None:
    """Something is due from the deadline on and not a millisecond before, at every point of a game."""
    room, now, chance = table(key, clock), NOON, Random(seed)
    for number, pause in enumerate(pauses):
        at = deadline(room)
        for then in (now, now + pause, now + 10**10, *(() if at is None else (at - 1, at))):
            assert bool(due(room, then)) == (at is not None and then >= at)
        now += pause
        room = fold(room, *due(room, now))
        if room.to_move is None:
            return
        if number == back_at and 0 in room.movers:
            room = told(told(room, ADA, offer("takeback"), now), BEN, answer("takeback", True), now)
        else:
            room = played(room, random_move(room.rules, room.state, chance), now=now)


@GAME
def test_a_flag_after_a_skipped_turn_is_that_of_the_mover(key: str) -> None:
    """Whoever is to move loses on time, however often he moves in a row."""
    for room in list(to_the_end(key, seed=3, clock=FISCHER))[2:-1]:
        at = deadline(room)
        assert at is not None
        assert room.to_move is not None
        assert fold(room, *due(room, at)).result == Result(1 - room.to_move, "flag", room.rules.scores(room.state))


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
@settings(max_examples=150, deadline=None)
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
