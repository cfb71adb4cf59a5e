"""The systems of the load benchmark."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from bench.load.systems import SYSTEMS, System, find_system, running
from tests.redis_client import client

SERVER = """
import socket, sys
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    server.accept()
"""


def fake(*, durable: bool, sockets: list[str]) -> System:
    """Return a system that only listens, and that notes the store's socket."""

    def command(port: int, store: str) -> list[str]:
        sockets.append(store)
        return [sys.executable, "-c", SERVER, str(port)]

    return System("fake", "Fake", "plain", durable, command)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_every_system_can_be_found() -> None:
    """The keys on the command line are those of the systems."""
    assert [find_system(key).key for key in SYSTEMS] == list(SYSTEMS)
    with pytest.raises(ValueError, match="nginx"):
        find_system("nginx")


def test_durable_peers_are_the_same_servers_with_a_store() -> None:
    """A durable peer differs from the other only in the socket that it is given."""
    for name in ("colyseus", "ws"):
        durable, in_memory = find_system(f"durable-{name}"), find_system(name)
        assert (durable.durable, in_memory.durable) == (True, False)
        assert durable.command(80, "/tmp/s") == [*in_memory.command(80, ""), "/tmp/s"]


def test_parlour_uses_the_given_store() -> None:
    """The node does not start a store for itself, whose CPU time could not be told apart."""
    assert "unix:///tmp/s" in find_system("parlour").command(80, "/tmp/s")


async def test_a_durable_system_has_a_store_of_its_own() -> None:
    """The store writes an append-only file, answers on the socket, and ends with the system."""
    sockets: list[str] = []
    async with running(fake(durable=True, sockets=sockets)) as server:
        redis = client(f"unix://{sockets[0]}")
        info = await redis.info()
        await redis.aclose()
        assert info["process_id"] == server.store_pids[0]
        assert info["aof_enabled"] == 1

    assert not is_running(server.store_pids[0])
    assert not is_running(server.pids[0])
    assert not Path(sockets[0]).exists()


async def test_a_system_in_memory_has_no_store() -> None:
    """It is given no socket, and there is no process whose CPU time could be added."""
    sockets: list[str] = []
    async with running(fake(durable=False, sockets=sockets)) as server:
        assert (server.store_pids, sockets) == ((), [""])
