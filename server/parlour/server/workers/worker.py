"""A worker as its supervisor sees it: a process and the channel to it."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Callable
from contextlib import suppress

from parlour import games
from parlour.server.configuration.setting_sources import to_environment
from parlour.server.configuration.settings import PREFIX, Settings
from parlour.server.workers.channel import Channel, open_channel
from parlour.server.workers.messages import FromSupervisor, FromWorker


class Worker:
    """A running worker. Create it with `start`."""

    def __init__(self, number: int, process: Process, channel: Channel[FromWorker]) -> None:
        self.number = number
        self.is_open = False  # whether it has opened the port once
        self.is_healthy = True  # whether the store accepts its writes
        self.replied = asyncio.Event()  # whether it has sent its metrics since they were last requested
        self._process = process
        self._channel = channel

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, message: FromSupervisor) -> None:
        """Send a message."""
        self._channel.send(message)

    async def run(self, receive: Callable[[Worker, FromWorker], None]) -> int:
        """Pass on what the worker says until it ends; return its exit code."""
        async for message in self._channel.receive():
            receive(self, message)
        self.close()
        return await self._process.wait()

    def close(self) -> None:
        """Close the channel, on which the worker stops."""
        self._channel.close()

    def signal(self, number: int) -> None:
        """Send a signal to the process, if it is still running."""
        with suppress(ProcessLookupError):
            self._process.send_signal(number)


async def start(number: int, settings: Settings, store_url: str | None) -> Worker:
    """Start a worker with these settings; `store_url` is the address of the embedded store, if there is one."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "parlour.server.workers", str(theirs.fileno()), *([store_url] if store_url else []),
            stdin=DEVNULL,
            pass_fds=(theirs.fileno(),),
            env=_environment(settings),
            process_group=0,  # Ctrl-C reaches only the supervisor, which stops the workers before the store
        )  # fmt: skip
    return Worker(number, process, await open_channel(ours, FromWorker))


def _environment(settings: Settings) -> dict[str, str]:
    """Return this process's environment with these settings, and no others."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    return {**inherited, **to_environment(settings), "PARLOUR_GAMES": os.pathsep.join(games.folders())}
