"""A proxy in a process of its own, which forwards without delay while the clients of a run need all their CPU time.

`python -m parlour.chaos.proxy_process SERVER LISTEN` prints the port on which it listens. Then it reads one command per
line, and ends at the end of its input.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from pathlib import Path
from typing import Self

from parlour.chaos.proxy import Address, Proxy, Way
from parlour.server import loop


class ProxyProcess:
    """Forwards everything, until told otherwise, like `Proxy`. An async context manager."""

    def __init__(self, server: Address, listen: Address = 0) -> None:
        """`listen`: 0 for any free port."""
        self._addresses = str(server), str(listen)
        self._process: Process | None = None
        self.port = 0

    async def __aenter__(self) -> Self:
        # In a session of its own, because Ctrl-C in a terminal reaches all processes of the session.
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, *self._addresses, stdin=PIPE, stdout=PIPE, start_new_session=True
        )
        assert self._process.stdout is not None
        self.port = int(await self._process.stdout.readline())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._process is not None
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()

    def cut(self) -> None:
        """Abort all connections, and refuse new ones until `heal`."""
        self._send("cut")

    def delay(self, seconds: float) -> None:
        """Deliver everything this much later, until `heal`."""
        self._send(f"delay {seconds}")

    def swallow(self, *ways: Way) -> None:
        """Accept data on these ways and forward none of it, until `heal`."""
        self._send(" ".join(["swallow", *(way.name for way in ways)]))

    def heal(self) -> None:
        """Work properly again. Connections that may have lost data are aborted."""
        self._send("heal")

    def _send(self, command: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n".encode())


def obey(proxy: Proxy, command: str) -> None:
    """Execute a command that `ProxyProcess` has sent."""
    match command.split():
        case ["cut"]:
            proxy.cut()
        case ["delay", seconds]:
            proxy.delay(float(seconds))
        case ["swallow", *ways]:
            proxy.swallow(*(Way[way] for way in ways))
        case ["heal"]:
            proxy.heal()
        case _:
            raise ValueError(f"unknown command: {command!r}")


async def _serve(server: Address, listen: Address) -> None:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    async with Proxy(server, listen) as proxy:
        print(0 if isinstance(listen, Path) else proxy.port, flush=True)
        while line := await reader.readline():
            obey(proxy, line.decode())


def _address(text: str) -> Address:
    return int(text) if text.isdecimal() else Path(text)


if __name__ == "__main__":
    loop.run(_serve(_address(sys.argv[1]), _address(sys.argv[2])))
