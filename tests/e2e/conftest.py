"""Server processes that end with the test, whatever it does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from tests.e2e.processes import ServerProcess

# Tests here come from one address and are in a hurry, which a public server would not like.
QUICK = ("--max-connections-per-address", "1000", "--message-rate", "1000", "--message-burst", "5000")
GENEROUS = (*QUICK, "--unlimited-networks", "127.0.0.0/8")

MakeServer = Callable[..., ServerProcess]


@pytest.fixture
async def make_server(tmp_path: Path) -> AsyncIterator[MakeServer]:
    """Create servers, each with its own data folder, and with one archive if they share a store; not started yet."""
    made: list[ServerProcess] = []

    def make(*options: str, data: str = "data", games: Path | None = None, unlimited: bool = True) -> ServerProcess:
        """`unlimited`: whether the limits per minute do not apply."""
        archive = ("--archive", f"sqlite:///{tmp_path}/archive.sqlite3") if "--redis" in options else ()
        server = ServerProcess(tmp_path / data, *(GENEROUS if unlimited else QUICK), *archive, *options, games=games)
        made.append(server)
        return server

    yield make
    for server in made:
        if server.process is not None and server.process.returncode is None:
            await server.kill()


@pytest.fixture
async def server(make_server: MakeServer) -> ServerProcess:
    """A running server."""
    one = make_server()
    await one.start()
    return one
