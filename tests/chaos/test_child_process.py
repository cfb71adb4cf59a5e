"""A module that runs in a process of its own."""

from __future__ import annotations

import asyncio
import sys

from parlour.chaos.child_process import ChildProcess, standard_input
from tests.waiting import WITHIN


async def test_lines_go_both_ways() -> None:
    """The process reads what its parent sends, in order, and the parent reads what it prints."""
    child = ChildProcess(__name__, "hello")
    async with asyncio.timeout(WITHIN):
        output = await child.start()
        child.send(b"a")
        child.send(b"b")

        assert [await output.readline() for _ in range(3)] == [b"hello\n", b"a\n", b"b\n"]
        await child.kill()
        assert await output.read() == b""


async def test_a_process_that_has_ended_can_be_killed() -> None:
    """The parent need not know whether the process has ended by itself."""
    child = ChildProcess("this")
    async with asyncio.timeout(WITHIN):
        output = await child.start()
        await output.read()

        await child.kill()


async def _echo(greeting: str) -> None:
    reader = await standard_input()
    print(greeting, flush=True)
    while line := await reader.readline():
        print(line.decode(), end="", flush=True)


if __name__ == "__main__":
    asyncio.run(_echo(sys.argv[1]))
