"""One connection to Redis, for as long as it lasts.

Hand-written because redis-py needs 66 to 126 µs of CPU per awaited command, which is more than everything else a move
costs. Here a command is one buffered write and one callback; hiredis packs the commands and parses the replies.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from math import inf
from time import monotonic
from typing import Any, cast

import hiredis

from parlour.server.store.errors import ConnectionLost, NotSent, StoreRefused

Arg = bytes | str | int
OnReply = Callable[[Any], None]

# Beyond this many commands in flight, or bytes that Redis has not read, further commands are refused at once.
MAX_IN_FLIGHT = 50_000
MAX_BUFFERED = 32 * 1024 * 1024

# How long replies are handled in one step of the event loop. One that confirms a move costs about 100 µs, and after a
# group commit there can be hundreds; without this they were one step.
LONGEST_STEP = 0.001  # seconds

pack = cast("Callable[[tuple[Arg, ...]], bytes]", hiredis.pack_command)
_NO_REPLY = object()


class RespConnection(asyncio.Protocol):
    """Sends commands in order, all those of one loop iteration in one write, and matches replies in that order.

    Each reply goes to its command's callback, an error reply as a `hiredis.ReplyError`. When the connection is lost,
    every callback still waiting receives a `ConnectionLost`. Push messages go to `on_push`.
    """

    def __init__(self, on_push: OnReply | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._reader = hiredis.Reader(notEnoughData=_NO_REPLY)
        self._on_push = on_push
        self._transport: asyncio.Transport | None = None
        self._outgoing: list[bytes] = []
        self._callbacks: deque[OnReply] = deque()
        self._write_paused = False
        self._is_behind = False  # some replies are left for the next step
        self.on_lost: Callable[[], None] | None = None
        self.lost: asyncio.Future[None] = self._loop.create_future()  # done when the connection is lost
        self.received_data = False  # since the owner last set it to False

    @property
    def in_flight(self) -> int:
        """The number of replies still to come."""
        return len(self._callbacks)

    def send(self, args: tuple[Arg, ...], on_reply: OnReply) -> None:
        """Send a command; `on_reply` is called exactly once, and never before this method returns."""
        callbacks = self._callbacks
        if self._write_paused or len(callbacks) >= MAX_IN_FLIGHT:
            self._loop.call_soon(on_reply, NotSent("Redis does not keep up: too many commands are in flight"))
            return
        self._write(pack(args))
        callbacks.append(on_reply)

    def send_push_only(self, args: tuple[Arg, ...]) -> None:
        """Send a command that Redis answers with push messages only, such as SUBSCRIBE in RESP3."""
        self._write(pack(args))

    async def call(self, *args: Arg) -> Any:
        """Send a command and return its reply. Raise StoreUnavailable."""
        future: asyncio.Future[Any] = self._loop.create_future()
        self.send(args, partial(resolve, future))
        try:
            return await future
        finally:
            del future  # its error refers to this frame: a reference cycle

    def receive_unexpected(self, reply: Any) -> None:
        """Take a reply that is not what matters, such as PONG; an error may be that of a `send_push_only` before."""
        if self._on_push is not None:
            self._on_push(reply)

    def abort(self) -> None:
        """Break the connection now; `lost` follows."""
        if self._transport is not None:
            self._transport.abort()

    def _write(self, command: bytes) -> None:
        if not self._outgoing:
            self._loop.call_soon(self._flush)
        self._outgoing.append(command)

    def _flush(self) -> None:
        outgoing, self._outgoing = self._outgoing, []
        if self.lost.done() or self._transport is None:
            self._fail_all()
        else:
            self._transport.write(b"".join(outgoing))

    def _fail_all(self) -> None:
        callbacks, self._callbacks = self._callbacks, deque()
        error = ConnectionLost("The connection to Redis was lost")
        for on_reply in callbacks:
            try:
                on_reply(error)
            except Exception as fault:
                self._report(on_reply, fault)

    def _report(self, on_reply: OnReply, fault: Exception) -> None:
        """Log a callback that raised: its owner's mistake must not affect the other callbacks."""
        context = {"message": f"A store callback failed: {on_reply!r}", "exception": fault}
        self._loop.call_exception_handler(context)

    # -- called by the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's transports do not inherit from it
        self._transport.set_write_buffer_limits(high=MAX_BUFFERED)

    def data_received(self, data: bytes) -> None:
        self.received_data = True
        self._reader.feed(data)
        if self._is_behind:
            return  # all in order
        until = inf if self.lost.done() else monotonic() + LONGEST_STEP
        gets, callbacks, on_push = self._reader.gets, self._callbacks, self._on_push
        while True:
            try:
                while (reply := gets()) is not _NO_REPLY:
                    if callbacks and (on_push is None or type(reply) is not hiredis.PushNotification):
                        handler = callbacks.popleft()
                        handler(reply)
                    elif on_push is not None:
                        handler = on_push
                        handler(reply)
                    if monotonic() > until:
                        self._is_behind = True
                        self._loop.call_soon(self._catch_up)
                        return
            except hiredis.ProtocolError:
                self.abort()
            except Exception as fault:
                self._report(handler, fault)
                continue
            return

    def _catch_up(self) -> None:
        if self._is_behind:
            self._is_behind = False
            self.data_received(b"")

    def pause_writing(self) -> None:
        self._write_paused = True

    def resume_writing(self) -> None:
        self._write_paused = False

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.lost.done():
            self.lost.set_result(None)
        self._catch_up()
        if self.on_lost is not None:
            self.on_lost()
        self._fail_all()


def resolve(future: asyncio.Future[Any], reply: Any) -> None:
    """Complete a future with a reply; an error reply becomes StoreUnavailable."""
    if future.done():
        return
    if isinstance(reply, hiredis.ReplyError):
        future.set_exception(StoreRefused(str(reply)))
    elif isinstance(reply, Exception):
        future.set_exception(reply)
    else:
        future.set_result(reply)
