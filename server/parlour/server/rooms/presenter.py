"""From a room to what clients see of it. Pure: the same room gives the same messages on every node."""

from __future__ import annotations

from typing import Any

from parlour import games
from parlour.games.choices import choices as choice_tree
from parlour.protocol.messages import Choices, Happened, Moved
from parlour.protocol.messages import Room as WholeRoom
from parlour.protocol.mirror import Update
from parlour.protocol.scene import Scene, SceneDiff, diff, scene_hash
from parlour.protocol.tables import Chair, Player, Terms, TimeLeft
from parlour.server.rooms import clock as clocks
from parlour.server.rooms.core import Chair as Seat
from parlour.server.rooms.core import Room
from parlour.server.rooms.events import (
    AnyEvent,
    Back,
    Chose,
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

# Numbers of one room mean something only within an epoch. A log that never loses an entry needs one.
EPOCH = 1


def scene(room: Room) -> Scene:
    """What is on the board, with the marks of the last turn."""
    game = games.find(room.game)
    if room.before is None:
        shown = game.scene(room.state)
    else:
        shown = game.scene_after(room.before, room.plies.newest.move, room.state)
    if room.status == "over" and shown.to_move is not None:
        return Scene(shown.pieces, shown.tallies, None, shown.marks, shown.note)
    return shown


def update(old: Scene, room: Room, event: AnyEvent) -> tuple[Update, Scene]:
    """The message that tells of an event which has just made the room what it is, and the scene after it."""
    if type(event) is Played:
        plies = room.plies
        made = plies.items[plies.length - 1]
        new = games.find(room.game).scene_after(room.before, made.move, room.state)
        left = room.times.left[made.seat]
        clock = None if room.clock.kind == "none" else left if left.count else left.main
        return Moved(room.id, EPOCH, room.seq, scene_hash(new), made.text, clock, diff(old, new)), new
    new = scene(room) if isinstance(event, TakenBack | Ended | Started) else old
    change = None if new == old else diff(old, new)
    return _happened(room, event, scene_hash(new), change), new


def _happened(room: Room, event: AnyEvent, hash: int, change: SceneDiff | None) -> Happened:
    def say(what: str, **facts: Any) -> Happened:
        return Happened(room=room.id, epoch=EPOCH, seq=room.seq, hash=hash, what=what, change=change, **facts)

    match event:
        case Seated():
            return say("seated", seat=event.seat, chairs=chairs(room), status=room.status)
        case Started():
            return say("started", clocks=times(room, event.at), status=room.status)
        case Chose():
            return say("swapped" if event.swap else "chose", chairs=chairs(room))
        case Offered():
            return say("offered", seat=event.seat, offer=event.what)
        case Declined():
            return say("withdrawn" if event.own else "declined", seat=event.seat, offer=event.what)
        case TakenBack():
            return say("taken_back", seat=event.seat, plies=event.plies, clocks=times(room, event.at))
        case Gone():
            return say("gone", seat=event.seat, chairs=chairs(room))
        case Back():
            return say("back", seat=event.seat, chairs=chairs(room))
        case Ended():
            clocks_now = times(room, event.at)
            return say("ended", seat=event.seat, result=event.result, clocks=clocks_now, status=room.status)
        case Rematch():
            return say("rematch", seat=event.seat, next=event.next)
        case Excused():
            return say("excused", clocks=times(room, event.at))
        case _:
            raise ValueError(f"nobody is told of {type(event).__name__}")


def chairs(room: Room) -> tuple[Chair, ...]:
    """Who sits where, as everybody may know it."""
    return tuple(Chair() if chair is None else Chair(player(chair), chair.gone_since is None) for chair in room.chairs)


def player(chair: Seat) -> Player:
    """Who sits there, as everybody may know it."""
    return Player(chair.name, chair.rating, chair.sure, chair.bot, chair.guest)


def times(room: Room, now: int) -> tuple[TimeLeft, ...]:
    """The clocks at this moment; none without a time limit."""
    if room.clock.kind == "none":
        return ()
    return tuple(clocks.left_at(room.clock, room.times, seat, now) for seat in (0, 1))


def whole(room: Room, shown: Scene, seat: int | None, watchers: int, now: int, id: int | None) -> WholeRoom:
    """The room for somebody who comes in, or has to begin anew."""
    return WholeRoom(
        room=room.id,
        epoch=EPOCH,
        seq=room.seq,
        hash=scene_hash(shown),
        board=room.rules.board(room.options),
        scene=shown,
        terms=Terms(room.game, dict(room.options), room.clock, room.rated),
        chairs=chairs(room),
        status=room.status,
        moves=room.texts,
        id=id,
        seat=seat,
        clocks=times(room, now),
        offers=tuple(f"{seat}:{what}" for seat, what in room.offers),
        result=room.result,
        watchers=watchers,
        next=room.next,
        chooser=room.chooser if room.status == "choosing" else None,
        lasted=max(0, now - room.times.since) if room.times.running is not None else 0,
    )


def choices(room: Room, picks: tuple[int, ...] = (), id: int | None = None) -> Choices:
    """What the seat to move may pick after `picks`, which must be picks that the rules offer."""
    step, prompts = choice_tree(games.find(room.game), room.state, picks)
    return Choices(room=room.id, ply=room.plies.length, step=step, prompts=prompts, id=id, picks=picks)
