"""A room's state follows from its log: the same events yield the same room in every process."""

from __future__ import annotations

from functools import reduce
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour.games.api import Move
from parlour.games.match import Match
from parlour.games.perft import random_move
from parlour.protocol.messages import AnswerOffer, Command, Offer, Play
from parlour.protocol.types import Clock, OptionValue, Player, Result, Terms, TimeLeft
from parlour.server.rooms.commands import decide, disconnect, reconnect
from parlour.server.rooms.events import (
    AnyEvent,
    Chose,
    Created,
    Declined,
    Disconnected,
    Ended,
    Offered,
    Participant,
    Played,
    Rematch,
    Started,
    TakenBack,
    decode,
    encode,
)  # fmt: skip
from parlour.server.rooms.setup import complete_options, create
from parlour.server.rooms.state import (
    RoomState,
    evolve,
    initial_state,
    position_hash,
    unpack,
)  # fmt: skip
from tests.server.rooms.sample_rooms import NOON, SECOND

GAMES = ("isaac", "mapello", "mitsudomoe", "replica")
GAME = pytest.mark.parametrize("key", GAMES)
ADA, BEN = Participant("id-of-ada", Player("Ada", 1600)), Participant("id-of-ben", Player("Ben"))
FISCHER = Clock("fischer", main=300 * SECOND, step=3 * SECOND)
CLOCKS = (Clock(), FISCHER, Clock("byoyomi", main=SECOND, step=10 * SECOND, count=3))


def created(key: str, clock: Clock = FISCHER, **options: OptionValue) -> Created:
    """Return the first event of a room in which Ada has the first seat and Ben the second."""
    terms = Terms(key, options, clock)
    return create(terms, complete_options(terms, None, Random(1)), None, (ADA, BEN), NOON)


def fold(room: RoomState, *events: AnyEvent) -> RoomState:
    return reduce(evolve, events, room)


def folded(log: tuple[AnyEvent, ...]) -> RoomState:
    first, *rest = log
    assert isinstance(first, Created)
    return fold(initial_state("room", first), *rest)


def new_room(key: str = "replica", clock: Clock = FISCHER) -> RoomState:
    return folded((created(key, clock),))


def mover(room: RoomState) -> Participant:
    return ADA if room.to_move == 0 else BEN


def moved(room: RoomState, at: int, move: Move | None = None, lag: int = 0) -> RoomState:
    """Return the room after a move, by default the first legal one."""
    return evolve(room, Played(at, room.rules.moves(room.state)[0] if move is None else move, lag))


def commanded(room: RoomState, player: Participant, command: Command, at: int) -> RoomState:
    return fold(room, *decide(room, player.id, command, at))


def random_log(key: str, chance: Random, clock: Clock = FISCHER, plies: int = 400) -> tuple[AnyEvent, ...]:
    """Return the log of a game with offers, takebacks and lost connections."""
    log: tuple[AnyEvent, ...] = (created(key, clock),)
    room = folded(log)
    now, id = NOON, 0
    while room.status == "playing" and len(room.moves) < plies:
        now, id = now + chance.randrange(5 * SECOND), id + 1
        events: tuple[AnyEvent, ...]
        if chance.random() < 0.8:
            turn = Play(id=id, room="room", ply=len(room.moves), picks=random_move(room.rules, room.state, chance))
            events = decide(room, mover(room).id, turn, now, lag=id % 90)
        elif room.offers:
            answer = AnswerOffer(id=id, room="room", kind="takeback", accept=chance.random() < 0.7)
            events = decide(room, ADA.id, answer, now)
        elif (1, "takeback", len(room.moves)) not in room.offers_made and 1 in room.movers:
            events = decide(room, BEN.id, Offer(id=id, room="room", kind="takeback"), now)
        else:
            events = disconnect(room, 0, now) or reconnect(room, 0, now)
        room = fold(room, *events)
        log += events
    return log


# -- a fold


@GAME
@given(seed=st.integers(0, 2**32), clock=st.sampled_from(CLOCKS))
@settings(max_examples=10)
def test_evolve_does_not_change_its_arguments(key: str, seed: int, clock: Clock) -> None:
    """Room and event are unchanged by `evolve`, and evolving again yields an equal room."""
    first, *rest = random_log(key, Random(seed), clock, plies=30)
    assert isinstance(first, Created)
    room = initial_state("room", first)
    for event in rest:
        packed, stored = room.pack(), encode(event)
        once = evolve(room, event)
        assert (room.pack(), encode(event)) == (packed, stored)
        assert evolve(room, event) == once
        assert once.seq == room.seq + 1
        room = once


@GAME
@given(seed=st.integers(0, 2**32), clock=st.sampled_from(CLOCKS))
@settings(max_examples=12)
def test_a_stored_log_yields_the_same_room(key: str, seed: int, clock: Clock) -> None:
    """Folding the encoded and decoded events yields the same room as folding the events."""
    log = random_log(key, Random(seed), clock)
    assert folded(tuple(decode(encode(event)) for event in log)) == folded(log)


@GAME
@given(seed=st.integers(0, 2**32), clock=st.sampled_from(CLOCKS))
@settings(max_examples=6)
def test_a_snapshot_can_be_taken_after_any_event(key: str, seed: int, clock: Clock) -> None:
    """`unpack` reverses `pack` including all types, and the fold can continue from there."""
    first, *rest = random_log(key, Random(seed), clock)
    assert isinstance(first, Created)
    room = thawed = initial_state("room", first)
    for event in rest:
        thawed = unpack(thawed.pack())
        assert thawed == room
        assert (type(thawed.state), type(thawed.previous_state)) == (type(room.state), type(room.previous_state))
        assert thawed.pack() == room.pack()
        room, thawed = evolve(room, event), evolve(thawed, event)
    assert unpack(thawed.pack()) == room


def test_an_old_snapshot_without_later_fields_is_read() -> None:
    """A field that was added since has its default."""
    room = new_room()
    stored = msgspec.msgpack.decode(room.pack())
    for later in ("claim_after", "processed", "next", "result", "offers_made"):
        del stored[later]
    assert unpack(encode(stored)) == room


@GAME
@given(seed=st.integers(0, 2**32))
@settings(max_examples=10)
def test_a_room_holds_the_match_that_was_played(key: str, seed: int) -> None:
    """State, moves and texts are the same as in a match of the same moves without a room."""
    room = folded(random_log(key, Random(seed)))
    match = Match(room.rules, room.options)
    texts, movers = [], []
    for move in room.moves:
        texts.append(room.rules.write(match.state, move))
        movers.append(room.rules.to_move(match.state))
        match.play(move)
    assert (room.state, room.texts, room.movers) == (match.state, tuple(texts), tuple(movers))
    assert room.previous_state == match.states[-2]
    hashes = tuple(map(position_hash, match.states)) if room.rules.info.repetition else ()
    assert tuple(room.position_hashes) == hashes


def test_a_room_is_created_once() -> None:
    """A second `Created` in a log raises an error."""
    with pytest.raises(ValueError, match="created only once"):
        evolve(new_room("isaac"), created("isaac"))


# -- single events


def test_a_new_room_has_everything_of_its_first_event() -> None:
    """The room has the terms and the players. A room with a chooser waits for the choice."""
    options: dict[str, OptionValue] = {"size": 8, "kings": "2", "sight": "all"}
    room = initial_state("abc", Created(NOON, "replica", options, FISCHER, (ADA, BEN), True, None, 9, 1, "f", 700))
    assert room.claim_after == 700
    assert room.options == options
    assert (room.id, room.seq, room.status, room.created, room.players) == ("abc", 1, "choosing", NOON, (ADA, BEN))
    assert room.offline_since == (None, None)
    assert (room.clock, room.rated, room.delay, room.chooser, room.follows) == (FISCHER, True, 9, 1, "f")
    assert room.to_move is None
    assert room.previous_state is None
    assert room.times.left == (TimeLeft(300 * SECOND), TimeLeft(300 * SECOND))


@GAME
def test_a_game_can_start_from_any_position(key: str) -> None:
    """The game starts from the given position, and returns to it when all moves are taken back."""
    room = reduce(moved, range(NOON, NOON + 3), new_room(key))
    first = Created(NOON, key, room.options, Clock(), (ADA, BEN), position=room.rules.print(room.state))
    begun = initial_state("other", first)
    assert begun.state == room.state
    assert evolve(moved(begun, NOON), TakenBack(NOON, 0, 0)).state == room.state


def test_a_room_without_a_choice_starts_at_once() -> None:
    """The first seat is to move and the turn begins with the creation of the room."""
    room = new_room("isaac")
    assert (room.status, room.to_move, room.turn_began) == ("playing", 0, NOON)


def test_a_room_with_a_choice_starts_after_it() -> None:
    """No seat is to move before `Started`."""
    room = initial_state("room", replace(created("isaac"), chooser=1))
    assert (room.status, room.to_move, room.turn_began) == ("choosing", None, 0)
    room = fold(room, Chose(NOON + 5, False, BEN.id, 4), Started(NOON + 7))
    assert (room.status, room.to_move, room.turn_began) == ("playing", 0, NOON + 7)


def test_players_are_found_by_id() -> None:
    """Each player has a seat, a spectator has none, and only people count as people."""
    bot = Participant("id-of-bot", Player("Computer 1", bot=True), "1")
    room = initial_state("room", replace(created("isaac"), players=(ADA, bot)))
    assert (room.seat_of(ADA.id), room.seat_of(bot.id), room.seat_of("a spectator")) == (0, 1, None)
    assert room.people == [ADA.id]
    assert room.level_to_move is None
    assert moved(room, NOON).level_to_move == "1"


@pytest.mark.parametrize("swap", [True, False])
def test_a_choice_may_swap_the_players(swap: bool) -> None:
    """After a swap each player has the other's seat, and keeps its presence; there is no further choice."""
    room = evolve(initial_state("room", replace(created("mapello"), chooser=1)), Disconnected(NOON, 0))
    assert room.status == "choosing"
    after = evolve(room, Chose(NOON, swap, BEN.id, 4))
    assert after.players == (room.players[::-1] if swap else room.players)
    assert after.offline_since == ((None, NOON) if swap else (NOON, None))
    assert after.seat_of(ADA.id) == (1 if swap else 0)
    assert after.chooser is None


def test_presence_is_kept_by_seat() -> None:
    """The room knows since when a player has been offline, until it reconnects."""
    room = evolve(new_room(), Disconnected(NOON + 5, 1))
    assert room.offline_since == (None, NOON + 5)
    assert fold(room, *reconnect(room, 1, NOON + 9)).offline_since == (None, None)


def test_a_move_closes_all_offers() -> None:
    """The room remembers at which ply they were made."""
    room = fold(moved(new_room(), NOON), Offered(NOON, 0, "draw"), Offered(NOON, 1, "takeback"))
    assert room.offers == ((0, "draw"), (1, "takeback"))
    room = moved(room, NOON)
    assert room.offers == ()
    assert room.offers_made == ((0, "draw", 1), (1, "takeback", 1))


def test_declining_closes_one_kind_of_offer() -> None:
    """Other offers stay open."""
    room = fold(new_room(), Offered(NOON, 0, "draw"), Offered(NOON, 1, "takeback"), Declined(NOON, 1, "draw"))
    assert room.offers == ((1, "takeback"),)


def test_the_end_stops_everything() -> None:
    """No seat is to move, no offer is open, and the clocks keep the time that was left."""
    room = reduce(moved, (NOON, NOON, NOON + 10 * SECOND), new_room())
    room = fold(room, Offered(NOON, 0, "draw"), Ended(NOON + 14 * SECOND, Result(0, "resigned"), 1))
    assert (room.status, room.result, room.to_move, room.offers) == ("over", Result(0, "resigned"), None, ())
    assert room.times.running is None
    assert room.times.left == (TimeLeft(293 * SECOND), TimeLeft(296 * SECOND))


def test_a_rematch_names_the_next_room() -> None:
    """The next room is known, and the offer that led to it is closed."""
    ended = fold(new_room(), Ended(NOON, Result(None, "agreed")))
    room = fold(ended, Offered(NOON, 0, "rematch"), Rematch(NOON, 1, "def"))
    assert (room.next, room.offers, room.status) == ("def", (), "over")


# -- clocks


@GAME
def test_the_first_move_of_each_side_is_free(key: str) -> None:
    """No clock runs before the third move; from then on the clock of the seat to move runs."""
    room = new_room(key)
    for at in (50 * SECOND, 100 * SECOND):
        assert room.times.running is None
        room = moved(room, NOON + at)
    assert room.times.left == (TimeLeft(300 * SECOND), TimeLeft(300 * SECOND))
    assert (room.times.running, room.times.since) == (room.to_move, NOON + 100 * SECOND)
    assert [ply.took for ply in room.plies] == [50 * SECOND, 50 * SECOND]
    seat = room.to_move
    assert seat is not None
    room = moved(room, NOON + 110 * SECOND, lag=200)
    assert room.times.left[seat] == TimeLeft(300 * SECOND - 10 * SECOND + 200 + 3 * SECOND)
    assert room.plies.newest.took == 10 * SECOND


@pytest.mark.parametrize("key", ["isaac", "mapello"])
def test_the_clock_of_a_player_that_moves_again_keeps_running(key: str) -> None:
    """When the opponent is skipped, the turn is charged and the mover's clock runs for the next one."""
    room = folded(_until_skipped(key))
    at, seat = room.turn_began, room.to_move
    assert seat == room.movers[-1]
    assert (room.times.running, room.times.since) == (seat, at)


def test_no_clock_runs_without_a_time_limit() -> None:
    """In a game without a time limit no clock ever runs."""
    room = reduce(moved, range(NOON, NOON + 6), new_room(clock=Clock()))
    assert room.times.running is None


def test_a_clock_that_steps_back_costs_nothing() -> None:
    """A move that seems to be older than its turn took no time, and returns none."""
    room = reduce(moved, (NOON, NOON, NOON - 5 * SECOND), new_room())
    assert room.plies.newest.took == 0
    assert room.times.left[0] == TimeLeft(303 * SECOND)


# -- takebacks


@GAME
@given(seed=st.integers(0, 2**32), data=st.data())
@settings(max_examples=12)
def test_a_takeback_restores_the_earlier_position(key: str, seed: int, data: st.DataObject) -> None:
    """State, previous state, moves and position hashes are as they were; the clocks are not."""
    chance, rooms = Random(seed), [new_room(key)]
    while rooms[-1].rules.to_move(rooms[-1].state) is not None and len(rooms) < 60:
        move = random_move(rooms[-1].rules, rooms[-1].state, chance)
        rooms.append(moved(rooms[-1], NOON + len(rooms) * SECOND, move))
    plies = data.draw(st.integers(0, len(rooms) - 2))
    last, then, now = rooms[-1], rooms[plies], NOON + 90 * SECOND
    after = evolve(last, TakenBack(now, 0, plies))
    for field in ("state", "previous_state", "plies", "position_hashes", "to_move"):
        assert getattr(after, field) == getattr(then, field), field
    assert after.turn_began == now
    assert after.offers == ()
    if plies >= 2:
        assert (after.times.running, after.times.since) == (after.to_move, now)
    else:
        assert after.times.running is None
    idle = 1 - last.times.running if last.times.running is not None else 0
    assert after.times.left[idle] == last.times.left[idle]


def test_time_that_was_used_stays_used() -> None:
    """The turn that a takeback interrupts is charged to the seat whose clock ran."""
    room = reduce(moved, (NOON, NOON, NOON + 10 * SECOND), new_room())
    assert room.times.running == 1
    room = evolve(room, TakenBack(NOON + 15 * SECOND, 1, 2))
    assert room.times.left == (TimeLeft(293 * SECOND), TimeLeft(295 * SECOND))
    assert (room.times.running, room.times.since) == (0, NOON + 15 * SECOND)


def test_offers_made_later_can_be_made_again_after_a_takeback() -> None:
    """A takeback forgets the offers made at the plies it removes."""
    room = fold(moved(new_room(), NOON), Offered(NOON, 0, "takeback"), TakenBack(NOON, 1, 0))
    assert room.offers_made == ()
    assert room.offers == ()


def _until_skipped(key: str) -> tuple[AnyEvent, ...]:
    """Return the log of a game up to the first move after which the same player moves again."""
    for seed in range(100):
        log: tuple[AnyEvent, ...] = (created(key),)
        chance = Random(seed)
        room, now = folded(log), NOON
        while room.rules.to_move(room.state) is not None:
            now += SECOND
            log += (Played(now, random_move(room.rules, room.state, chance)),)
            room = evolve(room, log[-1])
            if room.movers[-1] == room.to_move:
                return log
    raise AssertionError("no player was ever skipped")
