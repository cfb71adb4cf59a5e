"""A WebSocket whose messages are dispatched straight from `data_received`, without a queue and a task per message.

This is the only file that relies on internals of `websockets`. The library does the opening handshake, closing,
fragments, control frames and everything that breaks the protocol. Unfragmented data frames, which are nearly all, are
cut out of the stream here. The library is given whole frames only, so both agree on where a frame starts.

`unsupported` says whether the installed version can be used this way; if not, `public_websocket` does the same through
the documented interface.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
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
from parlour.server.connections.line_stream import LAST_CHUNK, LineStream
from parlour.server.connections.request_body import BadRequest, RequestReader

try:
    from websockets.speedups import apply_mask
except ImportError:  # an installation without compiled parts
    from websockets.utils import apply_mask

LARGEST_REQUEST = 16 * 1024
LONGEST_LINE = 8_000  # bytes; the library refuses slightly longer ones without a sentence
END_OF_REQUEST = b"\r\n\r\n"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
METHODS_WITHOUT_BODY = (b"GET", b"HEAD")
METHODS_WITH_BODY = (b"POST", b"PUT", b"PATCH", b"DELETE", b"OPTIONS")  # which only the API answers
INVALID_DATA = 1007

_BODY = re.compile(rb"^(content-length:[ \t]*0*[1-9]|transfer-encoding:)", re.IGNORECASE | re.MULTILINE)

SHORTEST_FRAME = 6  # two bytes and the mask
MASKED_LESS_HEADER = MASKED - SHORTEST_FRAME  # the second byte of a short frame minus the size of the frame
LONGEST_SHORT_FRAME = SHORTEST_FRAME + 125  # whose length fits into its second byte


class WebSocketConnection(ServerConnection):
    """A WebSocket that hands complete messages to its `Connection` from within `data_received`."""

    # Beside the attributes of the library, more would make Python keep a whole dictionary per connection.
    __slots__ = (
        "_abort_timer", "_discarding", "_drained", "_fragments", "_handshake", "_hub", "_reading", "_receive",
        "_request_reader", "_rest", "_text", "_websockets", "body", "connection", "method", "source",
    )  # fmt: skip

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
        self.method = "GET"  # of the request
        self.body = b""  # of the request
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
        self._request_reader: RequestReader | None = None  # of a request that may have a body
        self._drained: asyncio.Event | None = None  # while a response is sent in pieces

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
        if self._drained is not None:
            self._drained.set()
        if self.connection is not None:
            self.connection.writing_resumed()

    def connection_lost(self, exc: Exception | None) -> None:
        self._reading = False
        self._cancel_abort()
        super().connection_lost(exc)
        self._websockets.discard(self)
        if self.source is not None:
            self._hub.counts.leave(self.source, monotonic())
        if self.connection is not None:
            closing = self.protocol.close_rcvd or self.protocol.close_sent
            self.connection.lost(ABNORMAL if closing is None else closing.code)
        self._release()

    def _release(self) -> None:
        """Break the reference cycles, or the memory would stay in use until the garbage collector's rare full run."""
        if self.connection is not None:
            self.connection = None
            del self._receive
        self.protocol.parser.close()
        vars(self.protocol).pop("select_subprotocol", None)

    # -- opening

    def begin(self, connection: Connection) -> None:
        """Receive frames: the handshake is done."""
        if self.state is not State.OPEN:
            return  # lost during the handshake
        self.connection = connection
        self._receive = connection.receive
        self._reading = True
        self._forget_handshake()
        self._hub.add(connection, pings=True)
        early, self._rest = self._rest, b""
        if early:
            self.data_received(early)

    def _forget_handshake(self) -> None:
        """Drop the request and the response, which take a fifth of the memory of an idle connection.

        The library's parser keeps the request, too, so another one, which begins with the first frame, follows it.
        """
        self.request = self.response = None
        if self.protocol.parser_exc is None:
            self.protocol.parser.close()
            self.protocol.parser = self.protocol.parse()
            next(self.protocol.parser)

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
        if self._request_reader is not None:
            self._receive_body(self._request_reader, data)
            return
        self._rest += data
        if self.request is not None:
            if len(self._rest) > self._hub.limits.largest_frame:
                self.abort()
            return
        head, end, rest = self._rest.partition(END_OF_REQUEST)
        if not end and len(head) <= LARGEST_REQUEST and head[:1].isalpha():
            return
        method, _, target = head.partition(b" ")
        if not end:
            sentence = "This is not an HTTP request, or it is too long."
            self._refuse(HTTPStatus.BAD_REQUEST, "request_malformed", sentence)
        elif len(head.partition(b"\r\n")[0]) > LONGEST_LINE:
            sentence = f"The first line of a request may have at most {LONGEST_LINE:,} bytes."
            self._refuse(HTTPStatus.REQUEST_URI_TOO_LONG, "request_too_large", sentence)
        elif method in METHODS_WITH_BODY or (method in METHODS_WITHOUT_BODY and _BODY.search(head)):
            data, self._rest = self._rest, b""
            self._request_reader = RequestReader()
            self._receive_body(self._request_reader, data)
        elif method not in METHODS_WITHOUT_BODY:
            sentence = "Only GET and HEAD are supported here; everything else goes through the WebSocket at /ws."
            self._refuse(HTTPStatus.METHOD_NOT_ALLOWED, "method_not_allowed", sentence)
        else:
            self._rest = rest
            self._pass_request(method, target + end)

    def _receive_body(self, reader: RequestReader, data: bytes) -> None:
        """Take more of a request with a body; the library takes none, and gets the request without it."""
        try:
            if not reader.feed(data):
                if reader.is_continue_awaited:
                    self.transport.write(CONTINUE)
                    reader.told_to_continue()
                return
        except BadRequest as bad:
            self._refuse(bad.status, bad.code, bad.sentence)
            return
        self._request_reader = None
        self._discarding = True  # nothing may follow
        self.body = reader.body
        self._pass_request(reader.method, reader.head)

    def _pass_request(self, method: bytes, rest: bytes) -> None:
        """Pass a complete request to the library, which accepts only GET."""
        self._cancel_abort()
        self.method = method.decode()
        super().data_received(b"GET " + rest)

    # -- long responses

    async def send_lines(self, head: bytes, stream: LineStream) -> None:
        """Send a response whose lines are the messages of a connection, until one side ends it."""
        if self.transport.is_closing():
            stream.end()
            return
        self.connection, self._receive = stream.connection, _ignore
        self._discarding = True
        self.transport.write(head)
        stream.start(self.transport)
        try:
            await self.wait_closed()
        finally:
            stream.stop()

    async def send_chunks(self, head: bytes, chunks: AsyncIterator[bytes]) -> None:
        """Send a response in pieces, each of which is asked for when the client has taken the one before."""
        sending = asyncio.create_task(self._send_chunks(head, chunks))
        closed = asyncio.create_task(self.wait_closed())
        try:
            await asyncio.wait((sending, closed), return_when=asyncio.FIRST_COMPLETED)
            if sending.done() and not sending.cancelled() and (fault := sending.exception()) is not None:
                self.transport.abort()  # the client sees that the response is not complete
                raise fault
        finally:
            sending.cancel()
            self.transport.close()  # once everything is sent
            self.abort_after(self._hub.limits.response_timeout)
            await closed

    async def _send_chunks(self, head: bytes, chunks: AsyncIterator[bytes]) -> None:
        drained = self._drained = asyncio.Event()
        self.transport.write(head)
        async for chunk in chunks:
            drained.clear()
            self.transport.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
            if self.transport.get_write_buffer_size():
                try:
                    async with asyncio.timeout(self._hub.limits.behind_for):
                        await drained.wait()
                except TimeoutError:
                    self.transport.abort()
                    return
        self.transport.write(LAST_CHUNK)

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


def _ignore(payload: bytes | str) -> None:
    """Drop what a client sends while it receives a response."""


def unsupported() -> str:
    """Return why the installed `websockets` cannot be used this way; empty if it can."""
    needed = {
        ServerConnection: (
            "connection_made", "data_received", "eof_received", "pause_writing", "resume_writing", "connection_lost",
            "process_event", "send_data", "state", "wait_closed",
        ),
        ServerProtocol: ("send_close", "fail", "receive_data", "events_received", "data_to_send", "parse"),
    }  # fmt: skip
    if not issubclass(ServerConnection, asyncio.Protocol):
        return "its connections are no longer asyncio protocols"
    for kind, names in needed.items():
        for name in names:
            if not hasattr(kind, name):
                return f"{kind.__name__} has no {name}"
    protocol = ServerProtocol()
    for name in ("close_rcvd", "close_sent", "state", "parser", "parser_exc"):
        if not hasattr(protocol, name):
            return f"ServerProtocol has no {name}"
    return ""
