"""How games end: by the rules, by the players, by time, or because a player is offline."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour.games.api import REPETITION
from parlour.games.match import Match
from parlour.games.perft import random_match, random_move
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Clock, Result
from parlour.server.rooms import clock as clocks
from parlour.server.rooms.commands import (
    FIRST_MOVE_WITHIN,
    IDLE_WITHIN,
    UNWATCHED_WITHIN,
    abort_in,
    claim_in,
    deadline,
    decide,
    disconnect,
    expire,
    reconnect,
)  # fmt: skip
from parlour.server.rooms.events import (
    CLAIM_AFTER,
    Disconnected,
    Ended,
    Participant,
    Played,
    Reconnected,
)  # fmt: skip
from tests.server.rooms.sample_rooms import (
    ABORT,
    ADA,
    BEN,
    CHOOSING,
    CLAIM,
    CLOCKS,
    CUSTOM_BOARD,
    DAY,
    DAYS,
    FISCHER,
    GAME,
    GAMES,
    NOON,
    OVER,
    PLAYERS,
    RESIGN,
    SECOND,
    TIMED,
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

# -- endings


@GAME
@given(seed=st.integers(0, 2**32))
@settings(max_examples=6)
def test_a_game_ends_as_the_rules_say(key: str, seed: int) -> None:
    """The last move ends the game, with the winner, reason and scores of the rules."""
    room = new_room(key)
    match = random_match(room.rules, room.options, Random(seed))
    room = played(room, *match.moves[:-1])
    assert room.status == "playing"
    assert room.to_move is not None
    events = decide(room, PLAYERS[room.to_move].id, play(room, match.moves[-1], id=4), NOON + 3)
    outcome = match.outcome
    assert outcome is not None
    assert [type(event) for event in events] == [Played, Ended]
    assert events[1] == Ended(NOON + 3, Result(outcome.winner, outcome.reason, outcome.scores))
    room = fold(room, *events)
    assert (room.status, room.to_move) == ("over", None)
    done = room.find_processed(PLAYERS[room.movers[-1]].id, "", 4)
    assert done is not None
    assert done.seq == room.seq - 1


@GAME
@pytest.mark.parametrize("seat", [0, 1])
def test_resigning_loses_the_game(key: str, seat: int) -> None:
    """At any time in the game, on turn or not, with the current scores."""
    for room in list(to_the_end(key))[:-1:9]:
        events = decide(room, PLAYERS[seat].id, RESIGN, NOON + 1)
        result = Result(1 - seat, "resigned", room.rules.scores(room.state))
        assert events == (Ended(NOON + 1, result, seat, *origin(PLAYERS[seat], RESIGN)),)


@GAME
@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.player.name)
def test_a_game_can_be_aborted_before_the_second_move(key: str, player: Participant) -> None:
    """Either player can, until both have moved; there is no winner then."""
    rooms = list(to_the_end(key))
    for room in rooms[:2]:
        ended = commanded(room, player, ABORT)
        assert ended.result == Result(None, "aborted")
    assert [refused(room, player, ABORT) for room in rooms[2:6]] == [ErrorCode.TOO_LATE_TO_ABORT] * 4


def test_a_game_that_has_not_started_can_be_aborted() -> None:
    """Also while the choice of who moves first is awaited."""
    assert commanded(CHOOSING, ADA, ABORT).result == Result(None, "aborted")


def test_a_game_can_be_aborted_after_all_moves_were_taken_back() -> None:
    """Only the moves on the board count."""
    room = commanded(commanded(played(new_room(), None, None), ADA, offer("takeback")), BEN, answer("takeback", True))
    assert room.moves == ()
    assert commanded(room, BEN, ABORT).status == "over"


# Both sides move a ring and a ball there and back again; the position after four moves comes every four moves.
SHUFFLE_FROM = ("+b2 b1-b2", "+d4 d5-d4", "+d1 a1-b1", "+b5 e5-d5")
SHUFFLE = ("d1-e1 b1-a1", "b5-a5 d5-e5", "e1-d1 a1-b1", "a5-b5 e5-d5")


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    """In Mitsudomoe the third occurrence ends the game, and not the second."""
    room = played(new_room("mitsudomoe"), *SHUFFLE_FROM, *SHUFFLE, *SHUFFLE[:-1])
    assert room.status == "playing"
    events = decide(room, BEN.id, play(room, SHUFFLE[-1]), NOON)
    assert events[1:] == (Ended(NOON, Result(None, REPETITION)),)
    match = Match(room.rules, room.options)
    for move in fold(room, *events).moves:
        match.play(move)
    assert match.outcome is not None
    assert match.outcome.reason == REPETITION


def test_the_first_position_counts_for_repetition() -> None:
    """Also if it was given as text."""
    start = played(new_room("mitsudomoe"), *SHUFFLE_FROM)
    room = played(new_room("mitsudomoe", position=start.rules.print(start.state)), *SHUFFLE, *SHUFFLE)
    assert room.result == Result(None, REPETITION)


def test_a_position_that_was_taken_back_does_not_count() -> None:
    """A position that was taken back has not occurred."""
    room = played(new_room("mitsudomoe"), *SHUFFLE_FROM, *SHUFFLE)
    for _ in range(3):
        room = commanded(commanded(room, BEN, offer("takeback")), ADA, answer("takeback", True))
        room = played(room, SHUFFLE[-1])
    assert room.status == "playing"
    assert played(room, *SHUFFLE).result == Result(None, REPETITION)


# -- presence


@pytest.mark.parametrize("seat", [0, 1])
def test_a_win_can_be_claimed_when_the_opponent_is_offline_for_long(seat: int) -> None:
    """Not a moment before, only by the player who stayed, and with the scores."""
    room = played(new_room("mapello"), None, None)
    stayed, left = PLAYERS[seat], PLAYERS[1 - seat]
    assert claim_in(room, seat, NOON) is None
    room = fold(room, *disconnect(room, 1 - seat, NOON))
    assert claim_in(room, seat, NOON) == CLAIM_AFTER
    assert claim_in(room, 1 - seat, NOON + CLAIM_AFTER) is None
    assert refused(room, stayed, CLAIM, NOON + CLAIM_AFTER - 1) == ErrorCode.CANNOT_CLAIM
    assert refused(room, left, CLAIM, NOON + CLAIM_AFTER) == ErrorCode.CANNOT_CLAIM
    now = NOON + CLAIM_AFTER
    assert claim_in(room, seat, now + 5) == 0
    result = Result(seat, "abandoned", room.rules.scores(room.state))
    assert decide(room, stayed.id, CLAIM, now) == (Ended(now, result, seat, *origin(stayed, CLAIM)),)


def test_each_room_has_its_own_time_for_claims() -> None:
    """A room may have been created with a different time."""
    room = fold(replace(played(new_room(), None, None), claim_after=5 * SECOND), Disconnected(NOON, 1))
    assert claim_in(room, 0, NOON + SECOND) == 4 * SECOND
    assert commanded(room, ADA, CLAIM, NOON + 5 * SECOND).result == Result(0, "abandoned")


def test_a_player_that_returns_cannot_be_claimed_against() -> None:
    """The time starts again when the player disconnects again."""
    room = fold(played(new_room(), None, None), Disconnected(NOON, 1), Reconnected(NOON + CLAIM_AFTER, 1))
    assert refused(room, ADA, CLAIM, NOON + 2 * CLAIM_AFTER) == ErrorCode.CANNOT_CLAIM
    room = fold(room, *disconnect(room, 1, NOON + 2 * CLAIM_AFTER))
    assert refused(room, ADA, CLAIM, NOON + 3 * CLAIM_AFTER - 1) == ErrorCode.CANNOT_CLAIM
    assert commanded(room, ADA, CLAIM, NOON + 3 * CLAIM_AFTER).result == Result(0, "abandoned")


def test_the_refusal_of_a_claim_says_how_long_to_wait() -> None:
    """In whole seconds, rounded up."""
    room = fold(played(new_room(), None, None), Disconnected(NOON, 1))
    with pytest.raises(Refusal, match="in 2 seconds"):
        decide(room, ADA.id, CLAIM, NOON + CLAIM_AFTER - 1001)


def test_no_claims_with_days_per_move() -> None:
    """Players of such games may be offline, and the refusal does not say that the opponent is online."""
    room = fold(played(new_room(clock=DAYS), None, None), Disconnected(NOON, 1))
    assert claim_in(room, 0, NOON + DAY // 2) is None
    with pytest.raises(Refusal) as caught:
        decide(room, ADA.id, CLAIM, NOON + DAY // 2)
    assert caught.value.code == ErrorCode.CANNOT_CLAIM
    assert "is here" not in caught.value.sentence


def test_each_change_of_presence_is_recorded_once() -> None:
    """Nothing is recorded after the end."""
    room = new_room()
    assert disconnect(room, 0, NOON) == (Disconnected(NOON, 0),)
    assert reconnect(room, 0, NOON) == ()
    away = fold(room, Disconnected(NOON, 0))
    assert disconnect(away, 0, NOON + 1) == ()
    assert reconnect(away, 0, NOON + 1) == (Reconnected(NOON + 1, 0),)
    assert disconnect(OVER, 0, NOON) == ()
    assert disconnect(CHOOSING, 0, NOON) == (Disconnected(NOON, 0),)


# -- time


@pytest.mark.parametrize("clock", TIMED, ids=lambda clock: clock.kind)
def test_a_flag_falls_when_the_grace_is_over(clock: Clock) -> None:
    """Not at the deadline of the clock, but when a move that was in time would have arrived."""
    room = played(new_room("mapello", clock), None, None)
    flag, at = clocks.deadline(clock, room.times), deadline(room)
    assert flag is not None
    assert at == flag + room.lag_cap
    assert expire(room, at - 1) == ()
    assert expire(room, flag, grace=0) == expire(replace(room), flag, 0) != ()
    assert expire(room, flag - 1, grace=0) == ()
    assert expire(room, at) == (Ended(at, Result(1, "flag", room.rules.scores(room.state)), 0),)


@pytest.mark.parametrize("clock", TIMED[:1] + TIMED[2:], ids=lambda clock: clock.kind)
@pytest.mark.parametrize("plies", [0, 1])
def test_a_game_without_a_first_move_is_aborted(clock: Clock, plies: int) -> None:
    """Each player has a minute for the first move, and neither loses."""
    room = played(new_room(clock=clock), *[None] * plies, now=NOON + 30 * SECOND)
    began = NOON + (30 * SECOND if plies else 0)
    assert deadline(room) == began + FIRST_MOVE_WITHIN
    assert expire(room, began + FIRST_MOVE_WITHIN - 1) == ()
    assert expire(room, began + FIRST_MOVE_WITHIN) == (Ended(began + FIRST_MOVE_WITHIN, Result(None, "aborted")),)


def test_players_are_told_how_long_they_have_for_the_first_move() -> None:
    """Until each of them has moved."""
    room = new_room(clock=TIMED[0])
    assert abort_in(room, NOON + 10 * SECOND) == FIRST_MOVE_WITHIN - 10 * SECOND
    assert abort_in(room, NOON + 2 * FIRST_MOVE_WITHIN) == 0
    assert abort_in(played(room, None, None), NOON) is None
    assert abort_in(new_room(), NOON) is None


def test_a_game_against_a_bot_has_no_limit_for_the_first_move() -> None:
    """Its player may read the rules first."""
    room = new_room(clock=TIMED[0])
    against_bot = replace(room, players=(room.players[0], replace(room.players[1], level="greedy")))
    assert expire(against_bot, NOON + 100 * DAY) == ()
    assert abort_in(against_bot, NOON) is None


@pytest.mark.parametrize("clock", [Clock(), DAYS], ids=lambda clock: clock.kind)
def test_slow_games_have_no_limit_for_the_first_move(clock: Clock) -> None:
    """Without a clock, or with days per move, the first move may take any time."""
    for room in (new_room(clock=clock), played(new_room(clock=clock), None)):
        assert deadline(room) is None
        assert expire(room, NOON + 100 * DAY) == ()


def test_without_a_clock_nothing_is_ever_due() -> None:
    """A game without a clock waits forever, if a player has an account."""
    room = played(new_room(), None, None, None)
    assert deadline(room) is None
    assert expire(room, NOON + 1000 * DAY) == ()


def test_games_of_guests_and_bots_expire() -> None:
    """Without a clock, a game of guests is aborted after a month without a move, and a game of bots after an hour."""
    room = played(new_room(), None, None, None)
    first, second = room.players
    guests = replace(room, players=(as_guest(first), as_guest(second)))
    alone = replace(room, players=(as_guest(first), replace(second, level="1")))
    bots = replace(room, players=(replace(first, level="1"), replace(second, level="1")))
    for game, within in ((guests, IDLE_WITHIN), (bots, UNWATCHED_WITHIN)):
        at = game.turn_began + within
        assert deadline(game) == at
        assert expire(game, at - 1) == ()
        assert expire(game, at) == (Ended(at, Result(None, "aborted")),)
    assert expire(alone, alone.turn_began + IDLE_WITHIN) != ()
    assert expire(replace(room, players=(first, as_guest(second))), NOON + 1000 * DAY) == ()


def as_guest(participant: Participant) -> Participant:
    return replace(participant, player=replace(participant.player, guest=True))


def test_nothing_is_due_before_the_start_or_after_the_end() -> None:
    """Time matters only while a game is being played."""
    choosing = new_room("mapello", FISCHER, board=CUSTOM_BOARD, host=0)
    over = commanded(played(new_room(clock=FISCHER), None, None), ADA, RESIGN)
    for room in (choosing, over):
        assert deadline(room) is None
        assert expire(room, NOON + DAY) == ()


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
    room, now, chance = new_room(key, clock), NOON, Random(seed)
    for number, pause in enumerate(pauses):
        at = deadline(room)
        for then in (now, now + pause, now + 10**10, *(() if at is None else (at - 1, at))):
            assert bool(expire(room, then)) == (at is not None and then >= at)
        now += pause
        room = fold(room, *expire(room, now))
        if room.to_move is None:
            return
        if number == back_at and 0 in room.movers:
            room = commanded(commanded(room, ADA, offer("takeback"), now), BEN, answer("takeback", True), now)
        else:
            room = played(room, random_move(room.rules, room.state, chance), now=now)


@GAME
def test_a_flag_after_a_skipped_turn_is_that_of_the_mover(key: str) -> None:
    """The player to move loses on time, however many moves it makes in a row."""
    for room in list(to_the_end(key, seed=3, clock=FISCHER))[2:-1]:
        at = deadline(room)
        assert at is not None
        assert room.to_move is not None
        assert fold(room, *expire(room, at)).result == Result(1 - room.to_move, "flag", room.rules.scores(room.state))
