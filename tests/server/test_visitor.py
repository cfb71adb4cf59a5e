"""What a connection gets that cannot keep up, and how much it may say."""

from __future__ import annotations

import socket

from msgspec.structs import replace
from redis.asyncio import Redis

from parlour.protocol.messages import Happened, Join, Leave, Ok, Ping, Pong, Room, Said, Say, Standing
from parlour.protocol.tables import Terms
from parlour.server.rooms.presenter import EPOCH
from parlour.server.transport.limits import Limits
from tests.server.running_node import LIMITS, running_node

ISAAC = Terms("isaac")


async def test_pong_tells_where_each_room_stands(valkey: str, redis: Redis) -> None:
    """With the newest number of every room that the connection follows, and of no other."""
    async with running_node(valkey) as node:
        ada, ben = await node.call(), await node.call()
        rooms = [await node.table(ISAAC, ada, ben) for _ in range(2)]
        await ada.send(Ping(5))
        pong = await ada.hears(Pong)
        assert pong == Pong(5, tuple(Standing(room, EPOCH, node.house.rooms[room].room.seq) for room in rooms))
        await ada.ask(Leave(id=0, room=rooms[0]))
        await ada.send(Ping())
        assert [standing.room for standing in (await ada.hears(Pong)).rooms] == [rooms[1]]


async def test_nobody_talks_too_much(valkey: str, redis: Redis) -> None:
    """After so many lines in a minute a player has to wait, and nobody else does; moves are not talk."""
    async with running_node(valkey, chat_rate=3) as node:
        ada, ben = await node.call(), await node.call()
        room = await node.table(ISAAC, ada, ben)
        for number in range(3):
            assert isinstance(await ada.ask(Say(id=0, room=room, text=f"line {number}")), Ok)
        assert await ada.code(Say(id=0, room=room, text="line 3")) == "too_fast"
        assert isinstance(await ben.ask(Say(id=0, room=room, text="May I?")), Ok)
        assert [(await ben.hears(Said)).text for _ in range(4)] == ["line 0", "line 1", "line 2", "May I?"]


async def test_who_falls_behind_gets_the_whole_room(valkey: str, redis: Redis) -> None:
    """A watcher who does not read for a while misses updates; then one room comes that makes up for all of them."""
    small = replace(LIMITS, soft_buffer=2_048, kernel_buffer=4_096)
    assert isinstance(small, Limits)
    async with running_node(valkey, limits=small, chat_rate=6_000) as node:
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
        await ada.hears(Happened, lambda told: told.what == "gone")
        await slow.send(Ping(9))
        await node.until(lambda: node.node.metrics.messages[Ping] == 1)
        slow.socket.transport.resume_reading()

        # What it is owed is on its way already, so the pong does not make it ask for that.
        assert await slow.hears(Pong) == Pong(9)
        whole = await slow.hears(Room)
        assert (whole.id, whole.seq) == (None, node.house.rooms[room].room.seq)
        assert not whole.chairs[1].online
        await ben.ask(Join(id=0, room=room))
        back = await slow.hears(Happened)
        assert (back.what, back.seq) == ("back", whole.seq + 1)
        assert isinstance(await ada.ask(Say(id=0, room=room, text="Welcome back")), Ok)
        assert (await slow.hears(Said, lambda said: said.text == "Welcome back")).seat == 0
