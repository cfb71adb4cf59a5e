"""Engine processes answer requests, and are replaced when they die."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from parlour.bots.engine import Request
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.bots.engine_pool import EnginePool
from tests.waiting import until

QUICK = Request("replica", level=1)


@pytest.fixture
async def engines() -> AsyncIterator[EnginePool]:
    made = EnginePool(2)
    yield made
    await made.close()


def children() -> set[int]:
    tasks = Path("/proc/self/task").iterdir()
    pids = {int(pid) for task in tasks for pid in (task / "children").read_text().split()}
    return {pid for pid in pids if b"think" in Path(f"/proc/{pid}/cmdline").read_bytes()}


async def test_requests_are_answered(engines: EnginePool) -> None:
    """Two processes answer many requests at once."""
    answers = await asyncio.gather(*(engines.ask(QUICK) for _ in range(8)))

    assert len({answer.move for answer in answers}) == 1
    assert len(children()) == 2


async def test_a_refused_request_is_a_refusal(engines: EnginePool) -> None:
    """The process keeps serving."""
    with pytest.raises(Refusal) as refused:
        await engines.ask(Request("replica", level="guru"))

    assert refused.value.code == ErrorCode.LEVEL_UNKNOWN
    assert (await engines.ask(QUICK)).move


async def test_a_process_that_was_killed_is_replaced(engines: EnginePool) -> None:
    """The caller does not notice."""
    await engines.ask(QUICK)
    for pid in children():
        os.kill(pid, signal.SIGKILL)

    assert (await engines.ask(QUICK)).move


async def test_closing_ends_all_processes() -> None:
    """A process that is still searching ends too."""
    engines = EnginePool(1)
    thinking = asyncio.create_task(engines.ask(Request("isaac", seconds=60)))
    await until(lambda: bool(children()))
    thinking.cancel()
    await asyncio.gather(thinking, return_exceptions=True)
    await engines.close()

    assert children() == set()
