"""A census: closed rooms and connections leave memory at once, without the garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from random import Random
from typing import Any
from weakref import ReferenceType, ref

import pytest
from redis.asyncio import Redis

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Join, Leave, Play
from parlour.protocol.types import Clock, Player, Terms
from parlour.server.rooms.events import Participant
from parlour.server.rooms.setup import complete_options, create
from tests.server.running_node import running_node
from tests.waiting import until

TERMS = Terms("replica", clock=Clock("fischer", 600_000, 1_000))
PLAYERS = Participant("ada", Player("Ada")), Participant("ben", Player("Ben"))
ROOMS, CONNECTIONS = 300, 40


@pytest.fixture
def _no_collector() -> Iterator[None]:
    """Disable the collector: what is released then has no reference cycles."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_no_collector")
async def test_closed_rooms_are_released(valkey: str, redis: Redis) -> None:
    """Nothing refers to a room that the registry has closed, whether it had subscribers or not."""
    async with running_node(valkey) as node:
        ada = await node.call()
        event = create(TERMS, complete_options(TERMS, None, Random(1)), None, PLAYERS, node.node.now())
        alive: list[ReferenceType[Any]] = []
        for number in range(ROOMS):
            await node.registry.create(f"room{number}", event)
            room = await node.registry.open(f"room{number}")
            if number % 10 == 0:
                await ada.ask(Join(id=0, room=room.state.id))
                await ada.ask(Leave(id=0, room=room.state.id))
            alive += [ref(room), ref(room.subscribers), ref(room.chat)]
            del room
        await node.until(lambda: all(each.is_idle for each in node.registry.rooms.values()))
        node.registry.close()
        await node.node.drain(1)
        await until(lambda: not any(each() is not None for each in alive))


@pytest.mark.usefixtures("_no_collector")
async def test_closed_connections_are_released(valkey: str, redis: Redis) -> None:
    """Nothing refers to the session of a connection that has ended."""
    async with running_node(valkey) as node:
        callers = [await node.call() for _ in range(CONNECTIONS)]
        alive = [ref(session) for session in node.node.dispatcher.sessions]
        assert len(alive) == CONNECTIONS
        for caller in callers:
            await caller.socket.close()
        await until(lambda: not any(each() is not None for each in alive))


@pytest.mark.usefixtures("_no_collector")
async def test_rooms_are_released_after_an_outage(valkey: str, redis: Redis) -> None:
    """Nothing refers to a room any more that could not read its log, nor to one that has refused a command."""
    async with running_node(valkey) as node:
        ada = await node.call()
        event = create(TERMS, complete_options(TERMS, None, Random(1)), None, PLAYERS, node.node.now())
        alive: list[ReferenceType[Any]] = []
        for number in range(20):
            await node.registry.create(f"room{number}", event)
            await ada.ask(Join(id=0, room=f"room{number}"))
            assert await ada.code(Play(id=0, room=f"room{number}", ply=0, picks=(0, 1))) == ErrorCode.NOT_A_PLAYER
        node.store.pipeline.reconnect()
        for room in node.registry.rooms.values():
            room.catch_up()
            alive += [ref(room), ref(room.subscribers)]
        del room
        await node.store.pipeline.ready()
        await node.until(lambda: all(each.is_idle for each in node.registry.rooms.values()))
        await ada.socket.close()
        node.registry.close()
        await node.node.drain(1)
        await until(lambda: not any(each() is not None for each in alive))
