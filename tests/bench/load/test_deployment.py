"""Several workers for the load generator."""

from __future__ import annotations

import os

from bench.load.deployment import deployed, metrics
from tests.e2e.processes import is_running
from tests.waiting import until


async def test_all_workers_serve_and_are_pinned() -> None:
    """The server is entered when every worker serves; afterwards all of them end."""
    async with deployed(2) as server:
        assert len(set(server.pids)) == 2
        assert len(server.store_pids) == len(server.stores) == 1
        assert all(os.sched_getaffinity(pid) == {0} for pid in server.pids)
        assert (await metrics(server.port))["parlour_workers"] == 2
    await until(lambda: not any(map(is_running, (*server.pids, *server.store_pids))))


async def test_the_store_can_be_a_cluster() -> None:
    """Its masters are measured separately."""
    async with deployed(1, 2) as server:
        assert len(set(server.store_pids)) == len(server.stores) == 2
        assert (await metrics(server.port))["parlour_store_up"] == 1
