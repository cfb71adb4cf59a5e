"""Whoever follows a room from any point on sees what is true, and nobody sees what is nobody's business."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from parlour.games.perft import random_move
from parlour.protocol.codec import MSGPACK
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import (
    HAPPENINGS,
    Abort,
    AnswerOffer,
    ChooseFirst,
    Claim,
    Command,
    Happened,
    Moved,
    Offer,
    Play,
    Resign,
)  # fmt: skip
from parlour.protocol.messages import Room as WholeRoom
from parlour.protocol.mirror import Mirror, Update, Verdict
from parlour.protocol.scene import Scene, scene_hash
from parlour.protocol.tables import Chair, Clock, OptionValue, Pick, Player, Result, Step, Terms, TimeLeft
from parlour.server.rooms import clock as clocks
from parlour.server.rooms import presenter
from parlour.server.rooms.clock import Times
from parlour.server.rooms.core import Room, created, evolve
from parlour.server.rooms.decide import Events, back, decide, due, gone, sit
from parlour.server.rooms.events import (
    AnyEvent,
    Back,
    Chose,
    Created,
    Declined,
    Ended,
    Excused,
    Gone,
    Offered,
    Played,
    Rematch,
    Seated,
    Started,
    TakenBack,
)  # fmt: skip
from parlour.server.rooms.opening import Guest, agreed, opening

NOON = 1_700_000_000_000
SECOND = 1_000

GAMES = ("isaac", "mapello", "mitsudomoe", "replica")
GAME = pytest.mark.parametrize("key", GAMES)
ADA, BEN = Guest("id-of-ada", "Ada", 1600), Guest("id-of-ben", "Ben", bot=True)
PLAYERS = (ADA, BEN)
OWN_BOARD = "/".join(["#" * 10, *["#........#"] * 3, "#...XO...#", "#...OX...#", *["#........#"] * 3, "#" * 10])

FISCHER = Clock("fischer", main=60 * SECOND, step=3 * SECOND)
DELAY = Clock("delay", main=60 * SECOND, step=5 * SECOND)
CLOCKS = (
    Clock(), FISCHER, DELAY, Clock("move", main=30 * SECOND), Clock("bronstein", main=60 * SECOND, step=5 * SECOND),
    Clock("byoyomi", main=20 * SECOND, step=10 * SECOND, count=3), Clock("days", main=24 * 3600 * SECOND),
    Clock("canadian", main=20 * SECOND, step=30 * SECOND, count=3),
)  # fmt: skip

RUN = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


class Moment(NamedTuple):
    """A room, what is shown of it, and the message that led there."""

    at: int
    room: Room
    scene: Scene
    update: Update | None  # None: the room has just been made


def over_the_wire(message: Any) -> Any:
    """The message as a client gets it."""
    return MSGPACK.decode_server(MSGPACK.encode(message))


def first_moment(key: str, clock: Clock, options: dict[str, OptionValue] | None = None, host: int | None = 0) -> Moment:
    """An empty room; the first seat brings the board, if there is one of its own."""
    terms = Terms(key, options or {}, clock)
    (event,) = opening(terms, agreed(terms, None, Random(1))[0], None, (None, None), NOON, host=host)
    assert isinstance(event, Created)
    room = created("room", event)
    return Moment(NOON, room, presenter.scene(room), None)


def then(moment: Moment, event: AnyEvent) -> Moment:
    room = evolve(moment.room, event)
    update, scene = presenter.update(moment.scene, room, event)
    return Moment(event.at, room, scene, update)


def table(key: str = "replica", clock: Clock = FISCHER, plies: int = 0) -> Moment:
    """Ada and Ben play, and have made the first moves there are."""
    moment = first_moment(key, clock)
    seated = [Seated(NOON, seat, who.player, who.name, who.rating, who.bot) for seat, who in enumerate(PLAYERS)]
    events: tuple[AnyEvent, ...] = (*seated, Started(NOON))
    for event in events:
        moment = then(moment, event)
    for _ in range(plies):
        moment = then(moment, Played(NOON, moment.room.rules.moves(moment.room.state)[0]))
    return moment


def whole(moment: Moment, player: Guest | None = None, at: int | None = None) -> WholeRoom:
    seat = None if player is None else moment.room.seat_of(player.player)
    return presenter.whole(moment.room, moment.scene, seat, 3, moment.at if at is None else at, None)


# -- histories: whatever two players do, in whatever time

ACTS = (
    *["play"] * 12, *["offer"] * 8, *["yes"] * 6, *["no"] * 4, *["gone", "back"] * 3, *["sit", "choose"] * 2, "due",
    "claim", "resign", "abort",
)  # fmt: skip
PAUSE = st.integers(0, 12 * SECOND) | st.sampled_from([0, 0, 61 * SECOND])
ACT = st.tuples(st.sampled_from(ACTS), st.integers(0, 1), PAUSE)
Acts = list[tuple[str, int, int]]


def sitting(room: Room, seat: int) -> Guest:
    return next((guest for guest in PLAYERS if room.seat_of(guest.player) == seat), PLAYERS[seat])


def decided(room: Room, act: str, seat: int, now: int, chance: Random) -> Events:
    """What comes of an act of the player at that seat, or of the one who alone can do it."""
    player, id = sitting(room, seat), now % 10_000
    what = chance.choice(["draw", *["takeback"] * 4]) if room.status == "playing" else "rematch"
    if act == "play" and room.offers and chance.random() < 0.5:
        act = "yes"
    if room.offers and act in ("yes", "no"):
        asker, what = chance.choice(room.offers)
        player = sitting(room, 1 - asker) if act == "yes" else player
    if room.chooser is not None and act == "choose":
        player = sitting(room, room.chooser)
    command: Command
    match act:
        case "sit":
            guest = PLAYERS[seat]
            return sit(room, None, guest.player, guest.name, guest.rating, guest.bot, now)
        case "gone" | "back":
            return (gone if act == "gone" else back)(room, seat, now)
        case "due":
            return due(room, now + 30 * SECOND)
        case "play" if room.to_move is not None:
            player, turn = sitting(room, room.to_move), random_move(room.rules, room.state, chance)
            command = Play(id=id, room="room", ply=len(room.moves), picks=turn)
        case "offer":
            command = Offer(id=id, room="room", what=what)  # type: ignore[arg-type]  # one of three
        case "yes" | "no":
            command = AnswerOffer(id=id, room="room", what=what, yes=act == "yes")  # type: ignore[arg-type]
        case "resign":
            command = Resign(id=id, room="room")
        case "abort":
            command = Abort(id=id, room="room")
        case "claim":
            command = Claim(id=id, room="room")
        case _:
            command = ChooseFirst(id=id, room="room", me=chance.random() < 0.5)
    return decide(room, player.player, command, now, lag=chance.randrange(800))


def acted(key: str, clock: Clock, begin: str, acts: Acts, seed: int) -> list[Moment]:
    """Every moment of a room in which this was done; what is refused has no effect.

    It begins with nobody there, with a board of Ada's own before or after Ben's choice, or some moves into a game.
    """
    own = begin in ("choosing", "chosen")
    key = "mapello" if own else key
    moments = [first_moment(key, clock, {"board": OWN_BOARD} if own else None)]
    now, chance = NOON, Random(seed)
    before: Acts = [] if begin == "empty" else [("sit", 0, 0), ("sit", 1, 0)]
    before += [("choose", 1, 0)] if begin == "chosen" else []
    before += [("play", 0, SECOND)] * chance.randrange(60) if begin == "moves" else []
    begun = 0
    for number, (act, seat, pause) in enumerate(before + acts):
        begun = len(moments) if number == len(before) else begun
        now += pause
        try:
            events = decided(moments[-1].room, act, seat, now, chance)
        except Refusal:
            continue
        for event in events:
            moments.append(then(moments[-1], event))
        now = max(now, moments[-1].at)
    return moments[max(0, begun - 10) :]  # of a long beginning the end is enough


HISTORIES = st.builds(
    acted,
    key=st.sampled_from(GAMES),
    clock=st.sampled_from(CLOCKS),
    begin=st.sampled_from(["moves", "moves", "moves", "empty", "choosing", "chosen"]),
    acts=st.lists(ACT, min_size=25, max_size=45) | st.lists(ACT, max_size=25),
    seed=st.integers(0, 2**32),
)


def followed(moments: list[Moment], player: Guest | None = None) -> Iterator[tuple[Mirror, Moment, list[Moment]]]:
    """Everybody who comes in at some moment, at every moment from then on: the copy, the moment, and all since."""
    for start, first in enumerate(moments):
        mirror = Mirror(over_the_wire(whole(first, player)))
        yield mirror, first, [first]
        for end in range(start + 1, len(moments)):
            assert moments[end].update is not None
            verdict = mirror.take(over_the_wire(moments[end].update))
            assert verdict is Verdict.APPLIED
            yield mirror, moments[end], moments[start : end + 1]


FACTS: dict[str, tuple[Callable[[Mirror], object], Callable[[WholeRoom], object]]] = {
    "seq": (lambda mirror: (mirror.epoch, mirror.seq), lambda room: (room.epoch, room.seq)),
    "scene": (lambda mirror: mirror.scene, lambda room: room.scene),
    "moves": (lambda mirror: tuple(mirror.moves), lambda room: room.moves),
    "chairs": (lambda mirror: tuple(mirror.chairs), lambda room: room.chairs),
    "offers": (lambda mirror: sorted(mirror.offers), lambda room: sorted(room.offers)),
    "status": (lambda mirror: mirror.status, lambda room: room.status),
    "result": (lambda mirror: mirror.result, lambda room: room.result),
}


@pytest.mark.parametrize("fact", FACTS)
@given(moments=HISTORIES)
@settings(RUN, max_examples=80)
def test_a_copy_from_any_point_on_is_the_room(fact: str, moments: list[Moment]) -> None:
    """Who takes the whole room at any moment and every update since has what the whole room says later."""
    of_copy, of_room = FACTS[fact]
    wholes = {moment.room.seq: of_room(whole(moment)) for moment in moments}
    for mirror, moment, _ in followed(moments):
        assert of_copy(mirror) == wholes[moment.room.seq]


@given(moments=HISTORIES)
@settings(RUN, max_examples=120)
def test_the_clocks_of_a_copy_are_those_of_the_room(moments: list[Moment]) -> None:
    """Counted down from the last message that set them, they show what the server would send."""
    for mirror, (at, room, _, _), since in followed(moments):
        first = since[0]
        if room.clock.kind == "delay" and first.at > first.room.times.since:
            continue  # came in during a turn: see below
        assert mirror.running == room.times.running
        if not mirror.clocks:
            assert room.clock.kind == "none"
            continue
        heard = next(moment.at for moment in reversed(since) if moment is first or sets_clocks(moment.update))
        ada, ben = mirror.clocks
        counted = Times((ada, ben), mirror.running, heard)
        assert tuple(clocks.left_at(room.clock, counted, seat, at) for seat in (0, 1)) == presenter.times(room, at)


def sets_clocks(update: Update | None) -> bool:
    return isinstance(update, Moved) or (update is not None and update.clocks is not None)


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.name)
@given(moments=HISTORIES)
@settings(RUN, max_examples=60)
def test_a_player_always_knows_his_seat(player: Guest, moments: list[Moment]) -> None:
    """Also when the choice of who moves first has changed the seats."""
    for mirror, moment, since in followed(moments, player):
        if since[0].room.seat_of(player.player) is not None:
            assert mirror.seat == whole(moment, player).seat == moment.room.seat_of(player.player)


@pytest.mark.parametrize("what", ["moved", "ended", "taken_back", "rematch"])
def test_a_copy_knows_when_offers_are_gone(what: str) -> None:
    """A move, a takeback, the end and the next game leave no offer open, for the room and for every copy."""
    moment = then(then(table(plies=3), Offered(NOON, 0, "draw")), Offered(NOON, 1, "takeback"))
    mirror = Mirror(whole(moment))
    assert mirror.offers == {"0:draw", "1:takeback"}
    move = moment.room.rules.moves(moment.room.state)[0]
    after = then(moment, Played(NOON, move) if what == "moved" else SAID[what][0])
    assert after.update is not None
    mirror.take(after.update)
    assert (mirror.offers, whole(after).offers) == (set(), ())


def test_who_comes_in_during_a_delay_can_tell_how_much_of_it_is_left() -> None:
    """A clock that starts late is shown differently at different moments of the delay."""
    moment = table(clock=DELAY, plies=2)
    assert moment.room.times.running == 0
    assert whole(moment, at=moment.at + SECOND) != whole(moment, at=moment.at + 4 * SECOND)


def test_who_comes_in_after_a_rematch_can_find_it() -> None:
    """The whole room says where the next game is, as the update did."""
    over = then(table(), Ended(NOON, Result(0, "resigned"), 1))
    moment = then(over, Rematch(NOON, 1, "next-one"))
    assert b"next-one" in MSGPACK.encode(whole(moment))


# -- single messages


@given(moments=HISTORIES)
@settings(RUN, max_examples=80)
def test_every_event_makes_one_update_with_the_right_hash(moments: list[Moment]) -> None:
    """It has the seq of the room, and the hash of the scene that everybody sees after it."""
    for before, moment in pairwise(moments):
        update = moment.update
        assert update is not None
        assert (update.room, update.epoch, update.seq) == ("room", presenter.EPOCH, moment.room.seq)
        assert update.seq == before.room.seq + 1
        assert moment.scene == presenter.scene(moment.room)
        assert update.hash == scene_hash(moment.scene)
        assert whole(moment).hash == update.hash
        assert over_the_wire(update) == update
        assert over_the_wire(whole(moment)) == whole(moment)


@given(moments=HISTORIES)
@settings(RUN, max_examples=80)
def test_nobody_learns_the_ids_of_players(moments: list[Moment]) -> None:
    """Messages have names; ids, which belong to the server, are in none of them."""
    for moment in moments:
        messages: list[Any] = [whole(moment), whole(moment, ADA)]
        messages += [moment.update] if moment.update is not None else []
        messages += [presenter.choices(moment.room)] if moment.room.to_move is not None else []
        for message in messages:
            assert b"id-of" not in MSGPACK.encode(message)


def test_nobody_is_told_that_a_room_was_made() -> None:
    """There was nobody to tell, and whoever comes gets the room whole."""
    moment = table()
    with pytest.raises(ValueError, match="Created"):
        presenter.update(moment.scene, moment.room, Created(NOON, "replica", {}, Clock()))


SAID: dict[str, tuple[AnyEvent, dict[str, object]]] = {
    "offered": (Offered(NOON, 0, "draw"), {"seat": 0, "offer": "draw"}),
    "declined": (Declined(NOON, 1, "draw"), {"seat": 1, "offer": "draw"}),
    "withdrawn": (Declined(NOON, 0, "draw", own=True), {"seat": 0, "offer": "draw"}),
    "taken_back": (TakenBack(NOON, 1, 2), {"seat": 1, "plies": 2}),
    "gone": (Gone(NOON, 1), {"seat": 1}),
    "back": (Back(NOON, 1), {"seat": 1}),
    "ended": (Ended(NOON, Result(1, "resigned"), 0), {"seat": 0, "result": Result(1, "resigned"), "status": "over"}),
    "rematch": (Rematch(NOON, 0, "def"), {"seat": 0, "next": "def"}),
    "excused": (Excused(NOON + 9, NOON, NOON + 5), {"seat": None}),
    "started": (Started(NOON), {"status": "playing"}),
    "chose": (Chose(NOON, False), {"status": None}),
    "swapped": (Chose(NOON, True), {"status": None}),
    "seated": (Seated(NOON, 1, "id-of-eve", "Eve"), {"seat": 1}),
}


def test_every_happening_is_here() -> None:
    """The list above has every word that the protocol has."""
    assert set(SAID) == set(HAPPENINGS)


@pytest.mark.parametrize("what", SAID)
def test_an_update_says_what_happened(what: str) -> None:
    """Each kind of event has its word, and the facts that belong to it."""
    event, facts = SAID[what]
    update = then(table(plies=3), event).update
    assert isinstance(update, Happened)
    assert update.what == what
    assert {name: getattr(update, name) for name in facts} == facts


def test_somebody_who_sits_down_is_shown_with_name_rating_and_kind() -> None:
    """Everybody is told of all chairs, and that a bot is one."""
    moment = then(first_moment("isaac", Clock()), Seated(NOON, 1, "id-of-ben", "Ben", 1200, True))
    assert isinstance(moment.update, Happened)
    assert moment.update.chairs == (Chair(), Chair(Player("Ben", 1200, bot=True), online=True))
    assert moment.update.status == "waiting"


@GAME
def test_an_update_of_a_move_has_the_clock_of_the_mover(key: str) -> None:
    """After the charge, with what was given back; a game without a limit has none."""
    moment = table(key, FISCHER, plies=2)
    move = moment.room.rules.moves(moment.room.state)[0]
    update = then(moment, Played(NOON + 10 * SECOND, move, 400)).update
    assert isinstance(update, Moved)
    assert update.clock == 60 * SECOND - 10 * SECOND + 400 + 3 * SECOND
    assert update.move == moment.room.rules.write(moment.room.state, move)
    moment = table(key, Clock(), plies=2)
    update = then(moment, Played(NOON + 10 * SECOND, move)).update
    assert isinstance(update, Moved)
    assert update.clock is None


@pytest.mark.parametrize(
    "event", [TakenBack(NOON + 9 * SECOND, 1, 2), Ended(NOON + 9 * SECOND, Result(0, "resigned"), 1)]
)
def test_an_update_that_stops_a_turn_has_both_clocks(event: AnyEvent) -> None:
    """The turn that was broken off is charged, and everybody is told."""
    moment = table(plies=3)
    assert moment.room.times.running == 1
    update = then(moment, event).update
    assert isinstance(update, Happened)
    assert update.clocks == (TimeLeft(63 * SECOND), TimeLeft(51 * SECOND))


def test_a_clock_with_periods_is_sent_with_them() -> None:
    """Where a count belongs to the time left, it is in the update of the move."""
    moment = table(clock=Clock("byoyomi", main=20 * SECOND, step=10 * SECOND, count=3), plies=2)
    update = then(moment, Played(NOON + SECOND, moment.room.rules.moves(moment.room.state)[0])).update
    assert isinstance(update, Moved)
    assert update.clock == TimeLeft(19 * SECOND, 3)


def test_after_the_end_nobody_is_to_move() -> None:
    """Whatever ended the game, the scene offers no turn to anybody; everything else stays on the board."""
    moment = table(plies=3)
    ended = then(moment, Ended(NOON, Result(None, "agreed"), 0))
    assert ended.scene.to_move is None
    assert (ended.scene.pieces, ended.scene.marks) == (moment.scene.pieces, moment.scene.marks)


@GAME
def test_a_whole_room_says_everything(key: str) -> None:
    """Board, terms, chairs, moves, clocks, own seat and how many watch."""
    moment = then(then(table(key, FISCHER, plies=3), Offered(NOON, 0, "draw")), Gone(NOON, 1))
    room, shown = moment.room, whole(moment, BEN, at=NOON + SECOND)
    assert (shown.room, shown.seq, shown.status, shown.seat, shown.watchers) == ("room", room.seq, "playing", 1, 3)
    assert shown.board == room.rules.board(room.options)
    assert shown.terms == Terms(key, room.options, FISCHER)
    assert shown.chairs == (Chair(Player("Ada", 1600), True), Chair(Player("Ben", bot=True), False))
    assert (shown.moves, shown.offers, shown.result) == (room.texts, ("0:draw",), None)
    assert shown.clocks[room.movers[-1]] == room.times.left[room.movers[-1]]
    assert room.to_move is not None
    assert shown.clocks[room.to_move] == TimeLeft(59 * SECOND)
    assert whole(moment).seat is None
    assert shown.terms.options is not room.options


# -- choices


def turns(step: Step, made: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], bool]]:
    """The ends of a tree: the picks that lead there, and whether the turn is complete with them."""
    for pick in step.picks:
        place = pick if isinstance(pick, int) else pick.place
        if isinstance(pick, Pick) and pick.then is not None:
            yield from turns(pick.then, (*made, place))
        else:
            yield (*made, place), isinstance(pick, int) or not pick.more


@GAME
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 60))
@settings(RUN, max_examples=8)
def test_only_legal_picks_are_offered(key: str, seed: int, plies: int) -> None:
    """Whatever whole turn a client finds in the choices is accepted, and no turn is missing."""
    room, chance = table(key).room, Random(seed)
    for _ in range(plies):
        after = evolve(room, Played(NOON, random_move(room.rules, room.state, chance)))
        if room.rules.to_move(after.state) is None:
            break
        room = after
    offered = presenter.choices(room, id=5)
    assert over_the_wire(offered) == offered
    assert (offered.room, offered.ply, offered.picks, offered.id) == ("room", len(room.moves), (), 5)
    found = list(turns(offered.step))
    sample = found if len(found) < 50 else chance.sample(found, 50)
    assert room.to_move is not None
    for picks, complete in sample:
        if complete:
            command = Play(id=1, room="room", ply=offered.ply, picks=picks)
            assert isinstance(decide(room, PLAYERS[room.to_move].player, command, NOON)[0], Played)
        else:
            explored = presenter.choices(room, picks, id=6)
            assert explored.picks == picks
            assert explored.step.picks
    if all(complete for _, complete in found):
        assert {room.rules.canonical(picks) for picks, _ in found} == set(room.rules.moves(room.state))


@GAME
def test_exploring_goes_on_where_the_picks_end(key: str) -> None:
    """After some picks exactly the picks that follow them are offered, with prompts that exist."""
    room = table(key, plies=3).room
    for move in room.rules.moves(room.state)[:10]:
        for made in range(len(move)):
            explored = presenter.choices(room, move[:made])
            places = [pick if isinstance(pick, int) else pick.place for pick in explored.step.picks]
            assert places == list(room.rules.steps(room.state, move[:made]))
            assert explored.picks == move[:made]
            assert explored.prompts[explored.step.prompt] == room.rules.half_turn(room.state, move[:made]).prompt
