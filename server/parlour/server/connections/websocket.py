"""A WebSocket whose messages are dispatched straight from `data_received`, without a queue and a task per message.

This is the only file that relies on internals of `websockets`. The library does the opening handshake, closing,
fragments, control frames and everything that breaks the protocol. Unfragmented data frames, which are nearly all, are
cut out of the stream here. The library is given whole frames only, so both agree on where a frame starts.

`unsupported` says whether the installed version can be used this way; if not, `public_websocket` does the same through
the documented interface.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from time import monotonic

from websockets.asyncio.server import Server, ServerConnection
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import Event, State
from websockets.server import ServerProtocol

from parlour.protocol.errors import CloseCode
from parlour.server.connections.connection import ABNORMAL, Connection
from parlour.server.connections.frames import BINARY, MASKED, TEXT, BadFrame, parse_header
from parlour.server.connections.handshake import Handshake
from parlour.server.connections.http import refusal
from parlour.server.connections.hub import Hub
from parlour.server.connections.limits import Source

try:
    from websockets.speedups import apply_mask
except ImportError:  # an installation without compiled parts
    from websockets.utils import apply_mask

LARGEST_REQUEST = 16 * 1024
END_OF_REQUEST = b"\r\n\r\n"
METHODS = (b"GET", b"HEAD")
INVALID_DATA = 1007

SHORTEST_FRAME = 6  # two bytes and the mask
MASKED_LESS_HEADER = MASKED - SHORTEST_FRAME  # the second byte of a short frame minus the size of the frame
LONGEST_SHORT_FRAME = SHORTEST_FRAME + 125  # whose length fits into its second byte


class WebSocketConnection(ServerConnection):
    """A WebSocket that hands complete messages to its `Connection` from within `data_received`."""

    def __init__(
        self,
        hub: Hub,
        handshake: Handshake,
        websockets: set[WebSocketConnection],
        protocol: ServerProtocol,
        server: Server,
        **settings: object,
    ) -> None:
        super().__init__(protocol, server, **settings)  # type: ignore[arg-type]  # the library's own
        self.connection: Connection | None = None
        self.source: Source | None = None  # set once the client's address is known
        self.wants_body = True  # False: the request was HEAD
        self._hub = hub
        self._handshake = handshake
        self._websockets = websockets  # all of the server's
        self._reading = False  # whether frames are parsed here
        self._discarding = False  # whether incoming data is thrown away
        self._rest = b""  # an incomplete frame or request
        self._text = False  # whether the fragments are text
        self._fragments: bytearray | None = None  # of a fragmented message
        self._receive: Callable[[bytes], None]  # the connection's
        self._abort_timer: asyncio.TimerHandle | None = None

    # -- from the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._websockets.add(self)
        self.abort_after(self._hub.limits.handshake_timeout)
        address = self._handshake.direct(transport)
        if address is not None:
            self.source = self._hub.counts.enter(address)
        if self._hub.stopping or (self.source is not None and self._hub.counts.is_overrun(self.source)):
            self.abort()

    def data_received(self, data: bytes) -> None:
        if not self._reading:
            self._receive_handshake(data)
            return
        size = len(data)
        if (
            SHORTEST_FRAME <= size <= LONGEST_SHORT_FRAME
            and data[0] == BINARY
            and data[1] == size + MASKED_LESS_HEADER
            and not self._rest
            and self._fragments is None
        ):
            # The usual case: one complete message.
            self._receive(apply_mask(data[6:], data[2:6]))
        else:
            self._receive_frames(self._rest + data if self._rest else data)

    def eof_received(self) -> None:
        self._reading = False
        if self.connection is not None:
            self.connection.stop()
        super().eof_received()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self.connection is not None:
            self.connection.writing_blocked()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.connection is not None:
            self.connection.writing_resumed()

    def connection_lost(self, exc: Exception | None) -> None:
        self._reading = False
        if self._abort_timer is not None:
            self._abort_timer.cancel()
        super().connection_lost(exc)
        self._websockets.discard(self)
        if self.source is not None:
            self._hub.counts.leave(self.source, monotonic())
        if self.connection is not None:
            closing = self.protocol.close_rcvd or self.protocol.close_sent
            self.connection.lost(ABNORMAL if closing is None else closing.code)

    # -- opening

    def begin(self, connection: Connection) -> None:
        """Receive frames: the handshake is done."""
        if self.state is not State.OPEN:
            return  # lost during the handshake
        self.connection = connection
        self._receive = connection.receive
        self._reading = True
        self.request = self.response = None  # a sixth of the memory of an idle connection
        self._hub.add(connection, pings=True)
        early, self._rest = self._rest, b""
        if early:
            self.data_received(early)

    def allow_slow_response(self) -> None:
        """Give the client more time than for closing a WebSocket: it is sent a page or a file."""
        self.close_timeout = self._hub.limits.response_timeout

    def _receive_handshake(self, data: bytes) -> None:
        """Pass the request, and nothing else, to the library; frames that follow have to wait."""
        if self._discarding:
            return
        if self.connection is not None:
            # Closing: the library waits for the other side to close too.
            data, self._rest = self._rest + data, b""
            super().data_received(data)
            if self.protocol.close_rcvd is not None:
                self.abort_after(self._hub.limits.close_timeout)  # only the socket is still open
            return
        self._rest += data
        if self.request is not None:
            if len(self._rest) > self._hub.limits.largest_frame:
                self.abort()
            return
        head, end, rest = self._rest.partition(END_OF_REQUEST)
        if not end and len(head) <= LARGEST_REQUEST and head[:1].isalpha():
            return
        self._cancel_abort()
        method, _, target = head.partition(b" ")
        if not end:
            sentence = "This is not an HTTP request, or it is too long."
            self._refuse(HTTPStatus.BAD_REQUEST, "request_malformed", sentence)
        elif method not in METHODS:
            sentence = "Only GET and HEAD are supported here; everything else goes through the WebSocket at /ws."
            self._refuse(HTTPStatus.METHOD_NOT_ALLOWED, "method_not_allowed", sentence)
        else:
            # Some versions of the library accept GET only, so HEAD is handled here.
            self.wants_body = method == b"GET"
            self._rest = rest
            super().data_received(b"GET " + target + end)

    def _refuse(self, status: HTTPStatus, code: str, sentence: str) -> None:
        self._discarding = True
        self.transport.write(refusal(status, code, sentence).serialize())
        # Closing at once could reset the connection before the client has read the response.
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.abort_after(self._hub.close_within)

    # -- receiving

    def _receive_frames(self, data: bytes) -> None:
        """Handle every complete frame in the data; keep the rest."""
        assert self.connection is not None
        largest = self._hub.limits.largest_frame
        start = 0
        while self._reading:
            try:
                header = parse_header(data, start, largest)
            except BadFrame:
                self._reading = False
                self._rest = b""
                self._pass_on(data[start:])  # the library ends the connection for it
                return
            if header is None:
                self._rest = data[start:]
                return
            first, payload, end = header
            if first == BINARY and self._fragments is None:
                self.connection.receive(apply_mask(data[payload:end], data[payload - 4 : payload]))
            elif first == TEXT and self._fragments is None:
                self._receive_text(apply_mask(data[payload:end], data[payload - 4 : payload]))
            else:
                self.connection.receive_control()
                self._pass_on(data[start:end])
            start = end
        # Closed because of the last frame: the library waits for the other side to close too.
        self._rest = b""
        if start < len(data) and not self._discarding:
            super().data_received(data[start:])

    def _pass_on(self, frame: bytes) -> None:
        """Let the library handle a frame."""
        assert self.connection is not None
        self.connection.flush()  # the library may write, and what was sent before goes first
        super().data_received(frame)
        if self.state is not State.OPEN:
            self._reading = False
            self.connection.stop()
            self.abort_after(self._hub.close_within)
        else:
            self.connection.check_buffer()

    def process_event(self, event: Event) -> None:
        """Handle what the library has parsed."""
        if isinstance(event, Request):
            super().process_event(event)
        elif self.connection is None or not self._reading or not isinstance(event, Frame):
            return
        elif event.opcode is Opcode.PONG:
            self.connection.receive_pong(bytes(event.data))
        elif event.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            self._receive_fragment(event)

    def _receive_fragment(self, frame: Frame) -> None:
        assert self.connection is not None
        if self._fragments is None:
            self._fragments = bytearray()
            self._text = frame.opcode is Opcode.TEXT
        self._fragments += frame.data
        if frame.fin:
            message, self._fragments = bytes(self._fragments), None
            if self._text:
                self._receive_text(message)
            else:
                self.connection.receive(message)

    def _receive_text(self, message: bytes) -> None:
        assert self.connection is not None
        try:
            text = message.decode()
        except UnicodeDecodeError:
            self._fail(INVALID_DATA, "Text must be UTF-8.")
        else:
            self.connection.receive(text)

    # -- ending

    def buffered(self) -> int:
        return self.transport.get_write_buffer_size()

    def start_closing(self, code: int, reason: str) -> None:
        self._reading = False
        self._discarding = code == CloseCode.FLOOD  # what else a flooding client sends is not worth reading
        if self.state is State.OPEN:
            self.protocol.send_close(code, reason)
            self.send_data()
        self.abort_after(self._hub.close_within)

    def abort(self) -> None:
        self._reading = False
        self.transport.abort()

    def abort_after(self, seconds: float) -> None:
        """Abort the connection after a time, whatever happens until then."""
        self._cancel_abort()
        self._abort_timer = self.loop.call_later(seconds, self.transport.abort)

    def _cancel_abort(self) -> None:
        if self._abort_timer is not None:
            self._abort_timer.cancel()
            self._abort_timer = None

    def _fail(self, code: int, reason: str) -> None:
        """Close because of a protocol violation, as the library does."""
        assert self.connection is not None
        self._reading = False
        self.connection.flush()
        self.connection.stop()
        if self.state is State.OPEN:
            self.protocol.fail(code, reason)
            self.send_data()
        self.abort_after(self._hub.close_within)


def unsupported() -> str:
    """Return why the installed `websockets` cannot be used this way; empty if it can."""
    needed = {
        ServerConnection: (
            "connection_made", "data_received", "eof_received", "pause_writing", "resume_writing", "connection_lost",
            "process_event", "send_data", "state", "wait_closed",
        ),
        ServerProtocol: ("send_close", "fail", "receive_data", "events_received", "data_to_send"),
    }  # fmt: skip
    if not issubclass(ServerConnection, asyncio.Protocol):
        return "its connections are no longer asyncio protocols"
    for kind, names in needed.items():
        for name in names:
            if not hasattr(kind, name):
                return f"{kind.__name__} has no {name}"
    protocol = ServerProtocol()
    for name in ("close_rcvd", "close_sent", "state"):
        if not hasattr(protocol, name):
            return f"ServerProtocol has no {name}"
    return ""
