"""A room is what its log says: the same events give the same room, in every process and after every restart."""

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
from parlour.protocol.tables import Clock, OptionValue, Result, Terms, TimeLeft
from parlour.server.rooms.core import REMEMBERED, Ply, Room, created, evolve, position_mark, unpack
from parlour.server.rooms.decide import back, decide, gone
from parlour.server.rooms.events import (
    AnyEvent,
    Chose,
    Created,
    Declined,
    Ended,
    Gone,
    Offered,
    Played,
    Rematch,
    Seated,
    Started,
    TakenBack,
)  # fmt: skip
from parlour.server.rooms.opening import Guest, agreed, opening
from parlour.server.rooms.trail import trail

NOON = 1_700_000_000_000
SECOND = 1_000

GAMES = ("isaac", "mapello", "mitsudomoe", "replica")
GAME = pytest.mark.parametrize("key", GAMES)
ADA, BEN = Guest("id-of-ada", "Ada", 1600), Guest("id-of-ben", "Ben")
FISCHER = Clock("fischer", main=300 * SECOND, step=3 * SECOND)
CLOCKS = (Clock(), FISCHER, Clock("byoyomi", main=SECOND, step=10 * SECOND, count=3))

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(AnyEvent).decode


def first_events(key: str, clock: Clock = FISCHER, **options: OptionValue) -> tuple[AnyEvent, ...]:
    """Ada and Ben sit down at a new table; Ada has the first seat."""
    terms = Terms(key, options, clock)
    return opening(terms, agreed(terms, None, Random(1))[0], None, (ADA, BEN), NOON)


def fold(room: Room, *events: AnyEvent) -> Room:
    return reduce(evolve, events, room)


def folded(log: tuple[AnyEvent, ...]) -> Room:
    first, *rest = log
    assert isinstance(first, Created)
    return fold(created("room", first), *rest)


def table(key: str = "replica", clock: Clock = FISCHER) -> Room:
    return folded(first_events(key, clock))


def mover(room: Room) -> Guest:
    return ADA if room.to_move == 0 else BEN


def moved(room: Room, at: int, move: Move | None = None, lag: int = 0) -> Room:
    """The room after the first legal move, or the given one."""
    return evolve(room, Played(at, room.rules.moves(room.state)[0] if move is None else move, lag))


def told(room: Room, player: Guest, command: Command, at: int) -> Room:
    return fold(room, *decide(room, player.player, command, at))


def random_log(key: str, chance: Random, clock: Clock = FISCHER, plies: int = 400) -> tuple[AnyEvent, ...]:
    """A whole game with offers, takebacks and lost connections in it."""
    log = first_events(key, clock)
    room = folded(log)
    now, id = NOON, 0
    while room.status == "playing" and len(room.moves) < plies:
        now, id = now + chance.randrange(5 * SECOND), id + 1
        events: tuple[AnyEvent, ...]
        if chance.random() < 0.8:
            turn = Play(id=id, room="room", ply=len(room.moves), picks=random_move(room.rules, room.state, chance))
            events = decide(room, mover(room).player, turn, now, lag=id % 90)
        elif room.offers:
            answer = AnswerOffer(id=id, room="room", what="takeback", yes=chance.random() < 0.7)
            events = decide(room, ADA.player, answer, now)
        elif (1, "takeback", len(room.moves)) not in room.offered and 1 in room.movers:
            events = decide(room, BEN.player, Offer(id=id, room="room", what="takeback"), now)
        else:
            events = gone(room, 0, now) or back(room, 0, now)
        room = fold(room, *events)
        log += events
    return log


# -- a fold


@GAME
@given(seed=st.integers(0, 2**32), clock=st.sampled_from(CLOCKS))
@settings(max_examples=10)
def test_evolve_changes_none_of_its_arguments(key: str, seed: int, clock: Clock) -> None:
    """Room and event are the same after `evolve` as before, and doing it again gives an equal room."""
    first, *rest = random_log(key, Random(seed), clock, plies=30)
    assert isinstance(first, Created)
    room = created("room", first)
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
def test_a_room_is_the_same_when_its_log_was_stored(key: str, seed: int, clock: Clock) -> None:
    """The fold of events that were encoded and decoded is the fold of the events."""
    log = random_log(key, Random(seed), clock)
    assert folded(tuple(decode(encode(event)) for event in log)) == folded(log)


@GAME
@given(seed=st.integers(0, 2**32), clock=st.sampled_from(CLOCKS))
@settings(max_examples=6)
def test_a_snapshot_is_the_room_at_every_point(key: str, seed: int, clock: Clock) -> None:
    """`unpack` undoes `pack` after every event, to the types of all values, and the fold goes on from there."""
    first, *rest = random_log(key, Random(seed), clock)
    assert isinstance(first, Created)
    room = thawed = created("room", first)
    for event in rest:
        thawed = unpack(thawed.pack())
        assert thawed == room
        assert (type(thawed.state), type(thawed.before)) == (type(room.state), type(room.before))
        assert thawed.pack() == room.pack()
        room, thawed = evolve(room, event), evolve(thawed, event)
    assert unpack(thawed.pack()) == room


def test_an_old_snapshot_without_later_fields_is_read() -> None:
    """What a room has learnt to know since has its default."""
    room = table()
    stored = msgspec.msgpack.decode(room.pack())
    for later in ("claim_after", "done", "next", "result", "offered"):
        del stored[later]
    assert unpack(encode(stored)) == room


@GAME
@given(seed=st.integers(0, 2**32))
@settings(max_examples=10)
def test_a_room_holds_the_match_that_was_played(key: str, seed: int) -> None:
    """State, moves and texts are what the rules alone make of the same moves."""
    room = folded(random_log(key, Random(seed)))
    match = Match(room.rules, room.options)
    texts, movers = [], []
    for move in room.moves:
        texts.append(room.rules.write(match.state, move))
        movers.append(room.rules.to_move(match.state))
        match.play(move)
    assert (room.state, room.texts, room.movers) == (match.state, tuple(texts), tuple(movers))
    assert room.before == match.states[-2]
    assert tuple(room.marks) == (tuple(map(position_mark, match.states)) if room.rules.info.repetition else ())
    assert len(room.used) == len(room.moves)


def test_a_room_is_created_once() -> None:
    """A second beginning in a log is a fault and is not passed over."""
    first, *_ = first_events("isaac")
    with pytest.raises(ValueError, match="created once"):
        evolve(table("isaac"), first)


# -- single events


def test_a_new_room_is_what_its_first_event_says() -> None:
    """Everything the players agreed on is in the room, and nobody sits or moves yet."""
    options: dict[str, OptionValue] = {"size": 8, "kings": "2", "sight": "all"}
    room = created("abc", Created(NOON, "replica", options, FISCHER, True, None, 9, 1, "f", 700))
    assert room.claim_after == 700
    assert room.options == options
    assert (room.id, room.seq, room.status, room.created, room.chairs) == ("abc", 1, "waiting", NOON, (None, None))
    assert (room.clock, room.rated, room.delay, room.chooser, room.follows) == (FISCHER, True, 9, 1, "f")
    assert room.to_move is None
    assert room.before is None
    assert room.times.left == (TimeLeft(300 * SECOND), TimeLeft(300 * SECOND))


@GAME
def test_a_room_can_begin_at_any_position(key: str) -> None:
    """A position text is where the game begins, and where it goes back to when all moves are taken back."""
    room = reduce(moved, range(NOON, NOON + 3), table(key))
    first = Created(NOON, key, room.options, Clock(), position=room.rules.print(room.state))
    begun = evolve(created("other", first), Started(NOON))
    assert begun.state == room.state
    assert evolve(moved(begun, NOON), TakenBack(NOON, 0, 0)).state == room.state


def test_chairs_and_start() -> None:
    """Who sits where is kept with name, rating and kind; the game is on from the start on and not before."""
    room = created("room", Created(NOON, "isaac", {}, Clock()))
    room = evolve(room, Seated(NOON, 1, "id-of-bot", "easy", 900, True))
    assert room.seat_of("id-of-bot") == 1
    assert room.chairs[0] is None
    room = evolve(room, Seated(NOON, 0, ADA.player, ADA.name))
    assert (room.status, room.to_move) == ("waiting", None)
    room = evolve(room, Started(NOON + 7))
    assert (room.status, room.to_move, room.turn_began) == ("playing", 0, NOON + 7)
    assert room.seat_of("somebody else") is None


@pytest.mark.parametrize("swap", [True, False])
def test_a_choice_may_swap_the_players(swap: bool) -> None:
    """After a swap each has the other's seat, with everything that is known about him; the choice is used up."""
    log = (Created(NOON, "mapello", dict(table("mapello").options), Clock(), chooser=1), *first_events("mapello")[1:3])
    room = evolve(folded(log), Gone(NOON, 0))
    assert room.status == "choosing"
    after = evolve(room, Chose(NOON, swap, BEN.player, 4))
    assert after.chairs == (room.chairs[::-1] if swap else room.chairs)
    assert after.seat_of(ADA.player) == (1 if swap else 0)
    assert after.chooser is None


def test_presence_is_kept_with_the_chair() -> None:
    """A chair says since when its player is without a connection, until there is one again."""
    room = evolve(table(), Gone(NOON + 5, 1))
    ada, ben = room.chairs
    assert ada is not None
    assert ben is not None
    assert (ada.gone_since, ben.gone_since) == (None, NOON + 5)
    assert fold(room, *back(room, 1, NOON + 9)).chairs == table().chairs


def test_a_move_ends_all_offers() -> None:
    """Open offers are gone after a move; that they were made is remembered with the ply."""
    room = fold(moved(table(), NOON), Offered(NOON, 0, "draw"), Offered(NOON, 1, "takeback"))
    assert room.offers == ((0, "draw"), (1, "takeback"))
    room = moved(room, NOON)
    assert room.offers == ()
    assert room.offered == ((0, "draw", 1), (1, "takeback", 1))


def test_declining_ends_one_kind_of_offer() -> None:
    """Only the offer that was answered is gone."""
    room = fold(table(), Offered(NOON, 0, "draw"), Offered(NOON, 1, "takeback"), Declined(NOON, 1, "draw"))
    assert room.offers == ((1, "takeback"),)


def test_the_end_stops_everything() -> None:
    """With the end nobody is to move, no offer is open and the clocks stand with what was left at that moment."""
    room = reduce(moved, (NOON, NOON, NOON + 10 * SECOND), table())
    room = fold(room, Offered(NOON, 0, "draw"), Ended(NOON + 14 * SECOND, Result(0, "resigned"), 1))
    assert (room.status, room.result, room.to_move, room.offers) == ("over", Result(0, "resigned"), None, ())
    assert room.times.running is None
    assert room.times.left == (TimeLeft(293 * SECOND), TimeLeft(296 * SECOND))


def test_a_rematch_names_the_next_room() -> None:
    """The next room is known, and the offer that led to it is gone."""
    ended = fold(table(), Ended(NOON, Result(None, "agreed")))
    room = fold(ended, Offered(NOON, 0, "rematch"), Rematch(NOON, 1, "def"))
    assert (room.next, room.offers, room.status) == ("def", (), "over")


# -- clocks


@GAME
def test_the_first_move_of_each_side_is_free(key: str) -> None:
    """Nobody's clock runs before the third move; from then on it is that of the seat to move."""
    room = table(key)
    for at in (50 * SECOND, 100 * SECOND):
        assert room.times.running is None
        room = moved(room, NOON + at)
    assert room.times.left == (TimeLeft(300 * SECOND), TimeLeft(300 * SECOND))
    assert (room.times.running, room.times.since) == (room.to_move, NOON + 100 * SECOND)
    assert room.used == (50 * SECOND, 50 * SECOND)
    seat = room.to_move
    assert seat is not None
    room = moved(room, NOON + 110 * SECOND, lag=200)
    assert room.times.left[seat] == TimeLeft(300 * SECOND - 10 * SECOND + 200 + 3 * SECOND)
    assert room.used[-1] == 10 * SECOND


@pytest.mark.parametrize("key", ["isaac", "mapello"])
def test_the_clock_of_one_who_moves_again_goes_on(key: str) -> None:
    """When the opponent is skipped, the turn is charged and the mover's clock runs for the next one."""
    room = folded(_until_skipped(key))
    at, seat = room.turn_began, room.to_move
    assert seat == room.movers[-1]
    assert (room.times.running, room.times.since) == (seat, at)


def test_no_clock_runs_without_a_limit() -> None:
    """In a game without a time limit nobody's time ever runs."""
    room = reduce(moved, range(NOON, NOON + 6), table(clock=Clock()))
    assert room.times.running is None


def test_time_that_goes_backwards_is_no_time() -> None:
    """A move that seems to have been made before its turn began took no time, and gives none back."""
    room = reduce(moved, (NOON, NOON, NOON - 5 * SECOND), table())
    assert room.used[-1] == 0
    assert room.times.left[0] == TimeLeft(303 * SECOND)


# -- taking back


@GAME
@given(seed=st.integers(0, 2**32), data=st.data())
@settings(max_examples=12)
def test_a_takeback_restores_the_board_of_then(key: str, seed: int, data: st.DataObject) -> None:
    """State, marks of the last turn, moves, texts and positions counted are as they were; the clocks are not."""
    chance, rooms = Random(seed), [table(key)]
    while rooms[-1].rules.to_move(rooms[-1].state) is not None and len(rooms) < 60:
        move = random_move(rooms[-1].rules, rooms[-1].state, chance)
        rooms.append(moved(rooms[-1], NOON + len(rooms) * SECOND, move))
    plies = data.draw(st.integers(0, len(rooms) - 2))
    last, then, now = rooms[-1], rooms[plies], NOON + 90 * SECOND
    after = evolve(last, TakenBack(now, 0, plies))
    for field in ("state", "before", "moves", "texts", "movers", "used", "marks", "to_move"):
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
    """The turn that is broken off by a takeback is charged to the one whose clock ran."""
    room = reduce(moved, (NOON, NOON, NOON + 10 * SECOND), table())
    assert room.times.running == 1
    room = evolve(room, TakenBack(NOON + 15 * SECOND, 1, 2))
    assert room.times.left == (TimeLeft(293 * SECOND), TimeLeft(295 * SECOND))
    assert (room.times.running, room.times.since) == (0, NOON + 15 * SECOND)


def test_offers_made_later_can_be_made_again_after_a_takeback() -> None:
    """A takeback forgets what was offered at plies that are no more."""
    room = fold(moved(table(), NOON), Offered(NOON, 0, "takeback"), TakenBack(NOON, 1, 0))
    assert room.offered == ()
    assert room.offers == ()


# -- commands that were carried out


def test_a_command_that_was_carried_out_is_known_again() -> None:
    """The seq that a player's command got is found by player and id, through swaps, takebacks and snapshots."""
    room = table()
    room = told(room, ADA, Play(id=7, room="room", ply=0, picks=room.rules.moves(room.state)[0]), NOON)
    assert room.answered(ADA.player, 7) == room.seq
    played = room.seq
    room = told(room, ADA, Offer(id=8, room="room", what="takeback"), NOON)
    room = told(room, BEN, AnswerOffer(id=7, room="room", what="takeback", yes=True), NOON)
    for same in (room, unpack(room.pack())):
        assert same.answered(ADA.player, 7) == played
        assert same.answered(ADA.player, 8) == played + 1
        assert same.answered(BEN.player, 7) == played + 2
        assert same.answered(BEN.player, 8) is None
        assert same.answered(ADA.player, 9) is None


def test_a_bounded_number_of_moves_is_remembered() -> None:
    """The newest ones of both players together; each is the mover's own."""
    plies = [Ply((0,), "a1", ply % 2, 0, id=1000 + ply, seq=ply) for ply in range(REMEMBERED + 10)]
    room = replace(table(), plies=trail(*plies))
    for ply in plies:
        mover, other = (ADA, BEN) if ply.seat == 0 else (BEN, ADA)
        assert room.answered(mover.player, ply.id) == (ply.seq if ply.seq >= 10 else None)
        assert room.answered(other.player, ply.id) is None


def test_the_newest_id_of_a_player() -> None:
    """Of all commands, whether they moved or not, also of those that were taken back, and of each player by itself."""
    room = table()
    assert (room.newest_id(ADA.player), room.newest_id("stranger")) == (-1, -1)
    room = told(room, ADA, Play(id=7, room="room", ply=0, picks=room.rules.moves(room.state)[0]), NOON)
    assert (room.newest_id(ADA.player), room.newest_id(BEN.player)) == (7, -1)
    room = told(room, ADA, Offer(id=3, room="room", what="takeback"), NOON)
    room = told(room, BEN, AnswerOffer(id=5, room="room", what="takeback", yes=True), NOON)
    for same in (room, unpack(room.pack())):
        assert (same.newest_id(ADA.player), same.newest_id(BEN.player)) == (7, 5)


def test_what_was_not_a_command_is_not_remembered() -> None:
    """Events that came about by themselves are under nobody's id."""
    room = fold(table(), Gone(NOON, 0), Ended(NOON, Result(None, "aborted")))
    assert not room.done
    assert room.answered("", -1) is None


def test_a_bounded_number_of_commands_is_remembered() -> None:
    """The newest commands of both players together are remembered, and not many more."""
    room = table("mapello")
    ids: list[tuple[str, int, int]] = []
    while len(ids) < 2 * REMEMBERED + 20:
        player, other = (ADA, BEN) if room.to_move == 0 else (BEN, ADA)
        move = room.rules.moves(room.state)[0]
        for who, command in (
            (player, Offer(id=len(ids), room="room", what="draw")),
            (other, AnswerOffer(id=len(ids) + 1, room="room", what="draw", yes=False)),
            (player, Play(id=len(ids) + 2, room="room", ply=len(room.moves), picks=move)),
        ):
            room = told(room, who, command, NOON)
            ids.append((who.player, command.id, room.seq))
    assert len(room.done) == REMEMBERED
    assert all(room.answered(player, id) == seq for player, id, seq in ids[-REMEMBERED:])
    others = [command for number, command in enumerate(ids) if number % 3 != 2]  # moves are remembered by themselves
    assert all(room.answered(player, id) is None for player, id, _ in others[:-REMEMBERED])


def _until_skipped(key: str) -> tuple[AnyEvent, ...]:
    """The log of a game up to the first move after which the mover moves again."""
    for seed in range(100):
        chance, log = Random(seed), first_events(key)
        room, now = folded(log), NOON
        while room.rules.to_move(room.state) is not None:
            now += SECOND
            log += (Played(now, random_move(room.rules, room.state, chance)),)
            room = evolve(room, log[-1])
            if room.movers[-1] == room.to_move:
                return log
    raise AssertionError("nobody was ever skipped")
