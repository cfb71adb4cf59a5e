"""Rooms as they are presented, moment by moment: by hand, and whatever two players do."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st

from parlour.games.perft import random_move
from parlour.protocol.codec import MSGPACK
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import (
    Abort,
    AnswerOffer,
    ChooseFirst,
    Claim,
    Command,
    Offer,
    Play,
    Resign,
)  # fmt: skip
from parlour.protocol.messages import Room as WholeRoom
from parlour.protocol.mirror import Mirror, Update, Verdict
from parlour.protocol.scene import Scene
from parlour.protocol.tables import Clock, OptionValue, Result, Terms
from parlour.server.rooms import presenter
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
from tests.server.rooms.tables import FISCHER, GAMES, NOON, OWN_BOARD, SECOND

ADA, BEN = Guest("id-of-ada", "Ada", 1600), Guest("id-of-ben", "Ben", bot=True)
PLAYERS = (ADA, BEN)

DELAY = Clock("delay", main=60 * SECOND, step=5 * SECOND)
CLOCKS = (
    Clock(), FISCHER, DELAY, Clock("move", main=30 * SECOND), Clock("bronstein", main=60 * SECOND, step=5 * SECOND),
    Clock("byoyomi", main=20 * SECOND, step=10 * SECOND, count=3), Clock("days", main=24 * 3600 * SECOND),
    Clock("canadian", main=20 * SECOND, step=30 * SECOND, count=3),
)  # fmt: skip


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


# An event of each kind of happening, and what its update says.
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
