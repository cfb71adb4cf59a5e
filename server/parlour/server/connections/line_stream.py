"""A connection whose messages leave as the lines of an HTTP response, as NDJSON or as server-sent events.

For the rest of the server it is a connection like a WebSocket: with the same limits for slow readers, and closed with
all others when the node stops. The response is chunked, so a client can tell its end from a broken connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from parlour.protocol.codec import JSON
from parlour.protocol.errors import CloseCode
from parlour.server.connections.connection import ABNORMAL, Connection
from parlour.server.connections.frames import TEXT
from parlour.server.connections.hub import Hub
from parlour.server.connections.limits import Source

NDJSON_TYPE = "application/x-ndjson"
EVENTS_TYPE = "text/event-stream"
LAST_CHUNK = b"0\r\n\r\n"
EMPTY_FRAME = bytes((TEXT, 0))


class LineStream:
    """Implements `Socket`. Until it is started, what is sent waits in memory, within the limits of a connection."""

    def __init__(self, hub: Hub, address: str, source: Source, *, as_events: bool = False) -> None:
        self.connection = Connection(self, self._write, hub, codec=JSON, address=address, source=source)
        self.content_type = EVENTS_TYPE if as_events else NDJSON_TYPE
        self._hub = hub
        self._as_events = as_events
        self._waiting = bytearray()
        self._transport: asyncio.WriteTransport | None = None
        self._is_closing = False
        self._timer: asyncio.TimerHandle | None = None

    def start(self, transport: asyncio.WriteTransport) -> None:
        """Send the head of the response, then waiting messages, then every message as it comes."""
        self._transport = transport
        self._hub.connections.add(self.connection)
        if self._waiting:
            transport.write(bytes(self._waiting))
            self._waiting.clear()
        if self._is_closing:
            self.start_closing(CloseCode.GOING_AWAY, "")
        else:
            self._keep_alive()

    def stop(self) -> None:
        """Send no more empty lines: the connection is closed."""
        if self._timer is not None:
            self._timer.cancel()

    def end(self) -> None:
        """Release a connection that was not started."""
        self.connection.lost(ABNORMAL)

    def _keep_alive(self) -> None:
        """Send an empty line once in a while: proxies close silent connections, and a dead client is noticed."""
        self.connection.put(EMPTY_FRAME)
        delay = self._hub.limits.ping_interval
        self._timer = asyncio.get_running_loop().call_later(delay, self._keep_alive)

    def _write(self, frames: bytes) -> None:
        lines = b"".join(map(self._line, payloads(frames)))
        chunk = b"%x\r\n%b\r\n" % (len(lines), lines)
        if self._transport is None:
            self._waiting += chunk
        else:
            self._transport.write(chunk)

    def _line(self, payload: bytes) -> bytes:
        if not self._as_events:
            return payload + b"\n"
        return b"data: %b\n\n" % payload if payload else b":\n\n"

    # -- what a connection needs (see `Socket`)

    def buffered(self) -> int:
        return len(self._waiting) if self._transport is None else self._transport.get_write_buffer_size()

    def start_closing(self, code: int, reason: str) -> None:
        self._is_closing = True
        if self._transport is not None:
            if code != CloseCode.TOO_SLOW:
                self._transport.write(LAST_CHUNK)
            self._transport.close()
            asyncio.get_running_loop().call_later(self._hub.close_within, self._transport.abort)

    def abort(self) -> None:
        self._is_closing = True
        if self._transport is not None:
            self._transport.abort()


def payloads(frames: bytes) -> Iterator[bytes]:
    """Yield the payloads of complete frames of a server."""
    start = 0
    while start < len(frames):
        length, payload = frames[start + 1], start + 2
        if length == 126:
            payload = start + 4
            length = int.from_bytes(frames[start + 2 : payload], "big")
        elif length == 127:
            payload = start + 10
            length = int.from_bytes(frames[start + 2 : payload], "big")
        start = payload + length
        yield frames[payload:start]
