"""The client under test as a process: started, waited for, and killed with all processes that it has started."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import tempfile
from collections.abc import Sequence

from msgspec import Struct

from parlour.conform.scripted_server import ScriptedServer

LONGEST_QUOTE = 200


class Run(Struct, frozen=True):
    """The outcome of one game of the client."""

    exit_code: int | None  # None: it was killed
    over: bool  # whether the game ended
    ply: int | None  # how many moves were played; None: there was no game
    said: str  # the last line that it printed
    limit: float

    @property
    def fine(self) -> bool:
        return self.over and self.exit_code == 0

    def __str__(self) -> str:
        how = f"exited with {self.exit_code}" if self.exit_code is not None else f"was running after {self.limit:g} s"
        when = "after the game" if self.over else "before any game" if self.ply is None else f"at ply {self.ply}"
        return f"it {how}, {when}" + (f"; its last line of output: {self.said}" if self.said else "")


class Client(Struct, frozen=True):
    """A program, the game that it plays, and the seconds that it has for one."""

    command: Sequence[str]
    game: str
    limit: float

    async def run(self, server: ScriptedServer, enough: asyncio.Event) -> Run:
        """Let the client play one game, or until `enough` is set. Raise OSError if it cannot be started."""
        environment = {**os.environ, "PARLOUR_URL": server.url, "PARLOUR_GAME": self.game}
        with tempfile.TemporaryFile() as output:
            process = await asyncio.create_subprocess_exec(
                *self.command, stdin=asyncio.subprocess.DEVNULL, stdout=output, stderr=output, env=environment,
                start_new_session=True,
            )  # fmt: skip
            ends = asyncio.create_task(process.wait()), asyncio.create_task(enough.wait())
            try:
                await asyncio.wait(ends, timeout=self.limit, return_when=asyncio.FIRST_COMPLETED)
                exit_code = process.returncode
            finally:
                ends[1].cancel()
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await ends[0]
            rooms = list(server.rooms.values())
            return Run(
                exit_code=exit_code,
                over=any(room.result is not None for room in rooms),
                ply=rooms[0].ply if rooms else None,
                said=_last_line(output.fileno()),
                limit=self.limit,
            )


def _last_line(output: int) -> str:
    size = os.fstat(output).st_size
    tail = os.pread(output, 4096, max(0, size - 4096)).decode(errors="replace")
    lines = [line.strip() for line in tail.splitlines() if line.strip()]
    return lines[-1][:LONGEST_QUOTE] if lines else ""
