"""A proxy in a process of its own, which forwards without delay while the clients of a run need all their CPU time.

`python -m parlour.chaos.proxy_process SERVER LISTEN` prints the port on which it listens. Then it reads one command per
line, and ends at the end of its input.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Self

from parlour.chaos.child_process import ChildProcess, standard_input
from parlour.chaos.proxy import Address, Proxy, Way
from parlour.server import loop


class ProxyProcess:
    """Forwards everything, until told otherwise, like `Proxy`. An async context manager."""

    def __init__(self, server: Address, listen: Address = 0) -> None:
        """`listen`: 0 for any free port."""
        self._process = ChildProcess(__name__, str(server), str(listen))
        self.port = 0

    async def __aenter__(self) -> Self:
        output = await self._process.start()
        self.port = int(await output.readline())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._process.kill()

    def cut(self) -> None:
        """Abort all connections, and refuse new ones until `heal`."""
        self._process.send(b"cut")

    def delay(self, seconds: float) -> None:
        """Deliver everything this much later, until `heal`."""
        self._process.send(f"delay {seconds}".encode())

    def swallow(self, *ways: Way) -> None:
        """Accept data on these ways and forward none of it, until `heal`."""
        self._process.send(" ".join(["swallow", *(way.name for way in ways)]).encode())

    def heal(self) -> None:
        """Work properly again. Connections that may have lost data are aborted."""
        self._process.send(b"heal")


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
    reader = await standard_input()
    async with Proxy(server, listen) as proxy:
        print(0 if isinstance(listen, Path) else proxy.port, flush=True)
        while line := await reader.readline():
            obey(proxy, line.decode())


def _address(text: str) -> Address:
    return int(text) if text.isdecimal() else Path(text)


if __name__ == "__main__":
    loop.run(_serve(_address(sys.argv[1]), _address(sys.argv[2])))
