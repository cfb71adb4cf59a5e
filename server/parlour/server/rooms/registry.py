"""The rooms that are open on this node. Any node can open any room; the log keeps them consistent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from time import monotonic
from typing import Protocol

import msgspec

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Result
from parlour.server.rooms import view
from parlour.server.rooms.commands import ABORTED, deadline, is_closed
from parlour.server.rooms.context import RoomContext, RoomMessage
from parlour.server.rooms.events import Created, Ended, decode, encode
from parlour.server.rooms.outline import AnyRoom, Outline, outline
from parlour.server.rooms.room import Room
from parlour.server.rooms.state import RoomState, evolve, initial_state, unpack
from parlour.server.rooms.subscribers import Moment
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.pubsub import PubSub
from parlour.server.store.room_log import Appended, RoomLog, Stored
from parlour.server.store.tournaments import tournament_of

logger = logging.getLogger(__name__)

decode_message = msgspec.msgpack.Decoder(RoomMessage).decode

CLOSE_AFTER = 60.0  # seconds without subscribers until a room is closed


class RoomArchive(Protocol):
    """The records of rooms whose log is gone."""

    @property
    def unavailable(self) -> type[StoreUnavailable]: ...  # what `find` raises if the archive cannot be used
    async def find(self, room: str) -> bytes | None: ...
    async def contains(self, room: str) -> bool: ...  # False if the archive cannot be used


class RoomRegistry:
    """Opens rooms when they are needed, and closes them when they have no subscribers."""

    def __init__(
        self,
        room_log: RoomLog,
        pubsub: PubSub,
        context: RoomContext,
        archive: RoomArchive,
        restore: Callable[[str, bytes], Awaitable[AnyRoom]],
        room_type: type[Room] = Room,
    ) -> None:
        """`restore` returns the room with this id from its archived record, or its outline."""
        self.rooms: dict[str, Room] = {}
        self._room_log = room_log
        self._pubsub = pubsub
        self._keys = room_log.keys
        self._context = context
        self._archive = archive
        self._restore = restore
        self._room_type = room_type
        # Called for a room that does not exist: creates it and returns it if a tournament awaits it, else returns None.
        self.create_awaited: Callable[[str], Awaitable[AnyRoom | None]] = _none_awaited
        self._opening: dict[str, asyncio.Task[Room]] = {}
        self._creating: dict[str, asyncio.Event] = {}
        self._folding = asyncio.Lock()

    async def open(self, id: str) -> Room:
        """Return the room with this id, the same one to all callers.

        Raise Refusal if there is none, or if this node does not support the rules of its game.
        """
        if id in self.rooms:
            room = self.rooms[id]
            room.subscribers.stay_open()  # until the caller has subscribed
            return room
        if id not in self._opening:
            self._opening[id] = asyncio.create_task(self._open(id))
        return await asyncio.shield(self._opening[id])

    async def while_creating(self, id: str, work: Awaitable[None]) -> None:
        """Await work that creates a room; until it is done, callers of `open` wait for it."""
        created_event = self._creating[id] = asyncio.Event()
        try:
            await work
        finally:
            created_event.set()
            if self._creating.get(id) is created_event:
                del self._creating[id]

    async def _open(self, id: str) -> Room:
        try:
            if id in self._creating:
                await self._creating[id].wait()
            state, now = await self.find(id) or await self.create_awaited(id), self._context.now()
            if state is None:
                raise Refusal(ErrorCode.ROOM_UNKNOWN, f"There is no room “{id}”.")
            if isinstance(state, Outline):
                if not state.is_over:
                    self._context.schedule_check(id, now)  # by a node that supports its rules, if there is one
                raise state.refusal()
            room = self.rooms[id] = self._room_type(state, self._context, partial(self.load, id))
            if state.delay and state.status != "over":
                entries = (await self._room_log.tail(id, 0))[: state.seq]
                room.subscribers.delay(*_past(id, entries, now - state.delay))
            # Once the channel is subscribed, the room reads the log again, so nothing is missed in between.
            self._pubsub.subscribe(self._keys.room_events(id), room.receive_published, room.catch_up)
            self._pubsub.subscribe(
                self._keys.room_messages(id), lambda message: room.receive(decode_message(message)), lambda: None
            )
            if state.next is not None and not is_closed(state, now):
                self._context.start_rematch(state)  # the node that had to do so may have died
            room.check_deadlines()
            return room
        finally:
            del self._opening[id]

    async def load(self, id: str) -> RoomState | None:
        """Return the room like `find`. Raise Refusal if this node does not support the rules of its game."""
        found = await self.find(id)
        if isinstance(found, Outline):
            raise found.refusal()
        return found

    async def find(self, id: str) -> AnyRoom | None:
        """Return the room as it is stored now, from its log or, if it was archived, from its record.

        Return its outline if this node does not support the rules of its game.
        """
        if tournament_of(id) is not None:
            return None
        stored = await self._room_log.load(id)
        if stored is None:
            # A log is deleted only when its record is in the archive, so a room cannot be missed in between.
            record = await self._archive.find(id)
            return None if record is None else await self._restore(id, record)
        try:
            async with self._folding:  # of many rooms that were read together, one per loop iteration
                return await self._fold(id, stored)
        except Refusal as refusal:
            if refusal.code is not ErrorCode.RULES_UNSUPPORTED:
                raise
            return outline(id, [decode(entry) for _, entry in await self._room_log.tail(id, 0)])

    async def find_live(self, id: str) -> AnyRoom | None:
        """Return the room like `find`; None also if only the archive may know it and cannot be used now.

        For callers who look for a room that is running, or may not exist yet.
        """
        try:
            return await self.find(id)
        except self._archive.unavailable:
            return None

    async def _fold(self, id: str, stored: Stored) -> RoomState | None:
        state, entries = None, stored.entries
        if stored.snapshot is not None:
            try:
                state = unpack(stored.snapshot[1])
            except msgspec.MsgspecError:  # written by another version of the server
                logger.warning("unreadable snapshot; replaying the full log", extra={"room": id})
                entries = tuple(await self._room_log.tail(id, 0))
        for _, entry in entries:
            event = decode(entry)
            if state is None:
                assert isinstance(event, Created)
                state = initial_state(id, event)
            else:
                state = evolve(state, event)
        return state

    async def create(self, id: str, event: Created) -> RoomState | None:
        """Create a room with its first event; return None if the id is taken.

        The log's own check does not know rooms that were archived some time ago. While the archive cannot be used,
        their ids are not known either: games can still begin, and the odds of drawing one of a million used ids are
        one in 34,000. `Archive.finish` keeps the log of such a game.
        """
        if await self._archive.contains(id):
            return None
        state = initial_state(id, event)
        outcome = await self._room_log.create(id, [encode(event)], deadline=deadline(state))
        if outcome is Appended.UNKNOWN:
            raise StoreUnavailable("the store did not confirm a new room")
        if outcome is not Appended.OK:
            return None
        self._context.metrics.games_started[state.game] += 1
        return state

    async def abort(self, room: Outline, now: int) -> bool:
        """Abort a game that no node can continue. Return False if its log has changed, or may have."""
        aborted = Ended(now, Result(None, ABORTED))
        outcome: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
        self._room_log.append(room.id, room.seq + 1, [encode(aborted)], outcome.set_result)
        if await outcome is not Appended.OK:
            return False
        self._context.metrics.games_ended[room.game, ABORTED] += 1
        return True

    def check_deadlines(self) -> None:
        """Check every open room for what has become due."""
        for room in list(self.rooms.values()):
            room.check_deadlines()

    def close_idle(self) -> None:
        """Close rooms that have had no subscribers for a while. Call this periodically."""
        now = monotonic()
        for id, room in list(self.rooms.items()):
            idle_since = room.subscribers.idle_since
            if idle_since is not None and now - idle_since > CLOSE_AFTER and room.is_idle:
                self._close(id)

    def close(self) -> None:
        """Close all rooms."""
        for id in list(self.rooms):
            self._close(id)

    def _close(self, id: str) -> None:
        self.rooms.pop(id).close()
        self._pubsub.unsubscribe(self._keys.room_events(id))
        self._pubsub.unsubscribe(self._keys.room_messages(id))


async def _none_awaited(id: str) -> None:
    """Return that no tournament awaits a room."""


def _past(id: str, entries: Sequence[tuple[int, bytes]], now: int) -> tuple[Moment, list[Moment]]:
    """Return the room as it was at a time, or at its beginning, and what has happened since."""
    shown: Moment | None = None
    since: list[Moment] = []
    for _, entry in entries:
        event = decode(entry)
        before = since[-1] if since else shown
        if before is None:
            assert isinstance(event, Created)
            state = initial_state(id, event)
            shown = Moment(event.at, state, view.scene(state))
            continue
        state = evolve(before.state, event)
        update, scene = view.update(before.scene, state, event)
        moment = Moment(event.at, state, scene, update)
        if event.at <= now:
            shown = moment
        else:
            since.append(moment)
    assert shown is not None
    return shown, since
