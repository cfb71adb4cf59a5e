"""One connection, as the node sees it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from os import write
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from parlour.protocol.codec import Codec
from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.messages import Message, Moved, Refused
from parlour.server.transport.frames import Broadcast, command_id, framed
from parlour.server.transport.incident import Incident
from parlour.server.transport.limits import Source

if TYPE_CHECKING:
    from parlour.server.transport.group import Group
    from parlour.server.transport.switchboard import Switchboard

log = logging.getLogger(__name__)

BROKEN = 1006  # the code of connections that ended without one
INTERNAL = 1011
LONGEST_REASON = 123  # bytes that fit into a close frame
NEWEST_COUNTS = 0.25  # how much of the newest round trip goes into the smoothed one


class Wire(Protocol):
    """What a peer needs of its connection besides writing."""

    def buffered(self) -> int:
        """Bytes that were written and not yet taken by the system."""

    def hang_up(self, code: int, reason: str) -> None:
        """Begin to close: everything written before still goes out. The end is bounded in time."""

    def abort(self) -> None:
        """End the connection at once."""


class Peer:
    """One connection, as the node sees it. Everything here returns at once; nothing raises."""

    __slots__ = (
        "_code", "_largest", "_over", "_pending", "_ping", "_pinged_at", "_refused", "_refused_since", "_socket",
        "_spent", "_stirred", "_stuck", "_wire", "_write", "address", "behind", "board", "codec", "groups", "lag",
        "opened_at", "owner", "rtt", "source",
    )  # fmt: skip

    def __init__(
        self,
        wire: Wire,
        write: Callable[[bytes], None],
        board: Switchboard,
        *,
        codec: Codec,
        address: str,
        source: Source,
        socket: int | None = None,
    ) -> None:
        """`socket`: the descriptor below `write`. While nothing is buffered, writing there is the same for less."""
        self.board = board
        self.codec = codec
        self.address = address
        self.source = source
        self.opened_at = monotonic()
        self.owner: Any = None  # the node's own
        self.rtt: float | None = None  # seconds there and back, smoothed; None until it was measured
        self.lag = 0  # milliseconds for one way
        self.behind = False  # from a dropped broadcast until drained
        self.groups: set[Group] = set()  # it is in
        self._wire = wire
        self._write = write
        self._socket = socket
        self._pending = b""  # frames to write
        self._stirred = False  # whether they are written in this turn of the loop
        self._stuck = False  # the system does not take all that was written, and the rest is buffered
        self._largest = 0  # bytes that were written at once since nothing was buffered
        self._over = False  # nothing more is sent or received
        self._code: int | None = None  # with which it ends, if that is known already
        self._spent = 0.0  # see Rate
        self._refused = 0  # messages over the rate in the present second
        self._refused_since = 0.0
        self._ping = b""
        self._pinged_at: float | None = None  # of the ping that was not answered yet

    def __repr__(self) -> str:
        return f"<Peer {self.address} {self.codec.subprotocol}>"

    # -- for the node

    def send(self, message: Message | Moved, patient: bool = False) -> None:
        """Send to this peer alone. Never dropped; a peer that lets too much pile up is aborted.

        What is `patient` may wait for a few milliseconds, so that it leaves together with what comes next.
        """
        if not self._over:
            self.put(framed(self.codec, message), patient)

    def write(self, broadcast: Broadcast, patient: bool = False) -> bool:
        """Send what many get. False: dropped because the peer is behind, and the node owes it the whole."""
        if self._stuck and not self._over and self._is_full():
            return self._fall_behind()
        if not self._over:
            self.put(broadcast[self.codec], patient)
        return True

    def close(self, code: CloseCode, text: str = "") -> None:
        """Say goodbye: all that was sent before still goes out. `Listener.closed` follows."""
        if self._over:
            return
        self.flush()
        self._end(code)
        self._wire.hang_up(code, _fitting(text or code.meaning))

    # -- for the connection: what comes in

    def take(self, frame: bytes | str) -> None:
        """A complete message came."""
        if self._over:
            return
        now = monotonic()
        board = self.board
        rate = board.rate
        spent = self._spent if self._spent > now else now  # max() costs three times as much
        if spent - now > rate.slack or not self.source.take(now):
            self._refuse(now, frame)
            return
        self._spent = spent + rate.step
        try:
            board.received(self, frame)
        except Exception:
            board.failed(self, "received")

    def take_control(self) -> None:
        """A ping, pong or fragment came: nothing for the node, but too many of them are a flood too."""
        self._refuse(monotonic(), None)

    def take_pong(self, data: bytes) -> None:
        if self._pinged_at is None or data != self._ping:
            return
        self.measured(monotonic() - self._pinged_at)
        self._pinged_at = None

    def measured(self, seconds: float) -> None:
        """One more round trip was measured."""
        self.rtt = seconds if self.rtt is None else self.rtt + (seconds - self.rtt) * NEWEST_COUNTS
        self.lag = int(self.rtt * 500)

    def _refuse(self, now: float, frame: bytes | str | None) -> None:
        """Over the rate. Answered, so that no command is left without a result, until it is a flood."""
        if now - self._refused_since > 1.0:
            self._refused = 0
            self._refused_since = now
        self._refused += 1
        limits = self.board.limits
        if self._refused > limits.rate * limits.flood:
            self.board.count(Incident.FLOOD)
            self.close(CloseCode.FLOOD)
        elif frame is not None:
            self.board.count(Incident.TOO_FAST)
            text = f"At most {limits.rate:g} messages a second: wait a moment and send this again."
            self.send(Refused(code=ErrorCode.TOO_FAST, text=text, id=command_id(self.codec, frame)))

    # -- for the connection: what goes out

    def put(self, frame: bytes, patient: bool = False) -> None:
        """Send a frame with the others of this turn, or later if it is patient."""
        if self._over:
            return
        waiting = self._pending
        self._pending = waiting + frame
        if patient:
            if not waiting:
                self.board.dawdle(self)
        elif not self._stirred:
            self._stirred = True
            self.board.stir(self)

    def flush(self) -> None:
        """Write all frames at once."""
        self._stirred = False
        if self._stuck:
            self.check_buffer()
        data = self._pending
        if data:
            self._pending = b""
            if self._socket is not None and not self._stuck:
                try:
                    taken = write(self._socket, data)
                except OSError:  # its buffer is full, or the other side is gone: the event loop will see which
                    taken = 0
                if taken == len(data):
                    return
                data = data[taken:]
            self.write_now(data)

    def write_now(self, data: bytes) -> None:
        """Have the event loop write something, and keep what the system does not take."""
        self._largest = max(self._largest, len(data))
        try:
            self._write(data)
        except RuntimeError:
            self.ending()  # the other side has ended the connection in this very turn

    @property
    def straight(self) -> int | None:
        """The socket, if whatever is written there now follows all that was written before, but for `_pending`."""
        return None if self._stuck or self._over else self._socket

    def check_buffer(self) -> None:
        """Abort if more has piled up than one connection may hold. One large message may go out by itself."""
        if not self._over and self._wire.buffered() > self.board.limits.hard_buffer + self._largest:
            self.give_up()

    def give_up(self) -> None:
        """Abort a peer that cannot take what is sent to it."""
        self.board.count(Incident.TOO_SLOW)
        self.abort(CloseCode.TOO_SLOW)

    def paused(self) -> None:
        """Something is buffered."""
        self._stuck = True
        self._unsettle()

    def resumed(self) -> None:
        """Nothing is buffered any more."""
        self._stuck = False
        self._largest = 0
        self._unsettle()
        if self.behind:
            self.behind = False
            self.board.late.pop(self, None)
            if not self._over:
                try:
                    self.board.listener.drained(self)
                except Exception:
                    self.board.failed(self, "drained")

    def _unsettle(self) -> None:
        """Whether it can be written to straight has changed."""
        for group in self.groups:
            group.unsettle()

    def _is_full(self) -> bool:
        return self.behind or self._wire.buffered() > self.board.limits.soft_buffer

    def _fall_behind(self) -> bool:
        if not self.behind:
            self.behind = True
            self.board.late[self] = monotonic()
            self.board.count(Incident.BEHIND)
        return False

    def beat(self, ping: bytes) -> None:
        """Send a ping, now that the next one is due. One that did not answer the last is gone."""
        if self._over:
            return
        if self._pinged_at is None:
            self._pinged_at = monotonic()
            self._ping = ping
            self.put(b"\x89%c%b" % (len(ping), ping))
        elif self.behind:
            self.give_up()
        else:
            self.board.count(Incident.SILENT)
            self.abort(BROKEN)

    # -- for the connection: the end

    def begin(self) -> None:
        """The connection is open."""
        board = self.board
        board.peers.add(self)
        try:
            board.listener.opened(self)
        except Exception:
            board.failed(self, "opened")
            if not self._over:
                self._end(INTERNAL)
                self._wire.hang_up(INTERNAL, "The server has made a mistake.")

    def ending(self) -> None:
        """The connection has begun to close: nothing more is sent or received."""
        self._over = True
        self._pending = b""
        self._unsettle()

    def abort(self, code: int) -> None:
        """End the connection at once; what it has not taken is lost."""
        self._end(code)
        self._wire.abort()

    def lost(self, code: int) -> None:
        """The connection is gone. `code` is how the other side ended it."""
        board = self.board
        self.ending()
        board.forget(self)
        try:
            board.listener.closed(self, code if self._code is None else self._code)
        except Exception:
            board.failed(self, "closed")

    def _end(self, code: int) -> None:
        self.ending()
        if self._code is None:
            self._code = code


def _fitting(reason: str) -> str:
    """As much of a text as a close frame can hold."""
    return reason.encode()[:LONGEST_REASON].decode(errors="ignore")
