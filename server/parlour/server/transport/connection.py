"""The fast way to receive messages: the one file that leans on the inside of `websockets`.

The library does the opening handshake, pings, closing, fragments, and whatever breaks the rules. Data frames that come
in one piece, which are nearly all, are cut out of the stream here and go to the peer at once, without a queue and a
task in between. To keep the two in step, the library is given whole frames only, so it always stands between two.

`unfit` says whether the installed version can be used like that; otherwise `public` does the same through the
documented interface.
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
from parlour.server.transport import peer as peers
from parlour.server.transport.door import Door
from parlour.server.transport.http import refusal
from parlour.server.transport.limits import Source
from parlour.server.transport.peer import Peer
from parlour.server.transport.switchboard import Switchboard

try:
    from websockets.speedups import apply_mask
except ImportError:  # an installation without compiled parts
    from websockets.utils import apply_mask

LARGEST_HEAD = 16 * 1024
END_OF_HEAD = b"\r\n\r\n"
METHODS = (b"GET", b"HEAD")
INVALID_DATA = 1007

TEXT_FRAME = 0x81  # final, in one piece
BINARY_FRAME = 0x82
MASKED = 0x80
SHORTEST_FRAME = 6  # two bytes and the mask
MASKED_LESS_HEAD = MASKED - SHORTEST_FRAME  # what the second byte of a short frame is more than its size
LONGEST_SHORT = SHORTEST_FRAME + 125  # whose length fits into its second byte


class DirectConnection(ServerConnection):
    """A connection that hands complete messages to its peer from within `data_received`."""

    def __init__(
        self,
        board: Switchboard,
        door: Door,
        connections: set[DirectConnection],
        protocol: ServerProtocol,
        server: Server,
        **settings: object,
    ) -> None:
        super().__init__(protocol, server, **settings)  # type: ignore[arg-type]  # passed on as they came
        self.peer: Peer | None = None
        self.source: Source | None = None  # set as soon as it is known where the connection comes from
        self.wants_body = True  # False: the request was HEAD
        self._board = board
        self._door = door
        self._connections = connections
        self._reading = False  # whether frames are cut out here
        self._deaf = False  # whether what comes is thrown away
        self._rest = b""  # the beginning of a frame, or of the request
        self._text = False
        self._fragments: bytearray | None = None  # of a message that comes in several frames
        self._take: Callable[[bytes], None]  # the peer's
        self._alarm: asyncio.TimerHandle | None = None

    # -- from the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._connections.add(self)
        self.abort_after(self._board.limits.handshake_timeout)
        address = self._door.direct(transport)
        if address is not None:
            self.source = self._board.crowd.enter(address)
        if self._board.stopping or (self.source is not None and self._board.crowd.is_overrun(self.source)):
            self.abort()

    def data_received(self, data: bytes) -> None:
        if not self._reading:
            self._receive_unopened(data)
            return
        size = len(data)
        if (
            SHORTEST_FRAME <= size <= LONGEST_SHORT
            and data[0] == BINARY_FRAME
            and data[1] == size + MASKED_LESS_HEAD
            and not self._rest
            and self._fragments is None
        ):
            # Nearly always: one message, alone and complete.
            self._take(apply_mask(data[6:], data[2:6]))
        else:
            self._cut(self._rest + data if self._rest else data)

    def eof_received(self) -> None:
        self._reading = False
        if self.peer is not None:
            self.peer.ending()
        super().eof_received()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self.peer is not None:
            self.peer.paused()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.peer is not None:
            self.peer.resumed()

    def connection_lost(self, exc: Exception | None) -> None:
        self._reading = False
        if self._alarm is not None:
            self._alarm.cancel()
        super().connection_lost(exc)
        self._connections.discard(self)
        if self.source is not None:
            self._board.crowd.leave(self.source, monotonic())
        if self.peer is not None:
            closing = self.protocol.close_rcvd or self.protocol.close_sent
            self.peer.lost(peers.BROKEN if closing is None else closing.code)

    # -- opening

    def begin(self, peer: Peer) -> None:
        """The handshake is done: everything that comes from now on is frames."""
        if self.state is not State.OPEN:
            return  # lost within the handshake, and nobody was told that it had begun
        self.peer = peer
        self._take = peer.take
        self._reading = True
        self.request = self.response = None  # nobody asks for them again, and they are a sixth of an idle connection
        self._board.welcome(peer, pings=True)
        early, self._rest = self._rest, b""
        if early:
            self.data_received(early)

    def answer_slowly(self) -> None:
        """The request is answered by a page or file, which may take longer than closing a WebSocket."""
        self.close_timeout = self._board.limits.response_timeout

    def _receive_unopened(self, data: bytes) -> None:
        """Before the connection is open the library gets the request and nothing else; frames that follow wait."""
        if self._deaf:
            return
        if self.peer is not None:
            # It is closing: the library waits for the other side's part in it.
            data, self._rest = self._rest + data, b""
            super().data_received(data)
            if self.protocol.close_rcvd is not None:
                self.abort_after(self._board.limits.close_timeout)  # only the socket is left to be closed
            return
        self._rest += data
        if self.request is not None:
            if len(self._rest) > self._board.limits.largest_frame:
                self.abort()
            return
        head, end, rest = self._rest.partition(END_OF_HEAD)
        if not end and len(head) <= LARGEST_HEAD and head[:1].isalpha():
            return
        self._cancel_alarm()
        method, _, target = head.partition(b" ")
        if not end:
            sentence = "This is no HTTP request, or a very long one."
            self._refuse(HTTPStatus.BAD_REQUEST, "request_malformed", sentence)
        elif method not in METHODS:
            sentence = "Only GET and HEAD are answered here; everything else goes through the WebSocket at /ws."
            self._refuse(HTTPStatus.METHOD_NOT_ALLOWED, "method_not_allowed", sentence)
        else:
            # The library answers GET only, in some versions; the difference is our own business.
            self.wants_body = method == b"GET"
            self._rest = rest
            super().data_received(b"GET " + target + end)

    def _refuse(self, status: HTTPStatus, code: str, sentence: str) -> None:
        self._deaf = True
        self.transport.write(refusal(status, code, sentence).serialize())
        # Closing at once could reset the connection before the answer is read.
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.abort_after(self._board.patience)

    # -- receiving

    def _cut(self, data: bytes) -> None:
        """Cut frames out of the stream, as far as they are complete."""
        assert self.peer is not None
        take = self.peer.take
        largest = self._board.limits.largest_frame
        end = len(data)
        start = 0
        while end - start >= 2:
            first = data[start]
            size = data[start + 1] - MASKED
            if size < 126:
                body = start + 6
            elif size == 126:
                body = start + 8
                if body > end:
                    break
                size = data[start + 2] << 8 | data[start + 3]
            else:
                body = start + 14
                if body > end:
                    break
                size = int.from_bytes(data[start + 2 : start + 10], "big")
            if size < 0 or size > largest:
                self._reading = False  # without a mask, or too large: the library ends the connection for it
                self._rest = b""
                self._pass_on(data[start:])
                return
            stop = body + size
            if stop > end:
                break
            if first == BINARY_FRAME and self._fragments is None:
                take(apply_mask(data[body:stop], data[body - 4 : body]))
            elif first == TEXT_FRAME and self._fragments is None:
                self._take_text(apply_mask(data[body:stop], data[body - 4 : body]))
            else:
                self.peer.take_control()
                self._pass_on(data[start:stop])
            start = stop
            if not self._reading:
                # Closed over this frame. The library waits for the other side's part in it.
                self._rest = b""
                if start < end and not self._deaf:
                    super().data_received(data[start:])
                return
        self._rest = data[start:]

    def _pass_on(self, frame: bytes) -> None:
        """Let the library handle a frame."""
        assert self.peer is not None
        self.peer.flush()  # the library may write, and what was said before goes first
        super().data_received(frame)
        if self.state is not State.OPEN:
            self._reading = False
            self.peer.ending()
            self.abort_after(self._board.patience)
        else:
            self.peer.check_buffer()

    def process_event(self, event: Event) -> None:
        """The library has parsed something."""
        if isinstance(event, Request):
            super().process_event(event)
        elif self.peer is None or not self._reading or not isinstance(event, Frame):
            return
        elif event.opcode is Opcode.PONG:
            self.peer.take_pong(bytes(event.data))
        elif event.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            self._take_fragment(event)

    def _take_fragment(self, frame: Frame) -> None:
        assert self.peer is not None
        if self._fragments is None:
            self._fragments = bytearray()
            self._text = frame.opcode is Opcode.TEXT
        self._fragments += frame.data
        if frame.fin:
            message, self._fragments = bytes(self._fragments), None
            if self._text:
                self._take_text(message)
            else:
                self.peer.take(message)

    def _take_text(self, message: bytes) -> None:
        assert self.peer is not None
        try:
            text = message.decode()
        except UnicodeDecodeError:
            self._fail(INVALID_DATA, "Text must be UTF-8.")
        else:
            self.peer.take(text)

    # -- ending

    def buffered(self) -> int:
        return self.transport.get_write_buffer_size()

    def hang_up(self, code: int, reason: str) -> None:
        self._reading = False
        self._deaf = code == CloseCode.FLOOD  # what a flood still brings is not worth reading
        if self.state is State.OPEN:
            self.protocol.send_close(code, reason)
            self.send_data()
        self.abort_after(self._board.patience)

    def abort(self) -> None:
        self._reading = False
        self.transport.abort()

    def abort_after(self, seconds: float) -> None:
        """Bound what happens next in time."""
        self._cancel_alarm()
        self._alarm = self.loop.call_later(seconds, self.transport.abort)

    def _cancel_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _fail(self, code: int, reason: str) -> None:
        """End the connection over a broken rule, as the library does it."""
        assert self.peer is not None
        self._reading = False
        self.peer.flush()
        self.peer.ending()
        if self.state is State.OPEN:
            self.protocol.fail(code, reason)
            self.send_data()
        self.abort_after(self._board.patience)


def unfit() -> str:
    """Why the installed `websockets` cannot be used like this; empty if it can."""
    needed = {
        ServerConnection: (
            "connection_made", "data_received", "eof_received", "pause_writing", "resume_writing", "connection_lost",
            "process_event", "send_data", "state", "wait_closed",
        ),
        ServerProtocol: ("send_close", "fail", "receive_data", "events_received", "data_to_send"),
    }  # fmt: skip
    if not issubclass(ServerConnection, asyncio.Protocol):
        return "its connections are no asyncio protocols any more"
    for kind, names in needed.items():
        for name in names:
            if not hasattr(kind, name):
                return f"{kind.__name__} has no {name}"
    protocol = ServerProtocol()
    for name in ("close_rcvd", "close_sent", "state"):
        if not hasattr(protocol, name):
            return f"ServerProtocol has no {name}"
    return ""
