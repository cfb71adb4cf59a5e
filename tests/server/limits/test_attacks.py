"""Attacks by one address on a node with its default limits, while a player at another address goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import pytest
from redis.asyncio import Redis

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    Create,
    Hello,
    Join,
    Ok,
    Ping,
    Pong,
    Queue,
    ReadRecord,
    Record,
    Refused,
    Say,
    Seek,
    Welcome,
)  # fmt: skip
from parlour.protocol.types import Clock, Terms
from parlour.server.app import connection_limits
from parlour.server.configuration.settings import Settings
from tests.server.limits.long_record import long_record
from tests.server.running_node import Caller, RunningNode, running_node

EVE, ADA = ("127.0.0.1", 0), ("127.0.0.2", 0)  # addresses
ISAAC = Terms("isaac")
PINGS = 40


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    """A node with the limits that a server has by default."""
    async with running_node(valkey, limits=connection_limits(Settings()), unlimited_networks=()) as running:
        yield running


async def answers(caller: Caller, *commands: Any) -> list[Any]:
    """Send commands in one burst and return their answers."""
    for command in commands:
        await caller.send(command)
    return [await caller.hears(object, partial(has_id, each.id)) for each in commands]


def has_id(id: int, message: object) -> bool:
    return getattr(message, "id", None) == id


async def round_trip(caller: Caller) -> float:
    """Return how long a ping takes."""
    began = perf_counter()
    await caller.send(Ping(1))
    await caller.hears(Pong)
    return perf_counter() - began


def accepted(found: list[Any]) -> int:
    return sum(not isinstance(each, Refused) for each in found)


def codes(found: list[Any]) -> set[str]:
    return {each.code for each in found if isinstance(each, Refused)}


async def test_records_do_not_stop_the_node(node: RunningNode) -> None:
    """A burst of long records is charged to who sends it, and hardly anyone else notices."""
    eve, ada = await node.call(local_addr=EVE), await node.call(local_addr=ADA)
    quiet = [await round_trip(ada) for _ in range(PINGS)]
    text = long_record()
    attack = asyncio.create_task(answers(eve, *(ReadRecord(id=number, text=text) for number in range(1, 98))))
    busy = [await round_trip(ada) for _ in range(PINGS)]
    found = await attack
    assert any(isinstance(each, Record) for each in found)
    assert accepted(found) < 30
    assert codes(found) <= {ErrorCode.TOO_FAST, ErrorCode.OVER_BUDGET}
    assert all(each.retry_after for each in found if isinstance(each, Refused))
    # Each record takes hundreds of times as long as a ping.
    assert median(busy) < 50 * median(quiet)


async def test_games_cannot_fill_the_store(node: RunningNode) -> None:
    """A guest gets a limited number of games with the computer, and bots do not think about those it has left."""
    eve = await node.call(local_addr=EVE)
    games = [Create(id=number, terms=ISAAC, levels=("1", "1")) for number in range(1, 60)]
    found = await answers(eve, *games)
    assert 5 < accepted(found) < 20
    assert codes(found) == {ErrorCode.OVER_BUDGET}
    assert await node.store.jobs.length() == 0


async def test_the_list_of_seeks_cannot_be_filled(node: RunningNode) -> None:
    """However many guests an address has, its seeks are limited, and players elsewhere can post theirs."""
    posted = 0
    for _ in range(8):
        eve = await node.call(local_addr=EVE)
        posted += accepted(await answers(eve, *(Seek(id=number, terms=ISAAC) for number in range(1, 20))))
    assert posted == Settings().seeks_per_address
    ada = await node.call(local_addr=ADA)
    assert isinstance(await ada.ask(Seek(id=0, terms=ISAAC)), Ok)


async def test_a_stranger_cannot_fill_the_chat(node: RunningNode) -> None:
    """The lines of a player are counted on all connections together, and those of the players at the table apart."""
    ada, ben = await node.call(local_addr=ADA), await node.call(local_addr=ADA)
    room = await node.table(ISAAC, ada, ben)
    first = await node.call(local_addr=EVE)
    shown = 0
    for caller in (first, await node.call(first.token, local_addr=EVE), await node.call(first.token, local_addr=EVE)):
        await caller.ask(Join(id=0, room=room))
        lines = [Say(id=number, room=room, text="Buy!") for number in range(100, 140)]
        shown += accepted(await answers(caller, *lines))
    assert shown <= Settings().chat_rate + 2  # some come back during the test
    assert isinstance(await ada.ask(Say(id=0, room=room, text="Never mind.")), Ok)


async def test_guests_are_limited_by_address(node: RunningNode) -> None:
    """An address gets a number of guests at once; elsewhere there is no difference."""
    callers = [await node.call(greet=False, local_addr=EVE) for _ in range(80)]
    for caller in callers:
        await caller.send(Hello("test"))
    found = [await caller.hears(object) for caller in callers]
    assert sum(isinstance(each, Welcome) for each in found) < 70
    assert codes(found) == {ErrorCode.TOO_MANY_NAMES}
    await node.call(local_addr=ADA)


async def test_queues_are_limited_by_player(node: RunningNode) -> None:
    """A player waits in a limited number of queues, on all connections together."""
    first = await node.call(local_addr=EVE)
    waiting = 0
    for caller in (first, await node.call(first.token, local_addr=EVE)):
        clocks = [Clock("move", 10_000 + number) for number in range(25)]
        queued = [Queue(id=number, terms=Terms("isaac", clock=clock)) for number, clock in enumerate(clocks, 1)]
        waiting += accepted(await answers(caller, *queued))
    assert waiting == Settings().seeks_per_player
