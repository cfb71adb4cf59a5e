"""The addresses at which a scripted server listens: one, and more if it has other nodes."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from parlour.conform.codec import CODECS

OpenSocket = Callable[[], socket.socket]


def local_socket() -> socket.socket:
    """Return a socket that listens on a free port of this machine."""
    return socket.create_server(("127.0.0.1", 0))


def address_of(listener: socket.socket) -> str:
    """Return the address that clients connect to; that of a Unix socket is its path."""
    name = listener.getsockname()
    return f"unix:{name}" if isinstance(name, str) else f"ws://127.0.0.1:{name[1]}/ws"


class Listening:
    """Several addresses of one server, each of which can be closed."""

    def __init__(self, handler: Callable[[ServerConnection], Awaitable[None]], open_socket: OpenSocket) -> None:
        self.urls: list[str] = []
        self._handler = handler
        self._open_socket = open_socket
        self._servers: list[Server] = []

    async def open(
        self,
        choose: Callable[[ServerConnection, Sequence[Subprotocol]], Subprotocol | None],
        count: int,
        largest_frame: int | None,
    ) -> None:
        """Open this many addresses. A connection with a larger frame is closed with 1009."""
        for _ in range(count):
            listener = self._open_socket()
            self.urls.append(address_of(listener))
            try:
                server = await serve(
                    self._handler, sock=listener, subprotocols=[Subprotocol(name) for name in CODECS],
                    select_subprotocol=choose, process_request=_only_ws, compression=None, ping_interval=None,
                    close_timeout=1, max_size=largest_frame,
                )  # fmt: skip
            except BaseException:  # also if the check is cancelled meanwhile
                listener.close()
                raise
            self._servers.append(server)

    def refuse(self, number: int) -> None:
        """Accept no more connections at an address; the open ones stay."""
        self._servers[number].close(close_connections=False)

    async def close(self) -> None:
        """Close all addresses and connections."""
        for server in self._servers:
            server.close()
        for server in self._servers:
            await server.wait_closed()


def _only_ws(connection: ServerConnection, request: Request) -> Response | None:
    if request.path == "/ws":
        return None
    return connection.respond(HTTPStatus.NOT_FOUND, "Parlour serves /ws.\n")
