"""A spectator that cannot keep up affects no other client, and a delayed spectator sees nothing early."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Choices, ClientMessage, Hello, Join, Moved, Room, RoomEvent, ServerMessage, Sync
from parlour.protocol.replica import ApplyResult, RoomReplica
from tests.e2e.conftest import MakeServer
from tests.e2e.paced_table import WITHIN, PacedTable
from tests.e2e.processes import ServerProcess
from tests.e2e.web import numbers
from tests.server.connections.raw_client import BINARY, PING, PONG, RawClient, frame
from tests.waiting import until

# Little may wait for one connection, and a room may be talked full.
NARROW = ("--send-buffer-soft", "8k", "--send-buffer-hard", "64k", "--chat-rate", "6000")
PATIENT = ("--ping-interval", "300")  # those who do not read do not answer pings either


class DeafSpectator:
    """A spectator that reads from the socket only when told to. The system buffers little of the rest."""

    def __init__(self, socket: RawClient) -> None:
        self.socket = socket
        self.replica: RoomReplica | None = None
        self.wholes = 0  # how often the room came whole
        self.seen: list[ServerMessage] = []

    @classmethod
    @asynccontextmanager
    async def join(cls, server: ServerProcess, room: str) -> AsyncIterator[DeafSpectator]:
        spectator = cls(await RawClient.open(server.port, receive_buffer=4096))
        try:
            await spectator.send(Hello("deaf"))
            while not spectator.seen:
                await spectator.read()
            await spectator.send(Join(id=1, room=room))
            await spectator.sees(0)
            yield spectator
        finally:
            spectator.socket.close()

    async def send(self, message: ClientMessage) -> None:
        await self.socket.send(frame(BINARY, MSGPACK.encode(message)))

    async def read(self) -> None:
        """Read one frame. Nothing may be missing before it."""
        opcode, payload = await self.socket.frame()
        if opcode == PING:
            await self.socket.send(frame(PONG, payload))
            return
        message = MSGPACK.decode_server(payload)
        self.seen.append(message)
        if isinstance(message, Room):
            self.replica = RoomReplica(message)
            self.wholes += 1
            assert self.replica.in_sync
        elif isinstance(message, Moved | RoomEvent):
            assert self.replica is not None
            assert self.replica.apply(message) is ApplyResult.APPLIED

    async def sees(self, moves: int) -> None:
        while self.replica is None or len(self.replica.moves) < moves:
            await self.read()

    async def sees_the_end(self) -> None:
        while self.replica is None or self.replica.result is None:
            await self.read()


async def talk_until_something_is_dropped(server: ServerProcess, table: PacedTable) -> None:
    """Fill every buffer between the server and a spectator that does not read."""
    async with asyncio.timeout(WITHIN):
        while not (await numbers(server))["parlour_updates_dropped_total"]:
            await table.talk(50)


async def counted(server: ServerProcess, incident: str) -> None:
    """Wait until the server has counted an incident."""

    async def is_counted() -> bool:
        return (await numbers(server))[f'parlour_incidents_total{{kind="{incident}"}}'] > 0

    await until(is_counted)


# -- those who do not keep up


async def test_a_spectator_that_stops_reading_delays_no_one_and_catches_up(make_server: MakeServer) -> None:
    """The others see every move; when it reads again, it is sent the whole room."""
    server = make_server(*NARROW, *PATIENT)
    await server.start()
    async with PacedTable(server) as table, DeafSpectator.join(server, table.room) as deaf:
        other = await table.watch()
        await table.play_to(6)
        await deaf.sees(6)
        assert deaf.wholes == 1

        await talk_until_something_is_dropped(server, table)
        await table.play_to(16)
        await other.sees(16)  # while the slow one has not read a byte

        await deaf.sees(16)
        assert deaf.replica is not None
        assert deaf.wholes == 2
        assert (deaf.replica.moves, deaf.replica.scene) == (table.replica.moves, table.replica.scene)

        await table.finish()
        await other.sees_the_end()
        await deaf.sees_the_end()
        for replica in (deaf.replica, other.replica):
            assert replica.in_sync
            assert (replica.moves, replica.scene) == (table.replica.moves, table.replica.scene)
            assert replica.result == table.replica.result is not None
        assert deaf.wholes == 2  # the end came as updates again
        assert deaf.replica.seq == other.replica.seq == table.replica.seq

    numbers_now = await numbers(server)
    assert numbers_now['parlour_incidents_total{kind="behind"}'] == 1
    assert numbers_now["parlour_updates_dropped_total"] >= 10  # the moves that it did not get one by one
    assert server.errors == []


async def test_a_spectator_that_never_reads_is_closed(make_server: MakeServer) -> None:
    """One that is behind and does not answer a ping is aborted with 4001, and the game goes on."""
    server = make_server(*NARROW, "--ping-interval", "3", "--log-level", "debug")
    await server.start()
    async with PacedTable(server) as table, DeafSpectator.join(server, table.room) as deaf:
        await table.play_to(6)
        await talk_until_something_is_dropped(server, table)
        await counted(server, "too_slow")
        assert await deaf.socket.is_over()
        assert "disconnected with code 4001" in server.log
        await table.finish()
    assert server.errors == []


async def test_a_spectator_that_asks_and_never_reads_is_closed(make_server: MakeServer) -> None:
    """Answers are never dropped; those that pile up end the connection with 4001."""
    server = make_server(*NARROW, *PATIENT, "--log-level", "debug")
    await server.start()
    async with PacedTable(server) as table, DeafSpectator.join(server, table.room) as deaf:
        await table.play_to(6)
        try:
            for id in range(2, 5_000):
                await deaf.send(Sync(id=id, room=table.room, epoch=0, seq=0))
        except ConnectionError:
            pass
        await counted(server, "too_slow")
        assert await deaf.socket.is_over()
        assert "disconnected with code 4001" in server.log
        await table.finish()
    assert server.errors == []


async def test_a_spectator_that_joins_late_ends_like_the_players(server: ServerProcess) -> None:
    """It is sent every move so far, and the rest as it happens."""
    async with PacedTable(server) as table:
        await table.play_to(15)
        late = await table.watch()
        assert list(late.replica.room.moves) == table.replica.moves
        await table.finish()
        await late.sees_the_end()
        assert late.replica.in_sync
        assert (late.replica.moves, late.replica.scene) == (table.replica.moves, table.replica.scene)
        assert late.replica.result == table.replica.result is not None
        assert late.replica.seat is None


# -- those who are kept behind


async def test_delayed_spectators_see_nothing_until_the_end(make_server: MakeServer) -> None:
    """With a long delay they see the start, whatever they ask for, and everything when the game is over."""
    server = make_server("--spectator-delay", "1h")
    await server.start()
    async with PacedTable(server) as table:
        early = await table.watch()
        await table.play_to(12)
        late = await table.watch()
        for spectator in (early, late):
            whole = await spectator.connection.call(Sync(id=0, room=table.room, epoch=0, seq=0))
            assert isinstance(whole, Room)
            assert whole.moves == ()
            assert spectator.replica.moves == []
            missed = await spectator.connection.call(Sync(id=0, room=table.room, epoch=1, seq=spectator.replica.seq))
            assert isinstance(missed, Room)
            assert missed.moves == ()

        await table.finish()
        for spectator in (early, late):
            await spectator.sees_the_end()
            assert spectator.replica.in_sync
            assert (spectator.replica.moves, spectator.replica.scene) == (table.replica.moves, table.replica.scene)
            assert spectator.replica.result == table.replica.result is not None
            assert not any(isinstance(message, Choices) for message in spectator.seen)


async def test_delayed_spectators_see_each_move_later(make_server: MakeServer) -> None:
    """With a delay of half a second no move arrives sooner, and all arrive during the game."""
    server = make_server("--spectator-delay", "0.5")
    await server.start()
    async with PacedTable(server) as table:
        spectator = await table.watch()
        await table.play_to(9)
        began = monotonic()
        await table.play_to(10)
        await spectator.sees(10)
        # The server counts whole milliseconds of another clock.
        assert monotonic() - began >= 0.5 - 0.01
        assert spectator.replica.status == "playing"
        assert spectator.replica.moves == table.replica.moves
        await table.finish()
        await spectator.sees_the_end()
        assert (spectator.replica.moves, spectator.replica.scene) == (table.replica.moves, table.replica.scene)
        assert not any(isinstance(message, Choices) for message in spectator.seen)


async def test_spectators_are_delayed_after_a_restart_too(make_server: MakeServer) -> None:
    """A restarted server does not show what it would not have shown before."""
    server = make_server("--spectator-delay", "1h")
    await server.start()
    async with PacedTable(server) as table:
        await table.play_to(8)
        await server.kill()
        await server.start()
        await table.play_to(10)
        spectator = await table.watch()
        assert spectator.replica.moves == []
