"""Room messages, as clients receive them. Pure: the same room yields the same messages on every node."""

from __future__ import annotations

from typing import Any, cast

from msgspec import Raw

from parlour import games
from parlour.games import refusals
from parlour.games.api import Game, Move
from parlour.games.choices import choices as choice_tree
from parlour.games.voice import tell
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Choices, Moved, RoomEvent, YourGame
from parlour.protocol.messages import Room as WholeRoom
from parlour.protocol.replica import Update
from parlour.protocol.scene import Scene, SceneDiff, diff, scene_hash
from parlour.protocol.types import SeatedPlayer, Step, Terms, TimeLeft
from parlour.server.rooms import clock as clocks
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
    Played,
    Reconnected,
    Rematch,
    Started,
    TakenBack,
)  # fmt: skip
from parlour.server.rooms.state import RoomState

# A room's sequence numbers are comparable within an epoch. A log that never loses an entry needs only one.
EPOCH = 1


def scene(room: RoomState) -> Scene:
    """Return what is on the board, with the last move marked."""
    game = games.find(room.game)
    if room.previous_state is None:
        shown = game.scene(room.state)
    else:
        shown = game.scene_after(room.previous_state, room.plies.newest.move, room.state)
    if room.status == "over" and shown.to_move is not None:
        return Scene(shown.pieces, shown.tallies, None, shown.marks, shown.note)
    return shown


def described(
    room: RoomState, shown: Scene, reader: int | None, ply: int, picks: tuple[int, ...] | None
) -> tuple[str, SceneDiff | None]:
    """Return the last move in words, or a turn that could be played, as the reader in that seat should read it.

    For a turn that could be played, the change to the board is included. Raise Refusal if the room has moved on, or if
    there is no such move.
    """
    if ply != room.ply:
        raise Refusal(ErrorCode.STALE_PLY, "The game has moved on since.")
    game = games.find(room.game)
    before: Any
    change: SceneDiff | None = None
    if picks is not None:
        before, move = room.state, _checked(game, room.state, picks)
        after = game.apply(before, move)
        change = diff(shown, game.scene_after(before, move, after))
    elif room.previous_state is None:
        raise Refusal(ErrorCode.STALE_PLY, "No move has been played yet.")
    else:
        before, move, after = room.previous_state, room.plies.newest.move, room.state
    names = tuple(player.player.name for player in room.players)
    return tell(game, before, move, after, own=game.to_move(before) == reader, names=names), change


def _checked(game: Game[Any], state: Any, picks: tuple[int, ...]) -> Move:
    """Return the move that picks stand for. Raise Refusal with the game's own reason, if it has one."""
    try:
        return game.check(state, picks)
    except Refusal as refusal:
        if why := refusals.reason(game, state, picks):
            raise Refusal(refusal.code, why) from None
        raise


def update(old: Scene, room: RoomState, event: AnyEvent) -> tuple[Update, Scene]:
    """Return the message for the event that has just led to this room, and the scene after it."""
    if type(event) is Played:
        plies = room.plies
        made = plies.items[plies.length - 1]
        new = games.find(room.game).scene_after(room.previous_state, made.move, room.state)
        left = room.times.left[made.seat]
        clock = None if room.clock.kind == "none" else left if left.count else left.main
        return Moved(room.id, EPOCH, room.seq, scene_hash(new), made.text, clock, diff(old, new)), new
    new = scene(room) if isinstance(event, TakenBack | Ended | Started) else old
    change = None if new == old else diff(old, new)
    return _event(room, event, scene_hash(new), change), new


def _event(room: RoomState, event: AnyEvent, hash: int, change: SceneDiff | None) -> RoomEvent:
    def room_event(kind: str, **fields: Any) -> RoomEvent:
        return RoomEvent(room=room.id, epoch=EPOCH, seq=room.seq, hash=hash, kind=kind, change=change, **fields)

    match event:
        case Started():
            return room_event("started", clocks=times(room, event.at), status=room.status)
        case Chose():
            return room_event("swapped" if event.swap else "chose", players=players(room))
        case Offered():
            return room_event("offered", seat=event.seat, offer=event.what)
        case Declined():
            return room_event("withdrawn" if event.own else "declined", seat=event.seat, offer=event.what)
        case TakenBack():
            return room_event("taken_back", seat=event.seat, plies=event.plies, clocks=times(room, event.at))
        case Disconnected():
            return room_event("disconnected", seat=event.seat, players=players(room))
        case Reconnected():
            return room_event("reconnected", seat=event.seat, players=players(room))
        case Ended():
            clocks_now = times(room, event.at)
            return room_event("ended", seat=event.seat, result=event.result, clocks=clocks_now, status=room.status)
        case Rematch():
            return room_event("rematch", seat=event.seat, next=event.next)
        case Berserked():
            return room_event("berserk", seat=event.seat, clocks=times(room, event.at))
        case Excused():
            return room_event("excused", clocks=times(room, event.at))
        case Closed():
            return room_event("closed")
        case _:
            raise ValueError(f"{type(event).__name__} is not sent to clients")


def your_game(room: RoomState, seat: int) -> YourGame:
    """Return what the player in a seat is told about a game whose room the player is not in."""
    opponent = room.players[1 - seat].player
    return YourGame(room=room.id, game=room.game, opponent=opponent, ply=room.ply, to_move=room.to_move)


def players(room: RoomState) -> tuple[SeatedPlayer, ...]:
    """Return the players by seat."""
    return tuple(
        SeatedPlayer(participant.player, since is None)
        for participant, since in zip(room.players, room.offline_since, strict=True)
    )


def times(room: RoomState, now: int) -> tuple[TimeLeft, ...]:
    """Return the clocks at this time, by seat; none without a time limit."""
    if room.clock.kind == "none":
        return ()
    return tuple(clocks.left_at(room.clock, room.times, seat, now) for seat in (0, 1))


def snapshot(room: RoomState, shown: Scene, seat: int | None, spectators: int, now: int, id: int | None) -> WholeRoom:
    """Return the whole room, for a subscriber that joins or has missed too much."""
    return WholeRoom(
        room=room.id,
        epoch=EPOCH,
        seq=room.seq,
        hash=scene_hash(shown),
        board=room.rules.board(room.options),
        scene=shown,
        terms=Terms(room.game, dict(room.options), room.clock, room.rated),
        players=players(room),
        status=room.status,
        moves=room.texts,
        id=id,
        seat=seat,
        clocks=times(room, now),
        offers=tuple(f"{seat}:{what}" for seat, what in room.offers),
        result=room.result,
        spectators=spectators,
        next=room.next,
        chooser=room.chooser if room.status == "choosing" else None,
        unrated=room.unrated,
        tournament=room.tournament or None,
        berserk=room.berserk or (),
        turn_elapsed=max(0, now - room.times.since) if room.times.running is not None else 0,
    )


def choices(room: RoomState, picks: tuple[int, ...] = (), id: int | None = None) -> Choices:
    """Return what the seat to move may pick after `picks`, which must be legal. The message is for `MSGPACK`."""
    game = games.find(room.game)
    tree = None if picks else game.tree(room.state)
    if tree is not None:
        encoded = cast("Step", Raw(tree.step))
        return Choices(room=room.id, ply=room.plies.length, step=encoded, prompts=tree.prompts, id=id)
    step, prompts = choice_tree(game, room.state, picks)
    return Choices(room=room.id, ply=room.plies.length, step=step, prompts=prompts, id=id, picks=picks)
