"""Those who watch: whoever cannot keep up harms nobody else, and whoever is kept behind sees nothing early."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Choices, ClientMessage, Happened, Hello, Join, Moved, Room, ServerMessage, Sync
from parlour.protocol.mirror import Mirror, Verdict
from tests.e2e.conftest import MakeServer
from tests.e2e.paced_table import WITHIN, PacedTable
from tests.e2e.processes import ServerProcess
from tests.e2e.web import numbers
from tests.server.transport.raw_client import BINARY, PING, PONG, RawClient, frame

# Little may wait for one connection, and a room may be talked full.
NARROW = ("--send-buffer-soft", "8k", "--send-buffer-hard", "64k", "--chat-rate", "6000")
PATIENT = ("--ping-interval", "300")  # those who do not read do not answer pings either


class DeafWatcher:
    """A watcher who takes from the socket only when told to. The system keeps little of the rest."""

    def __init__(self, socket: RawClient) -> None:
        self.socket = socket
        self.mirror: Mirror | None = None
        self.wholes = 0  # how often the room came whole
        self.seen: list[ServerMessage] = []

    @classmethod
    @asynccontextmanager
    async def join(cls, server: ServerProcess, room: str) -> AsyncIterator[DeafWatcher]:
        watcher = cls(await RawClient.open(server.port, receive_buffer=4096))
        try:
            await watcher.send(Hello("deaf"))
            while not watcher.seen:
                await watcher.read()
            await watcher.send(Join(id=1, room=room))
            await watcher.sees(0)
            yield watcher
        finally:
            watcher.socket.close()

    async def send(self, message: ClientMessage) -> None:
        await self.socket.send(frame(BINARY, MSGPACK.encode(message)))

    async def read(self) -> None:
        """Take one frame. Nothing may be missing before it."""
        opcode, payload = await self.socket.frame()
        if opcode == PING:
            await self.socket.send(frame(PONG, payload))
            return
        message = MSGPACK.decode_server(payload)
        self.seen.append(message)
        if isinstance(message, Room):
            self.mirror = Mirror(message)
            self.wholes += 1
            assert self.mirror.true
        elif isinstance(message, Moved | Happened):
            assert self.mirror is not None
            assert self.mirror.take(message) is Verdict.APPLIED

    async def sees(self, moves: int) -> None:
        while self.mirror is None or len(self.mirror.moves) < moves:
            await self.read()

    async def sees_the_end(self) -> None:
        while self.mirror is None or self.mirror.result is None:
            await self.read()


async def talk_until_something_is_dropped(server: ServerProcess, table: PacedTable) -> None:
    """Fill whatever can be filled between the server and a watcher who does not read."""
    async with asyncio.timeout(WITHIN):
        while not (await numbers(server))["parlour_updates_dropped_total"]:
            await table.talk(50)


async def counted(server: ServerProcess, incident: str) -> None:
    """Wait until the server has counted an incident."""
    async with asyncio.timeout(WITHIN):
        while not (await numbers(server))[f'parlour_incidents_total{{kind="{incident}"}}']:
            await asyncio.sleep(0.05)


# -- those who do not keep up


async def test_a_watcher_who_stops_reading_delays_nobody_and_comes_back(make_server: MakeServer) -> None:
    """The others see every move meanwhile; when it reads again it gets the whole room, and ends like they do."""
    server = make_server(*NARROW, *PATIENT)
    await server.start()
    async with PacedTable(server) as table, DeafWatcher.join(server, table.room) as deaf:
        other = await table.watch()
        await table.play_to(6)
        await deaf.sees(6)
        assert deaf.wholes == 1

        await talk_until_something_is_dropped(server, table)
        await table.play_to(16)
        await other.sees(16)  # while the slow one has not read a byte

        await deaf.sees(16)
        assert deaf.mirror is not None
        assert deaf.wholes == 2
        assert (deaf.mirror.moves, deaf.mirror.scene) == (table.mirror.moves, table.mirror.scene)

        await table.finish()
        await other.sees_the_end()
        await deaf.sees_the_end()
        for mirror in (deaf.mirror, other.mirror):
            assert mirror.true
            assert (mirror.moves, mirror.scene) == (table.mirror.moves, table.mirror.scene)
            assert mirror.result == table.mirror.result is not None
        assert deaf.wholes == 2  # the end came as updates again
        assert deaf.mirror.seq == other.mirror.seq == table.mirror.seq

    numbers_now = await numbers(server)
    assert numbers_now['parlour_incidents_total{kind="behind"}'] == 1
    assert numbers_now["parlour_updates_dropped_total"] >= 10  # the moves that it did not get one by one
    assert server.errors == []


async def test_a_watcher_who_never_reads_is_closed(make_server: MakeServer) -> None:
    """Whoever is behind and does not even answer a ping is given up with 4001, and the game goes on."""
    server = make_server(*NARROW, "--ping-interval", "3", "--log-level", "debug")
    await server.start()
    async with PacedTable(server) as table, DeafWatcher.join(server, table.room) as deaf:
        await table.play_to(6)
        await talk_until_something_is_dropped(server, table)
        await counted(server, "too_slow")
        assert await deaf.socket.is_over()
        assert "disconnected with 4001" in server.log
        await table.finish()
    assert server.errors == []


async def test_a_watcher_who_asks_and_never_reads_is_closed(make_server: MakeServer) -> None:
    """Answers are never dropped, so those that pile up end the connection with 4001, and the game goes on."""
    server = make_server(*NARROW, *PATIENT, "--log-level", "debug")
    await server.start()
    async with PacedTable(server) as table, DeafWatcher.join(server, table.room) as deaf:
        await table.play_to(6)
        try:
            for id in range(2, 5_000):
                await deaf.send(Sync(id=id, room=table.room, epoch=0, seq=0))
        except ConnectionError:
            pass
        await counted(server, "too_slow")
        assert await deaf.socket.is_over()
        assert "disconnected with 4001" in server.log
        await table.finish()
    assert server.errors == []


async def test_a_watcher_who_comes_late_ends_like_the_players(server: ServerProcess) -> None:
    """Whoever joins in the middle gets every move so far, and the rest as it happens."""
    async with PacedTable(server) as table:
        await table.play_to(15)
        late = await table.watch()
        assert list(late.mirror.room.moves) == table.mirror.moves
        await table.finish()
        await late.sees_the_end()
        assert late.mirror.true
        assert (late.mirror.moves, late.mirror.scene) == (table.mirror.moves, table.mirror.scene)
        assert late.mirror.result == table.mirror.result is not None
        assert late.mirror.seat is None


# -- those who are kept behind


async def test_watchers_who_are_kept_behind_see_nothing_until_the_end(make_server: MakeServer) -> None:
    """With a long delay they see the beginning, whatever they ask for; when the game is over they see everything."""
    server = make_server("--watch-delay", "1h")
    await server.start()
    async with PacedTable(server) as table:
        early = await table.watch()
        await table.play_to(12)
        late = await table.watch()
        for watcher in (early, late):
            whole = await watcher.connection.call(Sync(id=0, room=table.room, epoch=0, seq=0))
            assert isinstance(whole, Room)
            assert whole.moves == ()
            assert watcher.mirror.moves == []
            missed = await watcher.connection.call(Sync(id=0, room=table.room, epoch=1, seq=watcher.mirror.seq))
            assert isinstance(missed, Room)
            assert missed.moves == ()

        await table.finish()
        for watcher in (early, late):
            await watcher.sees_the_end()
            assert watcher.mirror.true
            assert (watcher.mirror.moves, watcher.mirror.scene) == (table.mirror.moves, table.mirror.scene)
            assert watcher.mirror.result == table.mirror.result is not None
            assert not any(isinstance(message, Choices) for message in watcher.seen)


async def test_watchers_who_are_kept_behind_see_each_move_later(make_server: MakeServer) -> None:
    """With a delay of half a second no move comes sooner than that, and all of them come while the game goes on."""
    server = make_server("--watch-delay", "0.5")
    await server.start()
    async with PacedTable(server) as table:
        watcher = await table.watch()
        await table.play_to(9)
        began = monotonic()
        await table.play_to(10)
        await watcher.sees(10)
        # The server counts whole milliseconds of another clock.
        assert monotonic() - began >= 0.5 - 0.01
        assert watcher.mirror.status == "playing"
        assert watcher.mirror.moves == table.mirror.moves
        await table.finish()
        await watcher.sees_the_end()
        assert (watcher.mirror.moves, watcher.mirror.scene) == (table.mirror.moves, table.mirror.scene)
        assert not any(isinstance(message, Choices) for message in watcher.seen)


async def test_watchers_are_kept_behind_after_a_restart_too(make_server: MakeServer) -> None:
    """A server that is started again does not show what it would not have shown before."""
    server = make_server("--watch-delay", "1h")
    await server.start()
    async with PacedTable(server) as table:
        await table.play_to(8)
        await server.kill()
        await server.start()
        await table.play_to(10)
        watcher = await table.watch()
        assert watcher.mirror.moves == []
