"""A room as a value, and how events change it. No clock on the wall, no network, no chance."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, Literal

import msgspec
from msgspec import Struct, field
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
    Excused,
    Gone,
    Offered,
    Played,
    Rematch,
    Seated,
    Started,
    TakenBack,
)  # fmt: skip
from parlour.server.rooms.trail import Trail, trail

Status = Literal["waiting", "choosing", "playing", "over"]

# Moves, and other commands, that a room remembers to answer them again: enough for whatever a client can have under
# way at once.
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
    level: str | None = None  # of the computer, if it plays there
    sure: bool = True  # whether the rating rests on enough games
    guest: bool = False  # has no account


class Done(Struct, frozen=True, array_like=True, gc=False):
    """A command other than a move that stands, and the seq it got."""

    player: str
    id: int
    seq: int


class Ply(Struct, frozen=True, array_like=True, gc=False):
    """A move that was made."""

    move: Move
    text: str  # the same as text
    seat: int  # that made it
    took: int  # milliseconds
    id: int = -1  # of the command
    seq: int = 0  # that it got


class Room(Struct, frozen=True, gc=False):
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
    to_move: int | None = None  # the seat whose move is awaited
    chairs: tuple[Chair | None, ...] = (None, None)
    plies: Trail[Ply] = field(default_factory=trail)
    marks: Trail[bytes] = field(default_factory=trail)  # of every position so far, in games that know repetition
    turn_began: int = 0
    offers: tuple[tuple[int, str], ...] = ()  # open: seat and what
    offered: tuple[tuple[int, str, int], ...] = ()  # made so far: seat, what, at which ply
    result: Result | None = None
    next: str | None = None  # the room of the rematch
    done: tuple[Done, ...] = ()  # the newest commands, but for the moves in `plies`, which have ids of their own
    claim_after: int = CLAIM_AFTER
    private: bool = False  # not shown among the live games
    excused: int = 0  # up to when outages were considered
    ended: int = 0  # when the game was over

    @property
    def rules(self) -> Game[Any]:
        return games.find(self.game)

    @property
    def ply(self) -> int:
        """How many moves were made."""
        return self.plies.length

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(ply.move for ply in self.plies)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(ply.text for ply in self.plies)

    @property
    def movers(self) -> tuple[int, ...]:
        return tuple(ply.seat for ply in self.plies)

    @property
    def used(self) -> tuple[int, ...]:
        return tuple(ply.took for ply in self.plies)

    @property
    def thinking(self) -> str | None:
        """The level of the computer whose move is awaited; None if it is a person's, or nobody's."""
        seat = self.to_move
        chair = None if seat is None else self.chairs[seat]
        return None if chair is None else chair.level

    def seat_of(self, player: str) -> int | None:
        first, second = self.chairs
        if first is not None and first.player == player:
            return 0
        return 1 if second is not None and second.player == player else None

    def pack(self) -> bytes:
        """The room as bytes, for a snapshot."""
        return freeze(replace(self, plies=self.plies.own(), marks=self.marks.own()))

    def answered(self, player: str, id: int) -> int | None:
        """The seq that this command of this player got before; None if it was not carried out, or long ago."""
        seat = self.seat_of(player)
        if seat is None:
            return None
        for ply in self.plies.newest_first(REMEMBERED):
            if ply.id == id and ply.seat == seat:
                return ply.seq
        for done in self.done:
            if done.id == id and done.player == player:
                return done.seq
        return None

    def newest_id(self, player: str) -> int:
        """No command of this player with a higher id was carried out; -1: none at all."""
        seat = self.seat_of(player)
        ids = [ply.id for ply in self.plies if ply.seat == seat]
        return max(ids + [done.id for done in self.done if done.player == player], default=-1)


Step = tuple[AnyEvent, Room]  # what happens, and the room after it


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
        marks=trail(position_mark(state)) if game.info.repetition else trail(),
        claim_after=event.claim_after,
        private=event.private,
    )


def evolve(room: Room, event: AnyEvent) -> Room:
    """The room after an event, which was decided on earlier and is therefore true."""
    if type(event) is Played:
        return _played(room, event)
    changed = _changed(room, event)
    player = getattr(event, "by", "")
    done = _remembered(changed.done, Done(player, getattr(event, "id", -1), room.seq + 1)) if player else changed.done
    return replace(changed, seq=room.seq + 1, done=done)


def steps(room: Room, events: Sequence[AnyEvent]) -> list[Step]:
    """The events, each with the room after it."""
    found = []
    for event in events:
        room = evolve(room, event)
        found.append((event, room))
    return found


def _remembered(done: tuple[Done, ...], newest: Done) -> tuple[Done, ...]:
    return (*done[-REMEMBERED + 1 :], newest)


def _changed(room: Room, event: AnyEvent) -> Room:
    match event:
        case Seated():
            chairs = list(room.chairs)
            chairs[event.seat] = _chair(event)
            full = all(chair is not None for chair in chairs)
            status = "choosing" if full and room.chooser is not None else room.status
            return replace(room, chairs=tuple(chairs), status=status)
        case Chose():
            chairs_now = room.chairs[::-1] if event.swap else room.chairs
            return replace(room, chairs=chairs_now, chooser=None)
        case Started():
            return replace(room, status="playing", turn_began=event.at, to_move=room.rules.to_move(room.state))
        case Offered():
            offers = (*room.offers, (event.seat, event.what))
            return replace(room, offers=offers, offered=(*room.offered, (event.seat, event.what, room.ply)))
        case Declined():
            return replace(room, offers=tuple(offer for offer in room.offers if offer[1] != event.what))
        case TakenBack():
            return _taken_back(room, event)
        case Gone() | Back():
            return _presence(room, event.seat, event.at if isinstance(event, Gone) else None)
        case Ended():
            times, now = _stopped(room, event.at), event.at
            return replace(room, status="over", to_move=None, result=event.result, offers=(), times=times, ended=now)
        case Rematch():
            return replace(room, next=event.next, offers=())
        case Excused():
            return _excused(room, event)
        case Played():
            return _played(room, event)
        case Created():
            raise ValueError("a room is created once")


def _played(room: Room, event: Played) -> Room:
    game, before, move, now = games.find(room.game), room.state, event.move, event.at
    seat = room.to_move
    assert seat is not None
    after = game.apply(before, move)
    next_seat = game.to_move(after)
    plies, marks, times = room.plies, room.marks, room.times
    if times.running is not None:
        times = clocks.press(room.clock, times, now, event.lag, next_seat)
    elif next_seat is not None and plies.length + 1 >= CLOCKS_RUN_FROM:
        times = clocks.run(room.clock, times, next_seat, now)
    took, seq = now - room.turn_began, room.seq + 1
    return replace(
        room,
        seq=seq,
        state=after,
        before=before,
        to_move=next_seat,
        times=times,
        plies=plies.grown(Ply(move, game.write(before, move), seat, took if took > 0 else 0, event.id, seq)),
        marks=marks.grown(position_mark(after)) if marks.length else marks,
        turn_began=now,
        offers=(),
    )


def _taken_back(room: Room, event: TakenBack) -> Room:
    """The position some moves ago. Time that was used stays used; the mover's clock goes on from now."""
    game, plies = room.rules, event.plies
    state = game.initial(room.options) if room.position is None else game.parse(room.position, room.options)
    before = None
    kept = room.plies.cut(plies)
    for ply in kept:
        before, state = state, game.apply(state, ply.move)
    times = clocks.stop(room.clock, room.times, event.at)
    seat = game.to_move(state)
    if seat is not None and plies >= CLOCKS_RUN_FROM:
        times = clocks.run(room.clock, times, seat, event.at)
    return replace(
        room,
        state=state,
        before=before,
        to_move=seat,
        times=times,
        plies=kept,
        marks=room.marks.cut(plies + 1) if room.marks else room.marks,
        turn_began=event.at,
        offers=(),
        offered=tuple(made for made in room.offered if made[2] <= plies),
        done=_with_moves(room, plies),
    )


def _with_moves(room: Room, first: int) -> tuple[Done, ...]:
    """The commands that were carried out, with the moves from `first` on: they will be forgotten, but not their ids."""
    done = room.done
    for ply in room.plies.items[first : room.plies.length]:
        chair = room.chairs[ply.seat]
        if chair is not None and ply.id >= 0:
            done = _remembered(done, Done(chair.player, ply.id, ply.seq))
    return done


def _excused(room: Room, outage: Excused) -> Room:
    """Whatever is counted from some moment on is counted from later, by as much of the outage as came after it."""

    def lost(since: int) -> int:
        return max(0, outage.until - max(outage.since, since))

    chairs = tuple(
        replace(chair, gone_since=chair.gone_since + lost(chair.gone_since))
        if chair is not None and chair.gone_since is not None
        else chair
        for chair in room.chairs
    )
    return replace(
        room,
        times=clocks.excuse(room.times, lost(room.times.since)),
        turn_began=room.turn_began + lost(room.turn_began),
        chairs=chairs,
        excused=outage.until,
    )


def _stopped(room: Room, now: int) -> Times:
    """The clocks standing still, with what is left now."""
    first, second = (clocks.left_at(room.clock, room.times, seat, now) for seat in (0, 1))
    return Times((first, second))


def _chair(event: Seated) -> Chair:
    return Chair(
        event.player,
        event.name,
        event.rating,
        event.bot,
        level=event.level,
        sure=event.sure,
        guest=event.guest,
    )


def _presence(room: Room, seat: int, gone_since: int | None) -> Room:
    chairs = list(room.chairs)
    chair = chairs[seat]
    if chair is not None:
        chairs[seat] = replace(chair, gone_since=gone_since)
    return replace(room, chairs=tuple(chairs))
