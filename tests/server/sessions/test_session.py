"""What a session is sent when it cannot keep up, and how much it may say."""

from __future__ import annotations

import socket

from msgspec.structs import replace
from redis.asyncio import Redis

from parlour.protocol.messages import Cursor, Join, Leave, Ok, Ping, Pong, Room, RoomEvent, Said, Say
from parlour.protocol.types import Terms
from parlour.server.connections.limits import Limits
from parlour.server.rooms.view import EPOCH
from tests.server.running_node import LIMITS, running_node

ISAAC = Terms("isaac")


async def test_pong_has_the_cursor_of_each_room(valkey: str, redis: Redis) -> None:
    """Of every room that the session is subscribed to, and of no other."""
    async with running_node(valkey) as node:
        ada, ben = await node.call(), await node.call()
        rooms = [await node.table(ISAAC, ada, ben) for _ in range(2)]
        await ada.send(Ping(5))
        pong = await ada.hears(Pong)
        assert pong == Pong(5, tuple(Cursor(room, EPOCH, node.registry.rooms[room].state.seq) for room in rooms))
        await ada.ask(Leave(id=0, room=rooms[0]))
        await ada.send(Ping())
        assert [cursor.room for cursor in (await ada.hears(Pong)).rooms] == [rooms[1]]


async def test_chat_is_limited(valkey: str, redis: Redis) -> None:
    """After some lines in a minute a player has to wait; other players and moves are not affected."""
    async with running_node(valkey, chat_rate=3, unlimited_networks=()) as node:
        ada, ben = await node.call(), await node.call()
        room = await node.table(ISAAC, ada, ben)
        for number in range(3):
            assert isinstance(await ada.ask(Say(id=0, room=room, text=f"line {number}")), Ok)
        assert await ada.code(Say(id=0, room=room, text="line 3")) == "too_much_chat"
        assert isinstance(await ben.ask(Say(id=0, room=room, text="May I?")), Ok)
        assert [(await ben.hears(Said)).text for _ in range(4)] == ["line 0", "line 1", "line 2", "May I?"]


async def test_a_session_that_falls_behind_is_sent_the_whole_room(valkey: str, redis: Redis) -> None:
    """One snapshot makes up for all dropped updates."""
    small = replace(LIMITS, soft_buffer=2_048, kernel_buffer=4_096)
    assert isinstance(small, Limits)
    async with running_node(valkey, limits=small) as node:
        ada, ben = await node.call(), await node.call()
        room = await node.table(ISAAC, ada, ben)
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        narrow.connect(("127.0.0.1", int(node.url.rpartition(":")[2].partition("/")[0])))
        narrow.setblocking(False)
        slow = await node.call(sock=narrow)
        await slow.ask(Join(id=0, room=room))
        slow.socket.transport.pause_reading()
        lines = 0
        while not node.node.metrics.updates_dropped:
            lines += 1
            assert isinstance(await ada.ask(Say(id=0, room=room, text=f"{lines}: {'x' * 270}")), Ok)
        await ben.ask(Leave(id=0, room=room))
        await ada.hears(RoomEvent, lambda told: told.kind == "disconnected")
        await slow.send(Ping(9))
        await node.until(lambda: node.node.metrics.messages[Ping] == 1)
        slow.socket.transport.resume_reading()

        # What it is owed is on its way already, so the pong does not make it ask for that.
        assert await slow.hears(Pong) == Pong(9)
        whole = await slow.hears(Room)
        assert (whole.id, whole.seq) == (None, node.registry.rooms[room].state.seq)
        assert not whole.players[1].online
        await ben.ask(Join(id=0, room=room))
        back = await slow.hears(RoomEvent)
        assert (back.kind, back.seq) == ("reconnected", whole.seq + 1)
        assert isinstance(await ada.ask(Say(id=0, room=room, text="Welcome back")), Ok)
        assert (await slow.hears(Said, lambda said: said.text == "Welcome back")).seat == 0
