"""The ordinary way to receive messages, through the documented interface of `websockets`: a task that waits for each.

Used when the installed version is not one that `connection` knows. It does the same, only slower: full buffers are
noticed by looking now and then, and plain HTTP requests are not counted by address.
"""

from __future__ import annotations

import asyncio
from time import monotonic

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from parlour.protocol.codec import CODECS
from parlour.server.transport.peer import BROKEN, Peer
from parlour.server.transport.switchboard import Switchboard


class PublicWire:
    """A connection of the library, used from outside."""

    def __init__(self, connection: ServerConnection, address: str, board: Switchboard) -> None:
        self._connection = connection
        self._board = board
        self._transport = connection.transport
        self._stuck = False
        self._latency = 0.0
        self._closing: asyncio.Task[None] | None = None
        self._source = board.crowd.enter(address)
        codec = CODECS[str(connection.subprotocol)]
        self._peer = Peer(self, self._write, board, codec=codec, address=address, source=self._source)

    async def serve(self) -> None:
        """From the first message to the last."""
        code = BROKEN
        self._board.polled.add(self)
        self._board.welcome(self._peer, pings=False)
        try:
            while True:
                self._peer.take(await self._connection.recv())
        except ConnectionClosed as closed:
            closing = closed.rcvd or closed.sent
            code = BROKEN if closing is None else closing.code
        finally:
            self._board.polled.discard(self)
            self._board.crowd.leave(self._source, monotonic())
            self._peer.lost(code)

    def poll(self) -> None:
        """Look whether something is buffered, and whether a ping was answered."""
        stuck = self.buffered() > 0
        if stuck != self._stuck:
            self._stuck = stuck
            if stuck:
                self._peer.paused()
            else:
                self._peer.resumed()
        if self._connection.latency != self._latency:
            self._latency = self._connection.latency
            self._peer.measured(self._latency)

    def _write(self, data: bytes) -> None:
        self._transport.write(data)
        self.poll()

    # -- what a peer needs

    def buffered(self) -> int:
        return self._transport.get_write_buffer_size()

    def hang_up(self, code: int, reason: str) -> None:
        loop = asyncio.get_running_loop()
        self._closing = loop.create_task(self._connection.close(code, reason))
        loop.call_later(self._board.patience, self._transport.abort)

    def abort(self) -> None:
        self._transport.abort()
