"""The heartbeat thread: a busy node is not an outage, a suspended one is."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from parlour.server.outages import SILENCE
from parlour.server.store.clock import StoreClock
from parlour.server.store.health import StoreHealth
from parlour.server.store.heartbeat import Heartbeat
from parlour.server.store.heartbeat_thread import HeartbeatThread
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from tests.waiting import until

keys = Keys()


@pytest.fixture
async def heartbeat(valkey: str, pipeline: Pipeline) -> AsyncIterator[Heartbeat]:
    """The heartbeat of a node with its thread."""
    clock = StoreClock(pipeline)
    await clock.measure()
    heartbeat = Heartbeat(pipeline, clock, StoreHealth(), "node")
    thread = HeartbeatThread(heartbeat, lambda: pipeline.server_of(keys.last_beat))
    await heartbeat.open()
    thread.start()
    yield heartbeat
    thread.stop()
    await heartbeat.close()


async def test_a_busy_event_loop_is_not_an_outage(heartbeat: Heartbeat) -> None:
    """While the loop is blocked for longer than an outage takes, the thread beats."""
    time.sleep(1.5 * SILENCE / 1000)
    await heartbeat.beat()
    assert heartbeat.outages == []


async def test_the_thread_rests_while_the_loop_beats(valkey: str, redis: Redis, heartbeat: Heartbeat) -> None:
    """A node whose loop is free has no second heartbeat, so one that is cut off is noticed."""

    async def number_of_clients() -> int:
        return len([client for client in await redis.client_list() if client["name"] == "parlour"])

    ticks = heartbeat.ticks
    await until(lambda: heartbeat.ticks > ticks + 5)
    assert await number_of_clients() == 1
    assert await redis.hexists(keys.beats, "node")
