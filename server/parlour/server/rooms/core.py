"""A room as a value, and how events change it. No clock on the wall, no network, no chance."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour import games
from parlour.games.api import Game, Move
from parlour.games.frozen import freeze, thaw
from parlour.protocol.tables import Clock, OptionValue, Result
from parlour.server.rooms import clock as clocks
from parlour.server.rooms.clock import Times
from parlour.server.rooms.events import (
    CLAIM_AFTER,
    AnyEvent,
    Back,
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

Status = Literal["waiting", "choosing", "playing", "over"]

# Commands a room remembers, to answer them again: enough for whatever a client can have under way at once.
REMEMBERED = 64

# From this ply on clocks run: the first move of each side is free.
CLOCKS_RUN_FROM = 2


class Chair(Struct, frozen=True):
    """Who sits there."""

    player: str
    name: str
    rating: int | None = None
    bot: bool = False
    gone_since: int | None = None  # without a connection since then


class Done(Struct, frozen=True, array_like=True):
    """A command that was carried out, and the seq it got."""

    player: str
    id: int
    seq: int


class Room(Struct, frozen=True):
    """Everything that is true about a table, folded from its log."""

    id: str
    seq: int  # of the last event
    game: str
    options: dict[str, OptionValue]
    clock: Clock
    rated: bool
    position: str | None
    delay: int
    chooser: int | None
    follows: str | None
    created: int
    state: Any  # the game's own
    before: Any  # the state before the last move; None before the first
    times: Times
    status: Status = "waiting"
    chairs: tuple[Chair | None, ...] = (None, None)
    moves: tuple[Move, ...] = ()
    texts: tuple[str, ...] = ()  # the same as text
    movers: tuple[int, ...] = ()  # the seat that made each
    used: tuple[int, ...] = ()  # milliseconds each took
    marks: tuple[bytes, ...] = ()  # of every position so far, in games that know repetition
    turn_began: int = 0
    offers: tuple[tuple[int, str], ...] = ()  # open: seat and what
    offered: tuple[tuple[int, str, int], ...] = ()  # made so far: seat, what, at which ply
    result: Result | None = None
    next: str | None = None  # the room of the rematch
    done: tuple[Done, ...] = ()
    claim_after: int = CLAIM_AFTER

    @property
    def rules(self) -> Game[Any]:
        return games.find(self.game)

    @property
    def to_move(self) -> int | None:
        """The seat whose move is awaited; None while nobody can move."""
        return self.rules.to_move(self.state) if self.status == "playing" else None

    def seat_of(self, player: str) -> int | None:
        for seat, chair in enumerate(self.chairs):
            if chair is not None and chair.player == player:
                return seat
        return None

    def pack(self) -> bytes:
        """The room as bytes, for a snapshot."""
        return freeze(self)

    def answered(self, player: str, id: int) -> int | None:
        """The seq that this command of this player got before; None if it was not carried out."""
        for done in reversed(self.done):
            if done.id == id and done.player == player:
                return done.seq
        return None


def unpack(data: bytes) -> Room:
    """The room of a snapshot."""
    room = thaw(Room, data)
    game = room.rules
    # The room does not know what a state looks like; the game does.
    kind = type(game.initial(room.options))
    state = msgspec.convert(room.state, kind)
    return replace(room, state=state, before=None if room.before is None else msgspec.convert(room.before, kind))


def position_mark(state: Any) -> bytes:
    """A short name of a position, the same in every process."""
    return blake2b(freeze(state), digest_size=8).digest()


def created(id: str, event: Created) -> Room:
    """The room that its first event makes."""
    game = games.find(event.game)
    state = game.initial(event.options) if event.position is None else game.parse(event.position, event.options)
    return Room(
        id=id,
        seq=1,
        game=event.game,
        options=event.options,
        clock=event.clock,
        rated=event.rated,
        position=event.position,
        delay=event.delay,
        chooser=event.chooser,
        follows=event.follows,
        created=event.at,
        state=state,
        before=None,
        times=clocks.fresh(event.clock),
        marks=(position_mark(state),) if game.info.repetition else (),
        claim_after=event.claim_after,
    )


def evolve(room: Room, event: AnyEvent) -> Room:
    """The room after an event, which was decided on earlier and is therefore true."""
    changed = _changed(room, event)
    player, id = getattr(event, "by", ""), getattr(event, "id", -1)
    done = room.done
    if player:
        done = (*done[-REMEMBERED + 1 :], Done(player, id, room.seq + 1))
    return replace(changed, seq=room.seq + 1, done=done)


def _changed(room: Room, event: AnyEvent) -> Room:
    match event:
        case Played():
            return _played(room, event)
        case Seated():
            chairs = list(room.chairs)
            chairs[event.seat] = Chair(event.player, event.name, event.rating, event.bot)
            full = all(chair is not None for chair in chairs)
            status = "choosing" if full and room.chooser is not None else room.status
            return replace(room, chairs=tuple(chairs), status=status)
        case Chose():
            chairs_now = room.chairs[::-1] if event.swap else room.chairs
            return replace(room, chairs=chairs_now, chooser=None)
        case Started():
            return replace(room, status="playing", turn_began=event.at)
        case Offered():
            ply = len(room.moves)
            offers = (*room.offers, (event.seat, event.what))
            return replace(room, offers=offers, offered=(*room.offered, (event.seat, event.what, ply)))
        case Declined():
            return replace(room, offers=tuple(offer for offer in room.offers if offer[1] != event.what))
        case TakenBack():
            return _taken_back(room, event)
        case Gone() | Back():
            return _presence(room, event.seat, event.at if isinstance(event, Gone) else None)
        case Ended():
            return replace(room, status="over", result=event.result, offers=(), times=_stopped(room, event.at))
        case Rematch():
            return replace(room, next=event.next, offers=())
        case Created():
            raise ValueError("a room is created once")


def _played(room: Room, event: Played) -> Room:
    game = room.rules
    seat = game.to_move(room.state)
    assert seat is not None
    after = game.apply(room.state, event.move)
    times = room.times
    if times.running is not None:
        times = clocks.press(room.clock, times, event.at, event.lag)
    next_seat = game.to_move(after)
    if next_seat is not None and len(room.moves) + 1 >= CLOCKS_RUN_FROM:
        times = clocks.run(room.clock, times, next_seat, event.at)
    return replace(
        room,
        state=after,
        before=room.state,
        times=times,
        moves=(*room.moves, event.move),
        texts=(*room.texts, game.write(room.state, event.move)),
        movers=(*room.movers, seat),
        used=(*room.used, max(0, event.at - room.turn_began)),
        marks=(*room.marks, position_mark(after)) if room.marks else (),
        turn_began=event.at,
        offers=(),
    )


def _taken_back(room: Room, event: TakenBack) -> Room:
    """The position some moves ago. Time that was used stays used; the mover's clock goes on from now."""
    game, plies = room.rules, event.plies
    state = game.initial(room.options) if room.position is None else game.parse(room.position, room.options)
    before = None
    for move in room.moves[:plies]:
        before, state = state, game.apply(state, move)
    times = clocks.stop(room.clock, room.times, event.at)
    seat = game.to_move(state)
    if seat is not None and plies >= CLOCKS_RUN_FROM:
        times = clocks.run(room.clock, times, seat, event.at)
    return replace(
        room,
        state=state,
        before=before,
        times=times,
        moves=room.moves[:plies],
        texts=room.texts[:plies],
        movers=room.movers[:plies],
        used=room.used[:plies],
        marks=room.marks[: plies + 1],
        turn_began=event.at,
        offers=(),
        offered=tuple(made for made in room.offered if made[2] <= plies),
    )


def _stopped(room: Room, now: int) -> Times:
    """The clocks standing still, with what is left now."""
    first, second = (clocks.left_at(room.clock, room.times, seat, now) for seat in (0, 1))
    return Times((first, second))


def _presence(room: Room, seat: int, gone_since: int | None) -> Room:
    chairs = list(room.chairs)
    chair = chairs[seat]
    if chair is not None:
        chairs[seat] = replace(chair, gone_since=gone_since)
    return replace(room, chairs=tuple(chairs))
