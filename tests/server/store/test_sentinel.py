"""Sentinels: they are asked for the master whenever a connection is opened."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from parlour.server.store.address import SentinelAddress, parse
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.sentinel import NoMaster, Sentinels
from parlour.server.store.store import Store
from tests.server.store.sentinel_process import SentinelGroup
from tests.waiting import until


@pytest.fixture
def group() -> Iterator[SentinelGroup]:
    """A group whose Sentinels require a password."""
    started = SentinelGroup(sentinel_settings=("requirepass hidden",), sentinel_password="hidden")
    try:
        started.start()
        yield started
    finally:
        started.close()


def sentinels(url: str) -> Sentinels:
    address = parse(url)
    assert isinstance(address, SentinelAddress)
    return Sentinels(address)


async def test_a_master_is_replaced(group: SentinelGroup) -> None:
    """After a planned fail-over, and after the death of a master, the node writes to the new one."""
    located = await sentinels(group.url).locate()
    assert located.port == group.ports[group.master]
    group.sentinels[0].stop()  # the next one is asked
    store = Store(group.url, "node")
    await store.open()
    await store.pipeline.call("SET", "k", 0)

    async def writes_to(port: int) -> bool:
        try:
            await store.pipeline.call("INCR", "k")
        except StoreUnavailable as error:
            store.health.report(error)
            return False
        server = store.pipeline.server_of("k")
        return server is not None and server.port == port

    for change in (group.lose, group.promote):
        await asyncio.to_thread(change)
        await until(lambda: writes_to(group.ports[group.master]))
    await store.close()


async def test_no_master(group: SentinelGroup) -> None:
    """An unknown service, a wrong password and silent Sentinels are explained in one sentence."""
    with pytest.raises(NoMaster, match="No such master with that name"):
        await sentinels(group.url.replace("/games", "/other")).locate()
    with pytest.raises(NoMaster, match=r"no Sentinel names a master .*(WRONGPASS|invalid)"):
        await sentinels(group.url.replace("hidden", "wrong")).locate()
    with pytest.raises(
        StoreUnavailable, match=r"^Redis at redis\+sentinel://127.0.0.1:1/games/0 cannot be used: no Se"
    ):
        await Store("redis+sentinel://127.0.0.1:1/games", "node").pipeline.open(within=1)
