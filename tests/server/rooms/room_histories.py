"""Histories of rooms, moment by moment: written by hand, or whatever two players may do."""

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
from parlour.protocol.replica import ApplyResult, RoomReplica, Update
from parlour.protocol.scene import Scene
from parlour.protocol.types import Clock, OptionValue, Player, Result, Terms
from parlour.server.rooms import view
from parlour.server.rooms.commands import Events, decide, disconnect, expire, reconnect
from parlour.server.rooms.events import (
    AnyEvent,
    Berserked,
    Chose,
    Closed,
    Declined,
    Disconnected,
    Ended,
    Excused,
    Offered,
    Participant,
    Played,
    Reconnected,
    Rematch,
    Started,
    TakenBack,
)  # fmt: skip
from parlour.server.rooms.setup import complete_options, create
from parlour.server.rooms.state import RoomState, evolve, initial_state
from tests.server.rooms.sample_rooms import CUSTOM_BOARD, FISCHER, GAMES, NOON, SECOND

ADA, BEN = Participant("id-of-ada", Player("Ada", 1600)), Participant("id-of-ben", Player("Ben", bot=True))
PLAYERS = (ADA, BEN)

DELAY = Clock("delay", main=60 * SECOND, step=5 * SECOND)
CLOCKS = (
    Clock(), FISCHER, DELAY, Clock("move", main=30 * SECOND), Clock("bronstein", main=60 * SECOND, step=5 * SECOND),
    Clock("byoyomi", main=20 * SECOND, step=10 * SECOND, count=3), Clock("days", main=24 * 3600 * SECOND),
    Clock("canadian", main=20 * SECOND, step=30 * SECOND, count=3),
)  # fmt: skip


class Moment(NamedTuple):
    """A room, its scene, and the message that led there."""

    at: int
    room: RoomState
    scene: Scene
    update: Update | None  # None: the room has just been created


def over_the_wire(message: Any) -> Any:
    """Return a message as a client receives it."""
    return MSGPACK.decode_server(MSGPACK.encode(message))


def first_moment(key: str, clock: Clock, options: dict[str, OptionValue] | None = None, host: int | None = 0) -> Moment:
    """Return a new room; the player in the first seat is the host."""
    terms = Terms(key, options or {}, clock)
    event = create(terms, complete_options(terms, None, Random(1)), None, PLAYERS, NOON, host=host)
    room = initial_state("room", event)
    return Moment(NOON, room, view.scene(room), None)


def then(moment: Moment, event: AnyEvent) -> Moment:
    """Return the moment after an event."""
    room = evolve(moment.room, event)
    update, scene = view.update(moment.scene, room, event)
    return Moment(event.at, room, scene, update)


def after_moves(key: str = "replica", clock: Clock = FISCHER, plies: int = 0) -> Moment:
    """Return a room in which Ada and Ben have made some moves, each the first legal one."""
    moment = first_moment(key, clock)
    for _ in range(plies):
        moment = then(moment, Played(NOON, moment.room.rules.moves(moment.room.state)[0]))
    return moment


def snapshot(moment: Moment, player: Participant | None = None, at: int | None = None) -> WholeRoom:
    """Return the whole room as a player, or a spectator, receives it."""
    seat = None if player is None else moment.room.seat_of(player.id)
    return view.snapshot(moment.room, moment.scene, seat, 3, moment.at if at is None else at, None)


# -- histories: whatever two players do, at whatever pace

ACTS = (
    *["play"] * 12, *["offer"] * 8, *["yes"] * 6, *["no"] * 4, *["disconnected", "reconnected"] * 3,
    *["choose"] * 2, "expire", "claim", "resign", "abort",
)  # fmt: skip
PAUSE = st.integers(0, 12 * SECOND) | st.sampled_from([0, 0, 61 * SECOND])
ACT = st.tuples(st.sampled_from(ACTS), st.integers(0, 1), PAUSE)
Acts = list[tuple[str, int, int]]


def decided(room: RoomState, act: str, seat: int, now: int, chance: Random) -> Events:
    """Return the events of an act by the player in that seat, or by the only player that can do it."""
    player, id = room.players[seat], now % 10_000
    what = chance.choice(["draw", *["takeback"] * 4]) if room.status == "playing" else "rematch"
    if act == "play" and room.offers and chance.random() < 0.5:
        act = "yes"
    if room.offers and act in ("yes", "no"):
        asker, what = chance.choice(room.offers)
        player = room.players[1 - asker] if act == "yes" else player
    if room.chooser is not None and act == "choose":
        player = room.players[room.chooser]
    command: Command
    match act:
        case "disconnected" | "reconnected":
            return (disconnect if act == "disconnected" else reconnect)(room, seat, now)
        case "expire":
            return expire(room, now + 30 * SECOND)
        case "play" if room.to_move is not None:
            player, turn = room.players[room.to_move], random_move(room.rules, room.state, chance)
            command = Play(id=id, room="room", ply=len(room.moves), picks=turn)
        case "offer":
            command = Offer(id=id, room="room", kind=what)  # type: ignore[arg-type]  # one of three
        case "yes" | "no":
            command = AnswerOffer(id=id, room="room", kind=what, accept=act == "yes")  # type: ignore[arg-type]
        case "resign":
            command = Resign(id=id, room="room")
        case "abort":
            command = Abort(id=id, room="room")
        case "claim":
            command = Claim(id=id, room="room")
        case _:
            command = ChooseFirst(id=id, room="room", go_first=chance.random() < 0.5)
    return decide(room, player.id, command, now, lag=chance.randrange(800))


def acted(key: str, clock: Clock, begin: str, acts: Acts, seed: int) -> list[Moment]:
    """Return every moment of a room in which these acts were tried; refused acts have no effect.

    The history begins with a new game, some moves into one, or with Ada's custom board before or after Ben's choice.
    """
    custom = begin in ("choosing", "chosen")
    key = "mapello" if custom else key
    moments = [first_moment(key, clock, {"board": CUSTOM_BOARD} if custom else None)]
    now, chance = NOON, Random(seed)
    before: Acts = [("choose", 1, 0)] if begin == "chosen" else []
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
    return moments[max(0, begun - 10) :]  # the last moments of a long beginning are enough


HISTORIES = st.builds(
    acted,
    key=st.sampled_from(GAMES),
    clock=st.sampled_from(CLOCKS),
    begin=st.sampled_from(["moves", "moves", "moves", "new", "choosing", "chosen"]),
    acts=st.lists(ACT, min_size=25, max_size=45) | st.lists(ACT, max_size=25),
    seed=st.integers(0, 2**32),
)


def followed(
    moments: list[Moment], player: Participant | None = None
) -> Iterator[tuple[RoomReplica, Moment, list[Moment]]]:
    """Yield for each client, joining at any moment, every moment since: its replica, the moment, and all since."""
    for start, first in enumerate(moments):
        replica = RoomReplica(over_the_wire(snapshot(first, player)))
        yield replica, first, [first]
        for end in range(start + 1, len(moments)):
            assert moments[end].update is not None
            result = replica.apply(over_the_wire(moments[end].update))
            assert result is ApplyResult.APPLIED
            yield replica, moments[end], moments[start : end + 1]


# An event of each kind, and what its update says.
ROOM_EVENT_EXAMPLES: dict[str, tuple[AnyEvent, dict[str, object]]] = {
    "offered": (Offered(NOON, 0, "draw"), {"seat": 0, "offer": "draw"}),
    "declined": (Declined(NOON, 1, "draw"), {"seat": 1, "offer": "draw"}),
    "withdrawn": (Declined(NOON, 0, "draw", own=True), {"seat": 0, "offer": "draw"}),
    "taken_back": (TakenBack(NOON, 1, 2), {"seat": 1, "plies": 2}),
    "disconnected": (Disconnected(NOON, 1), {"seat": 1}),
    "reconnected": (Reconnected(NOON, 1), {"seat": 1}),
    "ended": (Ended(NOON, Result(1, "resigned"), 0), {"seat": 0, "result": Result(1, "resigned"), "status": "over"}),
    "rematch": (Rematch(NOON, 0, "def"), {"seat": 0, "next": "def"}),
    "berserk": (Berserked(NOON, 0), {"seat": 0}),
    "excused": (Excused(NOON + 9, NOON, NOON + 5), {"seat": None}),
    "closed": (Closed(NOON), {"seat": None}),
    "started": (Started(NOON), {"status": "playing"}),
    "chose": (Chose(NOON, False), {"status": None}),
    "swapped": (Chose(NOON, True), {"status": None}),
}
