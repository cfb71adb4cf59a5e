"""How games end: by the rules, by their players, by time, or because somebody is gone."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour.games.api import REPETITION
from parlour.games.match import Match, random_match
from parlour.games.perft import random_move
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.tables import Clock, Result
from parlour.server.rooms import clock as clocks
from parlour.server.rooms.decide import (
    FIRST_MOVE_WITHIN,
    back,
    claim_in,
    deadline,
    decide,
    due,
    gone,
)  # fmt: skip
from parlour.server.rooms.events import (
    CLAIM_AFTER,
    Back,
    Ended,
    Gone,
    Played,
)  # fmt: skip
from parlour.server.rooms.opening import Guest
from tests.server.rooms.tables import (
    ABORT,
    ADA,
    BEN,
    CHOOSING,
    CLAIM,
    CLOCKS,
    DAY,
    DAYS,
    FISCHER,
    GAME,
    GAMES,
    NOON,
    OVER,
    OWN_BOARD,
    PLAYERS,
    RESIGN,
    SECOND,
    TIMED,
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

# -- endings


@GAME
@given(seed=st.integers(0, 2**32))
@settings(max_examples=6)
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
@settings(max_examples=120)
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
