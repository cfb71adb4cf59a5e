"""A supervisor keeps its workers running. What players see of that is tested in `tests/e2e/test_workers.py`."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from parlour.server.configuration.settings import Settings
from parlour.server.workers.messages import Family
from parlour.server.workers.port import reserve
from parlour.server.workers.supervisor import StartFailed, Supervisor
from tests.e2e.processes import children
from tests.waiting import WITHIN, until


@pytest.fixture
async def port() -> AsyncIterator[int]:
    with ExitStack() as stack:
        yield await reserve("127.0.0.1", 0, stack)


def settings(port: int, redis: str) -> Settings:
    return Settings(port=port, redis=redis, workers=2, bot_workers=3, node_name="n", log_level="error", stop_grace=5)


def environment(pid: int) -> dict[str, str]:
    pairs = Path(f"/proc/{pid}/environ").read_text().split("\0")
    return dict(pair.split("=", 1) for pair in pairs if "=" in pair)


def value(families: list[Family], name: str) -> float:
    (found,) = (number for family in families for sample, _, number in family.samples if sample == name)
    return found


async def test_workers_are_started_replaced_and_stopped(valkey: str, port: int) -> None:
    """They have the settings of the server, except for their names; the bot workers are divided among them."""
    supervisor = Supervisor(settings(port, valkey), None)
    await supervisor.start(asyncio.Event())
    pids = children(os.getpid(), b"parlour.server.workers")
    given = sorted((environment(pid) for pid in pids), key=lambda variables: variables["PARLOUR_NODE_NAME"])
    assert [variables["PARLOUR_NODE_NAME"] for variables in given] == ["n-1", "n-2"]
    assert [variables["PARLOUR_BOT_WORKERS"] for variables in given] == ["2", "1"]
    assert {variables["PARLOUR_WORKERS"] for variables in given} == {"1"}
    assert {variables["PARLOUR_PORT"] for variables in given} == {str(port)}

    os.kill(pids[0], signal.SIGKILL)

    async def is_replaced() -> bool:
        families = await supervisor.families()
        return (value(families, "parlour_workers"), value(families, "parlour_worker_restarts_total")) == (2, 1)

    await until(is_replaced)
    supervisor.stop()
    assert await supervisor.ended(WITHIN) == [0, 0]
    assert children(os.getpid(), b"parlour.server.workers") == []


async def test_a_worker_that_does_not_stop_is_killed(valkey: str, port: int) -> None:
    """The exit code tells of it."""
    supervisor = Supervisor(settings(port, valkey), None)
    await supervisor.start(asyncio.Event())
    pids = children(os.getpid(), b"parlour.server.workers")
    os.kill(pids[0], signal.SIGSTOP)
    supervisor.stop()
    assert max(await supervisor.ended(8.0)) == 1
    assert children(os.getpid(), b"parlour.server.workers") == []


async def test_nothing_is_restarted_if_the_first_worker_cannot_start(port: int, tmp_path: Path) -> None:
    """It has printed why."""
    supervisor = Supervisor(settings(port, f"unix://{tmp_path}/none"), None)
    with pytest.raises(StartFailed, match="exited with code 1") as failed:
        await supervisor.start(asyncio.Event())
    assert failed.value.code == 1
    await supervisor.kill()
