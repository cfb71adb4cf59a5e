"""All spectators of a run, in a process of their own.

`python -m parlour.chaos.watcher_process COUNT SEED URL...` connects the spectators. Then it reads one `Instruction` per
line, and prints a `Status` whenever it has changed. After the instruction to finish it prints `Seen`, and ends.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio import StreamReader
from collections.abc import Sequence
from random import Random
from typing import Self

import msgspec
from msgspec import Struct

from parlour.chaos.child_process import ChildProcess, standard_input
from parlour.chaos.client_group import ClientGroup
from parlour.chaos.observations import View
from parlour.chaos.recorder import Recorder
from parlour.chaos.watchers import Watcher
from parlour.server import loop

STATUS_EVERY = 0.1  # seconds


class Instruction(Struct):
    """An instruction to the process."""

    rooms: list[str] = []  # the games that are going on
    finish_within: float | None = None  # seconds; if given, end when every spectator has seen the end of its game


class Status(Struct, tag=True, frozen=True):
    """The status of the spectators."""

    is_connected: bool = False  # whether all of them are
    reconnects: int = 0


class Seen(Struct, tag=True):
    """The observations of the spectators."""

    views: list[View]
    shown: list[tuple[str, int, str]]  # room, seq and move
    failures: list[str]


Output = Status | Seen


class WatcherProcess:
    """Spectators that follow one game after another. An async context manager: they are connected inside it."""

    def __init__(self, urls: Sequence[str], count: int, seed: int, recorder: Recorder) -> None:
        self.status = Status()
        self._process = ChildProcess(__name__, str(count), str(seed), *urls)
        self._recorder = recorder
        self._reading: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Start the process, and return when all spectators are connected."""
        output = await self._process.start()
        self._take(await output.readline())
        self._reading = asyncio.create_task(self._read(output))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._process.kill()
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    def offer(self, rooms: Sequence[str]) -> None:
        """Say which games are going on."""
        self._send(Instruction(rooms=list(rooms)))

    async def finish(self, within: float) -> None:
        """Let all spectators see the end of their games, and note what they have observed."""
        assert self._reading is not None
        self._send(Instruction(finish_within=within))
        await self._reading

    def _send(self, instruction: Instruction) -> None:
        self._process.send(msgspec.json.encode(instruction))

    async def _read(self, stdout: StreamReader) -> None:
        while line := await stdout.readline():
            if self._take(line):
                return
        self._take(b"")

    def _take(self, line: bytes) -> bool:
        """Process a line of output; none if the process has ended. Return whether it was the last one."""
        if not line:
            self._recorder.fail("The process of the spectators ended by itself.")
            return True
        output = msgspec.json.decode(line, type=Output)
        if isinstance(output, Status):
            self.status = output
            return False
        for room, seq, move in output.shown:
            self._recorder.seen.shown.setdefault((room, seq), set()).add(move)
        self._recorder.seen.views += output.views
        self._recorder.seen.failures += output.failures
        return True


async def _main(count: int, seed: int, urls: Sequence[str]) -> None:
    reader = await standard_input()
    recorder, rng, ending = Recorder(), Random(seed), asyncio.Event()
    rooms: list[str] = []
    async with ClientGroup(urls, recorder) as group:
        for client in await group.connect(count):
            group.run(Watcher(client, recorder, Random(rng.random()), lambda: rooms, ending).run())
        loop.shorten_collections()
        reporting = asyncio.create_task(_report(group))
        while line := await reader.readline():
            instruction = msgspec.json.decode(line, type=Instruction)
            rooms[:] = instruction.rooms
            if instruction.finish_within is not None:
                ending.set()
                await group.finish(instruction.finish_within)
                break
        reporting.cancel()
        seen = recorder.seen
        shown = [(room, seq, move) for (room, seq), moves in seen.shown.items() for move in moves]
        _print(Seen(seen.views, shown, seen.failures))


async def _report(group: ClientGroup) -> None:
    """Print the status whenever it has changed."""
    printed = None
    while True:
        status = Status(group.is_connected, group.reconnects)
        if status != printed:
            _print(status)
            printed = status
        await asyncio.sleep(STATUS_EVERY)


def _print(output: Output) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(output) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    loop.run(_main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
