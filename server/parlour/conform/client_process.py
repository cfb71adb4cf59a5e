"""Somebody's client as a process: started against a server, waited for, and ended with all it has started."""

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
    """How one start of the client went."""

    exit_code: int | None  # None: it had to be ended
    over: bool  # whether the game got to its end
    ply: int | None  # how far the game got; None: there was none
    said: str  # the last line that it printed
    limit: float

    @property
    def fine(self) -> bool:
        return self.over and self.exit_code == 0

    def __str__(self) -> str:
        how = f"exited with {self.exit_code}" if self.exit_code is not None else f"was running after {self.limit:g} s"
        when = "after the game" if self.over else "before any game" if self.ply is None else f"at ply {self.ply}"
        return f"it {how}, {when}" + (f"; its last words: {self.said}" if self.said else "")


class Client(Struct, frozen=True):
    """A program, the game that it shall play, and the seconds it has for one."""

    command: Sequence[str]
    game: str
    limit: float

    async def run(self, server: ScriptedServer, enough: asyncio.Event) -> Run:
        """Let it play one game, or until there is enough of it. Raises OSError if there is no such program."""
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
