"""The addresses of a scripted server."""

from __future__ import annotations

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from parlour.conform.codec import JSON
from parlour.conform.listening import address_of, local_socket
from parlour.conform.scripted_server import ScriptedServer
from tests.conform.virtual_time import UnixSockets


async def test_a_closed_address_keeps_its_connections() -> None:
    """An address that is closed accepts no more connections; the open ones and the other address still work."""
    names = [Subprotocol(JSON.subprotocol)]
    async with ScriptedServer(nodes=1) as server, connect(server.url, subprotocols=names) as first:
        server.refuse_first_address()
        await first.send('{"t":"hello"}')
        assert server.nodes[0] in str(await first.recv())
        with pytest.raises(OSError, match=r"refused|failed"):
            await connect(server.url, subprotocols=names)
        async with connect(server.nodes[0], subprotocols=names):
            pass


def test_addresses_are_written_for_clients() -> None:
    """A port is a WebSocket URL, and a Unix socket is named by its path."""
    with local_socket() as listener:
        assert address_of(listener) == f"ws://127.0.0.1:{listener.getsockname()[1]}/ws"
    with UnixSockets() as sockets, sockets.open() as listener:
        assert address_of(listener) == f"unix:{listener.getsockname()}"
