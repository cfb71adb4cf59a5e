"""Processes that think."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from parlour.bots.engine import Request
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.computer.engines import Engines
from tests.waiting import until

QUICK = Request("replica", level=1)


@pytest.fixture
async def engines() -> AsyncIterator[Engines]:
    made = Engines(2)
    yield made
    await made.close()


def children() -> set[int]:
    tasks = Path("/proc/self/task").iterdir()
    pids = {int(pid) for task in tasks for pid in (task / "children").read_text().split()}
    return {pid for pid in pids if b"think" in Path(f"/proc/{pid}/cmdline").read_bytes()}


async def test_thoughts_come_back(engines: Engines) -> None:
    """Many at once, with two processes."""
    answers = await asyncio.gather(*(engines.think(QUICK) for _ in range(8)))

    assert len({answer.move for answer in answers}) == 1
    assert len(children()) == 2


async def test_a_refusal_comes_back_as_one(engines: Engines) -> None:
    """The process goes on to serve."""
    with pytest.raises(Refusal) as refused:
        await engines.think(Request("replica", level="guru"))

    assert refused.value.code == ErrorCode.LEVEL_UNKNOWN
    assert (await engines.think(QUICK)).move


async def test_a_process_that_was_killed_is_replaced(engines: Engines) -> None:
    """Nobody who asks notices."""
    await engines.think(QUICK)
    for pid in children():
        os.kill(pid, signal.SIGKILL)

    assert (await engines.think(QUICK)).move


async def test_nobody_is_left_behind() -> None:
    """When the engines are closed their processes are gone, also one that was thinking."""
    engines = Engines(1)
    thinking = asyncio.create_task(engines.think(Request("isaac", seconds=60)))
    await until(lambda: bool(children()))
    thinking.cancel()
    await asyncio.gather(thinking, return_exceptions=True)
    await engines.close()

    assert children() == set()
