"""A supervised store comes back after every failure, and says why it is away."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.supervisor import StoreSupervisor
from tests.waiting import WITHIN, until

LIMIT = 200_000  # bytes


@asynccontextmanager
async def connected(store: StoreSupervisor) -> AsyncIterator[Pipeline]:
    pipeline = Pipeline(store.url)
    await pipeline.open()
    yield pipeline
    await pipeline.close()


def limit_files(pid: int, size: int) -> None:
    """Let a process write no file beyond a size, as if the disk was full."""
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


async def test_a_killed_store_is_restarted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Again and again, with its data."""
    async with StoreSupervisor(tmp_path, longest_pause=0.05) as store, connected(store) as pipeline:
        for n in range(4):
            assert await pipeline.call("INCR", "k") == n + 1
            assert store.pid is not None
            os.kill(store.pid, signal.SIGKILL)
            await until(lambda: not pipeline.up)
            await asyncio.wait_for(pipeline.ready(), WITHIN)
            await until(lambda: store.outage is None)  # killed earlier, it would not have been running again
        assert await pipeline.call("GET", "k") == b"4"
    assert caplog.text.count("the embedded store was killed by SIGKILL; restarting it") == 4
    assert caplog.text.count("the embedded store is running again") == 4


async def test_a_stop_is_not_an_outage(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Nothing is logged, and nothing is restarted."""
    store = StoreSupervisor(tmp_path)
    await store.start()
    await store.stop()
    await store.stop()
    assert store.pid is None
    assert caplog.messages == []


async def test_a_first_start_that_fails(tmp_path: Path) -> None:
    """The caller is told why, and nothing is tried again."""
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnavailable, match="cannot be used"):
        await StoreSupervisor(tmp_path / "file").start()


async def test_restarting_never_gives_up(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """While the data is damaged, the reason is known and logged once; when it is repaired, the store comes back."""
    async with StoreSupervisor(tmp_path, longest_pause=0.05) as store, connected(store) as pipeline:
        for n in range(200):
            await pipeline.call("SET", f"k{n}", "x" * 1000)
        assert store.pid is not None
        file = tmp_path / "appendonlydir" / "appendonly.aof.1.incr.aof"
        whole = file.read_bytes()
        file.write_bytes(whole.replace(b"SET", b"\0\0\0\0", 1))
        os.kill(store.pid, signal.SIGKILL)
        await until(lambda: store.outage is not None and f"{file} is damaged at byte" in store.outage)

        attempts = (tmp_path / "valkey.log").read_text().count("Bad file format")
        await until(lambda: (tmp_path / "valkey.log").read_text().count("Bad file format") >= attempts + 3)
        assert caplog.text.count("the embedded store cannot be restarted") == 1

        file.write_bytes(whole)
        await asyncio.wait_for(pipeline.ready(), WITHIN)
        assert await pipeline.call("DBSIZE") == 200
        await until(lambda: store.outage is None)


async def test_a_full_disk_with_fsync_always(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Valkey exits; when there is room it comes back by itself with all that was acknowledged."""
    async with StoreSupervisor(tmp_path, fsync="always", longest_pause=0.05) as store, connected(store) as pipeline:
        assert store.pid is not None
        limit_files(store.pid, LIMIT)
        (tmp_path / "room-check").symlink_to("/dev/full")  # until the first attempt to restart it removes the link
        acknowledged = 0
        with suppress(StoreUnavailable):
            while acknowledged < LIMIT:
                acknowledged = await pipeline.call("RPUSH", "k", "x" * 10_000)
        assert 0 < acknowledged < LIMIT
        await asyncio.wait_for(pipeline.ready(), WITHIN)
        assert await pipeline.call("LLEN", "k") == acknowledged
        await until(lambda: store.outage is None)
    assert "exited with code 1 (Can't recover from AOF write error" in caplog.text
    assert f"The disk that holds {tmp_path} is full." in caplog.text
