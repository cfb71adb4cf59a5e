"""The port that workers share is theirs alone."""

from __future__ import annotations

import socket
from contextlib import ExitStack

import pytest

from parlour.server.workers.port import reserve

HOST = "127.0.0.1"


def listening(port: int) -> socket.socket:
    return socket.create_server((HOST, port), reuse_port=True)


async def test_workers_can_open_a_reserved_port() -> None:
    """Several sockets listen there; the reservation itself takes no connections."""
    with ExitStack() as stack:
        port = await reserve(HOST, 0, stack)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((HOST, port))
        with listening(port) as one, listening(port) as two:
            clients = [stack.enter_context(socket.create_connection((HOST, port))) for _ in range(40)]
            one.setblocking(False)
            two.setblocking(False)
            assert 0 < accepted(one) < len(clients)
            assert accepted(two) > 0


async def test_a_port_in_use_cannot_be_reserved() -> None:
    """Not even if its user would share it, as another server with workers does."""
    with listening(0) as taken, ExitStack() as stack, pytest.raises(OSError, match="in use"):
        await reserve(HOST, taken.getsockname()[1], stack)


async def test_a_host_name_may_have_several_addresses() -> None:
    """The same port is reserved for all of them."""
    with ExitStack() as stack:
        port = await reserve("localhost", 0, stack)
        with listening(port):
            stack.enter_context(socket.create_connection((HOST, port)))


def accepted(server: socket.socket) -> int:
    """Return how many connections wait to be accepted."""
    count = 0
    while True:
        try:
            server.accept()[0].close()
        except BlockingIOError:
            return count
        count += 1
