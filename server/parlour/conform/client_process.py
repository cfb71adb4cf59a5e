"""The client under test as a process: started, waited for, and killed with all processes that it has started."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import tempfile
from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from parlour.conform.profiles import Profile
from parlour.conform.scripted_server import BOT_TOKEN, WATCHED_ROOM, ScriptedServer

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


class Client(Protocol):
    """A client that can be started as often as necessary."""

    async def run(self, server: ScriptedServer, enough: asyncio.Event, extra: float) -> Run:
        """Let the client play one game, or until `enough` is set. It has `extra` seconds more than for any game."""
        ...


class Program(Struct, frozen=True):
    """A client that is a program, and the seconds that it has for one game."""

    command: Sequence[str]
    limit: float

    async def run(self, server: ScriptedServer, enough: asyncio.Event, extra: float = 0.0) -> Run:
        """Run the program. Raise OSError if it cannot be started."""
        environment = {**os.environ, **environment_of(server)}
        with tempfile.TemporaryFile() as output:
            process = await asyncio.create_subprocess_exec(
                *self.command, stdin=asyncio.subprocess.DEVNULL, stdout=output, stderr=output, env=environment,
                start_new_session=True,
            )  # fmt: skip
            ends = asyncio.create_task(process.wait()), asyncio.create_task(enough.wait())
            try:
                await asyncio.wait(ends, timeout=self.limit + extra, return_when=asyncio.FIRST_COMPLETED)
                exit_code = process.returncode
            finally:
                ends[1].cancel()
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await ends[0]
            return outcome(server, exit_code, self.limit + extra, _last_line(output.fileno()))


def environment_of(server: ScriptedServer) -> dict[str, str]:
    """Return the environment of a client: the address of the server, and its task there."""
    told = {"PARLOUR_URL": server.url, "PARLOUR_GAME": server.terms.game, "PARLOUR_PROFILE": server.profile.value}
    match server.profile:
        case Profile.SPECTATOR:
            told["PARLOUR_ROOM"] = WATCHED_ROOM
        case Profile.BOT:
            told["PARLOUR_TOKEN"] = BOT_TOKEN
    return told


def outcome(server: ScriptedServer, exit_code: int | None, limit: float, said: str) -> Run:
    """Return the outcome of a client's game, from the rooms of the server."""
    rooms = list(server.rooms.values())
    return Run(
        exit_code=exit_code,
        over=any(room.result is not None for room in rooms),
        ply=rooms[0].ply if rooms else None,
        said=said,
        limit=limit,
    )


def _last_line(output: int) -> str:
    size = os.fstat(output).st_size
    tail = os.pread(output, 4096, max(0, size - 4096)).decode(errors="replace")
    lines = [line.strip() for line in tail.splitlines() if line.strip()]
    return lines[-1][:LONGEST_QUOTE] if lines else ""
