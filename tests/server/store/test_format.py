"""A node refuses a store of a newer format, and the first newer node upgrades an older one, once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from redis.asyncio import Redis

from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.format import FORMAT, OLDEST, RESTORING, UPGRADES, StoreFormat
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.store import Store
from tests.waiting import WITHIN, until

keys = Keys()

OLD, NEW = 1, 3  # made-up formats


class Upgrades:
    """Two made-up steps that note when they are executed, and can be held up or fail."""

    def __init__(self) -> None:
        self.executed: list[int] = []
        self.started = asyncio.Event()
        self.may_finish = asyncio.Event()
        self.may_finish.set()
        self.fails = False
        self.steps = {1: self._first, 2: self._second}

    async def _first(self, pipeline: Pipeline) -> None:
        self.executed.append(1)
        self.started.set()
        await self.may_finish.wait()
        if self.fails:
            raise StoreUnavailable("the connection was lost")
        await pipeline.call("SET", "new name", await pipeline.call("GET", "old name"))

    async def _second(self, pipeline: Pipeline) -> None:
        self.executed.append(2)
        await pipeline.call("DEL", "old name")


@pytest.fixture
async def connect(valkey: str, redis: Redis) -> AsyncIterator[Callable[[StoreFormat], Pipeline]]:
    """Create connections that are checked, of nodes with different formats."""
    made: list[Pipeline] = []

    def create(of: StoreFormat) -> Pipeline:
        made.append(Pipeline(valkey))
        made[-1].before_use(keys.format_version, of.check)
        return made[-1]

    yield create
    for pipeline in made:
        await pipeline.close()


async def connections(redis: Redis) -> int:
    """Return how many connections the store has accepted so far."""
    return int((await redis.info("stats"))["total_connections_received"])


def test_every_older_format_has_an_upgrade() -> None:
    """A new format comes with the step that leads to it."""
    assert sorted(UPGRADES) == list(range(OLDEST, FORMAT))


async def test_the_first_node_writes_the_format(valkey: str, redis: Redis) -> None:
    """A store without a format is new, or as old as the first format."""
    store = Store(valkey, "node")
    await store.open()
    await store.close()
    assert await redis.get(keys.format_version) == str(FORMAT).encode()


async def test_a_format_without_an_upgrade_is_refused(valkey: str, redis: Redis) -> None:
    """The sentence tells the operator what was found and what to do, and the data stays as it is."""
    await redis.set(keys.format_version, OLDEST - 1)
    store = Store(valkey, "node")
    with pytest.raises(StoreUnavailable, match=f"format {OLDEST - 1}, which this .* or an empty store"):
        await store.open()
    await store.close()
    assert await redis.get(keys.format_version) == str(OLDEST - 1).encode()


async def test_a_backup_that_is_not_restored_completely(valkey: str, redis: Redis) -> None:
    """A node does not work with half of a deployment, and says what to do."""
    await redis.set(keys.format_version, RESTORING + b"id")
    store = Store(valkey, "node")
    with pytest.raises(StoreUnavailable, match="run `parlour restore` again"):
        await store.open()
    await store.close()
    assert await redis.get(keys.format_version) == RESTORING + b"id"


async def test_a_newer_format_is_refused_at_the_start(valkey: str, redis: Redis) -> None:
    """The sentence tells the operator what was found, what is understood and what to do, and nothing is written."""
    await redis.set(keys.format_version, FORMAT + 1)
    store = Store(valkey, "node")
    with pytest.raises(StoreUnavailable) as refused:
        await store.open()
    await store.close()

    assert f"its data has format {FORMAT + 1}, and this version of Parlour understands formats up to {FORMAT};" in str(
        refused.value
    )
    assert "start the version of Parlour that wrote the data" in str(refused.value)
    assert await redis.keys() == [keys.format_version.encode()]


async def test_a_newer_format_is_refused_after_a_reconnect(
    redis: Redis, connect: Callable[[StoreFormat], Pipeline]
) -> None:
    """A node that is connected while another one upgrades the store gets no second connection."""
    node = connect(StoreFormat(keys, OLD))
    await node.open()
    await redis.set(keys.format_version, NEW)
    attempts = await connections(redis)

    await redis.client_kill_filter(_id=str(await node.call("CLIENT", "ID")))

    async def has_tried() -> bool:
        return await connections(redis) >= attempts + 3

    await until(has_tried)
    assert not node.up


async def test_an_older_format_is_upgraded_once(redis: Redis, connect: Callable[[StoreFormat], Pipeline]) -> None:
    """Of several newer nodes one executes each step, in order, while the others wait; then older nodes are refused."""
    await redis.set(keys.format_version, OLD)
    await redis.set("old name", "data")
    upgrades = Upgrades()
    upgrades.may_finish.clear()
    nodes = [connect(StoreFormat(keys, NEW, upgrades.steps)) for _ in range(3)]
    for node in nodes:
        await node.open()
    older = connect(StoreFormat(keys, OLD))
    await older.open()
    async with asyncio.timeout(WITHIN):
        tasks = [asyncio.create_task(StoreFormat(keys, NEW, upgrades.steps).upgrade(node)) for node in nodes]
        await upgrades.started.wait()
        assert await redis.get(keys.format_version) == b"1"
        upgrades.may_finish.set()
        await asyncio.gather(*tasks)

    assert upgrades.executed == [1, 2]
    assert await redis.get(keys.format_version) == b"3"
    assert (await redis.get("new name"), await redis.get("old name")) == (b"data", None)
    assert not await redis.exists(keys.format_upgrade)
    with pytest.raises(StoreUnavailable, match="format 3"):
        await connect(StoreFormat(keys, OLD)).open()


async def test_an_upgrade_that_fails_is_repeated(redis: Redis, connect: Callable[[StoreFormat], Pipeline]) -> None:
    """The format is raised only after the step, and the next node need not wait for the claim to expire."""
    await redis.set(keys.format_version, OLD)
    await redis.set("old name", "data")
    upgrades = Upgrades()
    node = connect(StoreFormat(keys, NEW, upgrades.steps))
    await node.open()
    upgrades.fails = True
    with pytest.raises(StoreUnavailable, match="the connection was lost"):
        await StoreFormat(keys, NEW, upgrades.steps).upgrade(node)
    assert await redis.get(keys.format_version) == b"1"

    upgrades.fails = False
    async with asyncio.timeout(WITHIN):
        await StoreFormat(keys, NEW, upgrades.steps).upgrade(node)
    assert upgrades.executed == [1, 1, 2]
    assert await redis.get("new name") == b"data"
