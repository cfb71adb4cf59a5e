"""Joining, resuming and leaving rooms."""

from __future__ import annotations

import logging
from functools import partial

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Cursor, Describe, Explore, Join, Leave, Ok, Sync
from parlour.server.rooms.registry import RoomRegistry
from parlour.server.rooms.room import Room
from parlour.server.sessions.idle_queue import IdleQueue
from parlour.server.sessions.session import Session

logger = logging.getLogger(__name__)


class Subscriptions:
    """The subscriptions of all sessions on this node."""

    def __init__(self, registry: RoomRegistry, spectators_per_room: int) -> None:
        self._registry = registry
        self._spectators_per_room = spectators_per_room
        self._idle_queue = IdleQueue()

    async def join(self, session: Session, command: Join) -> None:
        """Subscribe a session to a room and send it whole."""
        room = await self._registry.open(command.room)
        if self._subscribe(session, room):
            self.run_when_idle(session, room, command)

    async def admit(self, session: Session, room: str) -> Room:
        """Let a session send commands to a room without following it. Raise Refusal."""
        session.rooms[room] = await self._registry.open(room)
        return session.rooms[room]

    async def resume(self, session: Session, cursor: Cursor) -> None:
        """Subscribe a session to a room again and send what it missed. Raise Refusal."""
        room = await self._registry.open(cursor.room)
        if self._subscribe(session, room):
            self._idle_queue.add(partial(self._resume, session, room, cursor))

    def _resume(self, session: Session, room: Room, cursor: Cursor) -> None:
        if session.rooms.get(cursor.room) is room:  # the session has not left meanwhile
            room.resume(session, cursor)
            context = {"room": cursor.room, "player": session.player, "address": session.connection.address}
            logger.debug("resumed", extra=context)

    def leave(self, session: Session, command: Leave) -> None:
        """Unsubscribe a session from a room."""
        room = session.rooms.pop(command.room, None)
        if room is not None:
            room.leave(session)
        session.send(Ok(id=command.id))

    def leave_all(self, session: Session) -> None:
        """Unsubscribe a session whose connection is closed."""
        for room in list(session.rooms.values()):
            room.leave(session)
        session.rooms.clear()

    def run_when_idle(self, session: Session, room: Room, command: Join | Explore | Describe | Sync) -> None:
        """Queue a command that takes a few milliseconds and changes nothing."""
        self._idle_queue.add(partial(self._run, session, room, command))

    def _run(self, session: Session, room: Room, command: Join | Explore | Describe | Sync) -> None:
        if session.rooms.get(command.room) is not room:
            session.refuse(command, Refusal(ErrorCode.NOT_IN_ROOM, "You have left the room."))
        elif isinstance(command, Join):
            room.join(session, command.id)
        else:
            room.command(session, command)

    def _subscribe(self, session: Session, room: Room) -> bool:
        """Return whether the session is subscribed now; it may have closed while the room was opened."""
        if session.is_closed:
            return False
        spectators = room.subscribers.spectators
        is_spectator = room.state.seat_of(session.player) is None and session not in room.subscribers.all
        if is_spectator and spectators >= self._spectators_per_room:
            raise Refusal(ErrorCode.ROOM_FULL, f"The room is full: it has {spectators} spectators.")
        session.rooms[room.state.id] = room
        return True

    async def refuse_unsubscribed(self, session: Session, command: Join) -> None:
        """Refuse a command for a room that the session is not subscribed to, and say why."""
        if not session.player:
            raise Refusal(ErrorCode.HELLO_FIRST, "Wait for welcome.")
        await self._registry.open(command.room)
        raise Refusal(ErrorCode.NOT_IN_ROOM, "Join the room first.")
