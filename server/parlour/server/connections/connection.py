"""A client's connection, as the rest of the server sees it: messages in, messages out, limits, closing."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from os import write
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from parlour.protocol.codec import Codec
from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.messages import Message, Moved, Refused
from parlour.server.connections.frames import Broadcast, command_id, encode_frame
from parlour.server.connections.incidents import Incident
from parlour.server.connections.limits import Source

if TYPE_CHECKING:
    from parlour.server.connections.broadcast import BroadcastGroup
    from parlour.server.connections.hub import Hub

ABNORMAL = 1006  # the code of connections that ended without a close frame
INTERNAL = 1011
LONGEST_REASON = 123  # bytes that fit into a close frame
NEWEST_WEIGHT = 0.25  # of the newest round trip in the smoothed one


class Socket(Protocol):
    """What a connection needs of its WebSocket, besides writing."""

    def buffered(self) -> int:
        """Return the number of bytes written and not yet taken by the kernel."""

    def start_closing(self, code: int, reason: str) -> None:
        """Send a close frame after everything written before. The rest is bounded in time."""

    def abort(self) -> None:
        """End the connection at once."""


class Connection:
    """One connection. Every method returns at once; none raises."""

    __slots__ = (
        "_close_code",
        "_closed",
        "_largest_write",
        "_pending",
        "_ping_payload",
        "_pinged_at",
        "_refused",
        "_refused_since",
        "_socket",
        "_socket_fd",
        "_spent",
        "_write",
        "_write_blocked",
        "address",
        "behind",
        "codec",
        "groups",
        "hub",
        "lag",
        "owner",
        "rtt",
        "source",
    )  # fmt: skip

    def __init__(
        self,
        socket: Socket,
        write: Callable[[bytes], None],
        hub: Hub,
        *,
        codec: Codec,
        address: str,
        source: Source,
        socket_fd: int | None = None,
    ) -> None:
        """`socket_fd` is the descriptor below `write`: while nothing is buffered, writing to it does the same."""
        self.hub = hub
        self.codec = codec
        self.address = address
        self.source = source
        self.owner: Any = None  # set and used by the listener
        self.rtt: float | None = None  # smoothed round-trip time in seconds; None until measured
        self.lag = 0  # milliseconds for one way
        self.behind = False  # from a dropped broadcast until the buffer has drained
        self.groups: set[BroadcastGroup] = set()  # the groups it belongs to
        self._socket = socket
        self._socket_fd = socket_fd
        self._write = write
        self._pending = b""  # frames for the next flush
        self._write_blocked = False  # the kernel did not take everything, and the rest is buffered
        self._largest_write = 0  # bytes of the largest single write since nothing was buffered
        self._closed = False  # nothing more is sent or received
        self._close_code: int | None = None  # if this side decided to close
        self._spent = 0.0  # see Rate
        self._refused = 0  # messages over the rate in the current second
        self._refused_since = 0.0
        self._ping_payload = b""
        self._pinged_at: float | None = None  # when the unanswered ping was sent

    def __repr__(self) -> str:
        return f"<Connection {self.address} {self.codec.subprotocol}>"

    # -- sending

    def send(self, message: Message | Moved) -> None:
        """Send to this connection alone. Never dropped; a connection whose buffer overflows is aborted."""
        self.put(encode_frame(self.codec, message))

    def write(self, broadcast: Broadcast) -> bool:
        """Send what many receive. Return False if it was dropped because the connection is behind."""
        if self._write_blocked and not self._closed and self._is_full():
            self._fall_behind()
            return False
        self.put(broadcast[self.codec])
        return True

    def put(self, frame: bytes) -> None:
        """Send a frame together with the others of this loop iteration."""
        if self._closed:
            return
        if not self._pending:
            self.hub.schedule_flush(self)
        self._pending += frame

    def flush(self) -> None:
        """Write all pending frames."""
        if self._write_blocked:
            self.check_buffer()
        data = self._pending
        if data:
            self._pending = b""
            if self._socket_fd is not None and not self._write_blocked:
                try:
                    written = write(self._socket_fd, data)
                except OSError:  # its buffer is full, or the other side is gone: the event loop will see which
                    written = 0
                if written == len(data):
                    return
                data = data[written:]
            self.write_buffered(data)

    def write_buffered(self, data: bytes) -> None:
        """Write through the event loop, which buffers what the kernel does not take."""
        self._largest_write = max(self._largest_write, len(data))
        try:
            self._write(data)
        except RuntimeError:
            self.stop()  # the other side has closed the connection in this very iteration

    @property
    def direct_socket(self) -> int | None:
        """The descriptor, if writing to it keeps the order of everything written before, except what is pending."""
        return None if self._write_blocked or self._closed else self._socket_fd

    # -- slow readers

    def writing_blocked(self) -> None:
        """Note that data is buffered."""
        self._write_blocked = True
        self._invalidate_groups()

    def writing_resumed(self) -> None:
        """Note that nothing is buffered any more."""
        self._write_blocked = False
        self._largest_write = 0
        self._invalidate_groups()
        if self.behind:
            self.behind = False
            self.hub.behind.pop(self, None)
            if not self._closed:
                try:
                    self.hub.listener.drained(self)
                except Exception:
                    self.hub.log_failure(self, "drained")

    def check_buffer(self) -> None:
        """Abort if more is buffered than one connection may hold. A single large message may exceed that."""
        if not self._closed and self._socket.buffered() > self.hub.limits.hard_buffer + self._largest_write:
            self.abort_slow()

    def abort_slow(self) -> None:
        """Abort a connection that cannot take what is sent to it."""
        self.hub.count(Incident.TOO_SLOW)
        self.abort(CloseCode.TOO_SLOW)

    def _is_full(self) -> bool:
        return self.behind or self._socket.buffered() > self.hub.limits.soft_buffer

    def _fall_behind(self) -> None:
        if not self.behind:
            self.behind = True
            self.hub.behind[self] = monotonic()
            self.hub.count(Incident.BEHIND)

    def _invalidate_groups(self) -> None:
        for group in self.groups:
            group.invalidate()

    # -- receiving

    def receive(self, payload: bytes | str) -> None:
        """Pass a complete message to the listener, if it is within the rate."""
        if self._closed:
            return
        now = monotonic()
        hub = self.hub
        rate = hub.rate
        spent = self._spent if self._spent > now else now  # max() costs three times as much
        if spent - now > rate.slack or not self.source.take(now):
            self._refuse(now, payload)
            return
        self._spent = spent + rate.step
        try:
            hub.received(self, payload)
        except Exception:
            hub.log_failure(self, "received")

    def charge(self, messages: int) -> float:
        """Count a message as this many more, because it costs as much; return 0, or the seconds to wait if it is over
        the rate of the connection or of its address.
        """
        now = monotonic()
        rate = self.hub.rate
        spent = max(self._spent, now)
        wait = max(rate.wait(spent - now, messages), self.source.wait(now, messages))
        if wait <= 0:
            self._spent = spent + rate.step * messages
            self.source.charge(now, messages)
        return max(0.0, wait)

    def receive_control(self) -> None:
        """Count a ping, pong or fragment: too many of them are a flood too."""
        self._refuse(monotonic(), None)

    def _refuse(self, now: float, payload: bytes | str | None) -> None:
        """Refuse a message over the rate, with a reply so that no command stays unanswered; close on a flood."""
        if now - self._refused_since > 1.0:
            self._refused = 0
            self._refused_since = now
        self._refused += 1
        limits = self.hub.limits
        if self._refused > limits.rate * limits.flood:
            self.hub.count(Incident.FLOOD)
            self.close(CloseCode.FLOOD)
        elif payload is not None:
            self.hub.count(Incident.TOO_FAST)
            wait = max(self.hub.rate.wait(self._spent - now), self.source.wait(now))
            text = f"At most {limits.rate:g} messages a second: wait a moment and send this again."
            id = command_id(self.codec, payload)
            self.send(Refused(code=ErrorCode.TOO_FAST, text=text, id=id, retry_after=max(1, ceil(wait * 1000))))

    # -- keep-alive

    def ping(self, payload: bytes) -> None:
        """Send a ping, or abort if the previous one is still unanswered."""
        if self._closed:
            return
        if self._pinged_at is None:
            self._pinged_at = monotonic()
            self._ping_payload = payload
            self.put(b"\x89%c%b" % (len(payload), payload))
        elif self.behind:
            self.abort_slow()
        else:
            self.hub.count(Incident.SILENT)
            self.abort(ABNORMAL)

    def receive_pong(self, payload: bytes) -> None:
        """Measure the round trip of the ping that this pong answers."""
        if self._pinged_at is not None and payload == self._ping_payload:
            self.measured(monotonic() - self._pinged_at)
            self._pinged_at = None

    def measured(self, seconds: float) -> None:
        """Take a round trip into account."""
        self.rtt = seconds if self.rtt is None else self.rtt + (seconds - self.rtt) * NEWEST_WEIGHT
        self.lag = int(self.rtt * 500)

    # -- opening and closing

    def start(self) -> None:
        """Register the connection and tell the listener."""
        hub = self.hub
        hub.connections.add(self)
        try:
            hub.listener.opened(self)
        except Exception:
            hub.log_failure(self, "opened")
            if not self._closed:
                self._stop_with(INTERNAL)
                self._socket.start_closing(INTERNAL, "The server has made a mistake.")

    def close(self, code: CloseCode, text: str = "") -> None:
        """Close after everything sent before. `Listener.closed` follows."""
        if self._closed:
            return
        self.flush()
        self._stop_with(code)
        self._socket.start_closing(code, _truncated(text or code.meaning))

    def abort(self, code: int) -> None:
        """End the connection at once; what is still buffered is lost."""
        self._stop_with(code)
        self._socket.abort()

    def stop(self) -> None:
        """Send and receive nothing more: the connection is closing."""
        self._closed = True
        self._pending = b""
        self._invalidate_groups()

    def _stop_with(self, code: int) -> None:
        self.stop()
        if self._close_code is None:
            self._close_code = code

    def lost(self, code: int) -> None:
        """Tell the listener that the connection is closed; `code` is the other side's."""
        hub = self.hub
        self.stop()
        hub.remove(self)
        try:
            hub.listener.closed(self, code if self._close_code is None else self._close_code)
        except Exception:
            hub.log_failure(self, "closed")
        self.owner = None  # which refers to this connection


def _truncated(reason: str) -> str:
    """Return as much of a text as fits into a close frame."""
    return reason.encode()[:LONGEST_REASON].decode(errors="ignore")
