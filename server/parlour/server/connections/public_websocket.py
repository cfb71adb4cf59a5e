"""A WebSocket through the documented interface of `websockets`: one task per connection that awaits each message.

The fallback for versions that `websocket` does not support. It does the same, only slower: full buffers are noticed by
polling, and plain HTTP requests are not counted by address.
"""

from __future__ import annotations

import asyncio
from time import monotonic

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from parlour.protocol.codec import CODECS
from parlour.server.connections.connection import ABNORMAL, Connection
from parlour.server.connections.hub import Hub


class PublicWebSocket:
    """A WebSocket of the library, used through its public methods."""

    def __init__(self, websocket: ServerConnection, address: str, hub: Hub) -> None:
        self._websocket = websocket
        self._hub = hub
        self._transport = websocket.transport
        self._blocked = False
        self._latency = 0.0
        self._closing: asyncio.Task[None] | None = None
        self._source = hub.counts.enter(address)
        codec = CODECS[str(websocket.subprotocol)]
        self._connection = Connection(self, self._write, hub, codec=codec, address=address, source=self._source)

    async def serve(self) -> None:
        """Receive messages until the connection closes."""
        code = ABNORMAL
        self._hub.polled.add(self)
        self._hub.add(self._connection, pings=False)
        try:
            while True:
                self._connection.receive(await self._websocket.recv())
        except ConnectionClosed as closed:
            closing = closed.rcvd or closed.sent
            code = ABNORMAL if closing is None else closing.code
        finally:
            self._hub.polled.discard(self)
            self._hub.counts.leave(self._source, monotonic())
            self._connection.lost(code)

    def poll(self) -> None:
        """Check whether data is buffered, and whether a ping was answered."""
        blocked = self.buffered() > 0
        if blocked != self._blocked:
            self._blocked = blocked
            if blocked:
                self._connection.writing_blocked()
            else:
                self._connection.writing_resumed()
        if self._websocket.latency != self._latency:
            self._latency = self._websocket.latency
            self._connection.measured(self._latency)

    def _write(self, data: bytes) -> None:
        self._transport.write(data)
        self.poll()

    # -- what a connection needs (see `Socket`)

    def buffered(self) -> int:
        return self._transport.get_write_buffer_size()

    def start_closing(self, code: int, reason: str) -> None:
        loop = asyncio.get_running_loop()
        self._closing = loop.create_task(self._websocket.close(code, reason))
        loop.call_later(self._hub.close_within, self._transport.abort)

    def abort(self) -> None:
        self._transport.abort()
