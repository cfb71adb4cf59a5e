"""Engine processes: started when they are needed, reused, and replaced when they fail."""

from __future__ import annotations

import asyncio
import sys

import pytest

from parlour.client.engine_process import EngineFailed, EngineProcesses
from tests.waiting import WITHIN

ECHO = "import os, sys\nfor line in sys.stdin: print(os.getpid(), line.strip(), flush=True)"
MUTE = "import sys\nfor line in sys.stdin: pass"
DYING = "import sys; sys.stdin.readline(); sys.exit(3)"


def command(program: str) -> list[str]:
    return [sys.executable, "-c", program]


async def test_one_process_answers_all_lines() -> None:
    """Lines that are asked at the same time wait for each other."""
    async with EngineProcesses(command(ECHO)) as engine:
        replies = await asyncio.gather(*(engine.ask(f"{number}\n".encode(), WITHIN) for number in range(3)))
    pids, numbers = zip(*(reply.split() for reply in replies), strict=True)
    assert len(set(pids)) == 1
    assert numbers == (b"0", b"1", b"2")


@pytest.mark.parametrize(
    ("program", "within", "words"),
    [(DYING, WITHIN, "exited with code 3"), (MUTE, 0.01, "did not reply within 0 seconds")],
    ids=["an engine that exits", "an engine that says nothing"],
)
async def test_a_missing_reply_is_explained(program: str, within: float, words: str) -> None:
    """The next line gets a new process."""
    async with EngineProcesses(command(program)) as engine:
        for _ in range(2):
            with pytest.raises(EngineFailed, match=words):
                await engine.ask(b"?\n", within)


async def test_an_engine_that_does_not_exist_is_named() -> None:
    """The reason is that of the system."""
    async with EngineProcesses(["/nowhere/engine"]) as engine:
        with pytest.raises(EngineFailed, match=r"cannot start the engine: .*No such file"):
            await engine.ask(b"?\n", WITHIN)
