"""The rooms that are open on this node. Any node can open any room; the log keeps them in step."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Sequence
from functools import partial, reduce

import msgspec

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Rated, Said
from parlour.server.records.keeping import room_of
from parlour.server.records.keeping import unpack as kept
from parlour.server.rooms import presenter
from parlour.server.rooms.audience import View
from parlour.server.rooms.core import Room, created, evolve, unpack
from parlour.server.rooms.decide import deadline, is_closed
from parlour.server.rooms.events import AnyEvent, Created
from parlour.server.rooms.journal import decode, encode
from parlour.server.rooms.live import LiveRoom
from parlour.server.rooms.surroundings import Here, RollCall, Surroundings
from parlour.server.store import keys
from parlour.server.store.bus import Bus
from parlour.server.store.log import Appended, RoomLog

log = logging.getLogger(__name__)

decode_talk = msgspec.msgpack.Decoder(Said | Rated | RollCall | Here).decode

CLOSE_AFTER = 60.0  # seconds that a room nobody follows stays open


class House:
    """Opens rooms when somebody comes, and lets go of them when nobody is left."""

    def __init__(self, room_log: RoomLog, bus: Bus, surroundings: Surroundings) -> None:
        self.rooms: dict[str, LiveRoom] = {}
        self._log = room_log
        self._bus = bus
        self._surroundings = surroundings
        self._opening: dict[str, asyncio.Task[LiveRoom]] = {}
        self._making: dict[str, asyncio.Event] = {}

    async def open(self, id: str) -> LiveRoom:
        """The room of that name; refuses when there is none. Two who ask at once get the same one."""
        if id in self.rooms:
            return self.rooms[id]
        if id not in self._opening:
            self._opening[id] = asyncio.create_task(self._open(id))
        return await asyncio.shield(self._opening[id])

    async def making(self, id: str, work: Awaitable[None]) -> None:
        """Have a room made; whoever has heard of it already and opens it has to wait so long."""
        made = self._making[id] = asyncio.Event()
        try:
            await work
        finally:
            made.set()
            if self._making.get(id) is made:
                del self._making[id]

    async def _open(self, id: str) -> LiveRoom:
        try:
            if id in self._making:
                await self._making[id].wait()
            room = await self.load(id)
            if room is None:
                raise Refusal(ErrorCode.ROOM_UNKNOWN, f"There is no room “{id}”.")
            live = self.rooms[id] = LiveRoom(room, self._surroundings, partial(self.load, id))
            live.audience.idle_since = asyncio.get_running_loop().time()
            if room.delay and room.status != "over":
                entries = (await self._log.tail(id, 0))[: room.seq]
                live.audience.keep_behind(*_past(id, entries, self._surroundings.now() - room.delay))
            # Once the channel is followed the room reads on in the log, so nothing is missed in between.
            self._bus.follow(keys.updates(id), live.overheard, live.catch_up)
            self._bus.follow(keys.talk(id), lambda message: live.hear(decode_talk(message)), lambda: None)
            if room.next is not None and not is_closed(room, self._surroundings.now()):
                self._surroundings.rematch(room)  # whoever had to make it may have died before
            live.look()
            return live
        finally:
            del self._opening[id]

    async def load(self, id: str) -> Room | None:
        """The room as its log has it now, or as its record has it if the game was put away."""
        stored = await self._log.load(id)
        if stored is None:
            return None
        if stored.record is not None:
            return room_of(kept(stored.record))
        room, entries = None, stored.entries
        if stored.snapshot is not None:
            try:
                room = unpack(stored.snapshot[1])
            except msgspec.MsgspecError:  # of another version of this program; the log is the same in all of them
                log.warning("a snapshot cannot be read: the whole log is", extra={"room": id})
                entries = tuple(await self._log.tail(id, 0))
        for _, entry in entries:
            event = decode(entry)
            if room is None:
                assert isinstance(event, Created)
                room = created(id, event)
            else:
                room = evolve(room, event)
        return room

    async def create(self, id: str, events: Sequence[AnyEvent]) -> Room | None:
        """Begin a log with these events; the room, or None when there is one of that name already."""
        first, *rest = events
        assert isinstance(first, Created)
        room = reduce(evolve, rest, created(id, first))
        done: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
        self._log.create(id, [encode(event) for event in events], done.set_result, deadline=deadline(room))
        match await done:
            case Appended.OK:
                return room
            case Appended.CONFLICT:
                return None
            case _:
                raise Refusal(ErrorCode.TRY_AGAIN, "The store does not answer. Send the same command again.")

    def look(self) -> None:
        """See in every room what has become of it meanwhile."""
        for room in list(self.rooms.values()):
            room.look()

    def tidy(self) -> None:
        """Let go of rooms that nobody has followed for a while. Call this now and then."""
        now = asyncio.get_running_loop().time()
        for id, room in list(self.rooms.items()):
            idle_since = room.audience.idle_since
            if idle_since is not None and now - idle_since > CLOSE_AFTER and room.is_quiet:
                self._close(id)

    def close(self) -> None:
        for id in list(self.rooms):
            self._close(id)

    def _close(self, id: str) -> None:
        self.rooms.pop(id).close()
        self._bus.unfollow(keys.updates(id))
        self._bus.unfollow(keys.talk(id))


def _past(id: str, entries: Sequence[tuple[int, bytes]], now: int) -> tuple[View, list[View]]:
    """The room as it was at a time, or as it began, and what has become of it since."""
    shown: View | None = None
    since: list[View] = []
    for _, entry in entries:
        event = decode(entry)
        before = since[-1] if since else shown
        if before is None:
            assert isinstance(event, Created)
            room = created(id, event)
            shown = View(event.at, room, presenter.scene(room))
            continue
        room = evolve(before.room, event)
        update, scene = presenter.update(before.scene, room, event)
        view = View(event.at, room, scene, update)
        if event.at <= now:
            shown = view
        else:
            since.append(view)
    assert shown is not None
    return shown, since
