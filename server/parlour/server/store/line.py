"""One connection to Redis, for as long as it lasts."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import hiredis

Arg = bytes | str | int
Done = Callable[[Any], None]

# More commands than this under way, or more bytes that Redis does not take, and further ones are refused at once.
MOST_WAITING = 50_000
MOST_BUFFERED = 32 * 1024 * 1024

pack = cast("Callable[[tuple[Arg, ...]], bytes]", hiredis.pack_command)
_NOTHING = object()


class ConnectionLost(ConnectionError):
    """The connection broke before the answer came: whether the command was carried out is not known."""


class NotSent(ConnectionError):
    """There is no connection, or too much is waiting on it: the command was not carried out."""


class Around:
    """What is called before the answers that came together are given to their callbacks, and after that."""

    def __init__(self) -> None:
        self.hold: Callable[[], None] = _nothing
        self.flush: Callable[[], None] = _nothing


def _nothing() -> None:
    pass


class Line(asyncio.Protocol):
    """Commands go out in the order of `send`, all those of one loop turn in one write; answers come in that order.

    An answer is handed to the callback of its command, an error answer as a `hiredis.ReplyError`. When the connection
    is lost every callback that still waits gets one `ConnectionLost`. What comes without having been asked for goes
    to `on_push`.
    """

    def __init__(self, on_push: Done | None = None, around: Around | None = None) -> None:
        self._around = around or Around()
        self._loop = asyncio.get_running_loop()
        self._reader = hiredis.Reader(notEnoughData=_NOTHING)
        self._on_push = on_push
        self._transport: asyncio.Transport | None = None
        self._out: list[bytes] = []
        self._waiting: deque[Done] = deque()
        self._full = False
        self.on_lost: Callable[[], None] | None = None
        self.lost: asyncio.Future[None] = self._loop.create_future()  # done when the connection is lost
        self.heard = False  # something came since somebody last set it to False

    @property
    def waiting(self) -> int:
        """How many answers are still to come."""
        return len(self._waiting)

    def send(self, args: tuple[Arg, ...], done: Done) -> None:
        """Send a command; `done` is called exactly once, and never before this returns."""
        self.put(pack(args), done)

    def put(self, command: bytes, done: Done) -> None:
        """Send a command that is packed already."""
        waiting = self._waiting
        if self._full or len(waiting) >= MOST_WAITING:
            self._loop.call_soon(done, NotSent("Redis does not keep up: too many commands are under way"))
            return
        if not self._out:
            self._loop.call_soon(self._flush)
        self._out.append(command)
        waiting.append(done)

    def tell(self, args: tuple[Arg, ...]) -> None:
        """Send a command that Redis answers by pushes only, such as SUBSCRIBE in RESP3."""
        command = pack(args)
        if not self._out:
            self._loop.call_soon(self._flush)
        self._out.append(command)

    async def call(self, *args: Arg) -> Any:
        """Send a command and wait for the answer; an error answer is raised."""
        future: asyncio.Future[Any] = self._loop.create_future()
        self.send(args, partial(settle, future))
        return await future

    def abort(self) -> None:
        """Break the connection now; `lost` follows."""
        if self._transport is not None:
            self._transport.abort()

    def _flush(self) -> None:
        out, self._out = self._out, []
        if self.lost.done() or self._transport is None:
            self._fail()
        else:
            self._transport.write(b"".join(out))

    def _fail(self) -> None:
        waiting, self._waiting = self._waiting, deque()
        error = ConnectionLost("The connection to Redis was lost")
        for done in waiting:
            try:
                done(error)
            except Exception as mistake:
                self._report(done, mistake)

    def _report(self, done: Done, error: Exception) -> None:
        """A callback that raises is a mistake of its owner and must not harm the others."""
        context = {"message": f"A callback of the store failed: {done!r}", "exception": error}
        self._loop.call_exception_handler(context)

    # -- called by the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # that of uvloop is one without saying so
        self._transport.set_write_buffer_limits(high=MOST_BUFFERED)

    def data_received(self, data: bytes) -> None:
        self.heard = True
        self._around.hold()
        try:
            self._answer(data)
        finally:
            self._around.flush()

    def _answer(self, data: bytes) -> None:
        """Give each answer that has come to its callback."""
        self._reader.feed(data)
        gets, waiting, unasked = self._reader.gets, self._waiting, self._on_push
        next_done = waiting.popleft
        while True:
            try:
                while (reply := gets()) is not _NOTHING:
                    if waiting and (unasked is None or type(reply) is not hiredis.PushNotification):
                        done = next_done()
                        done(reply)
                    elif unasked is not None:
                        done = unasked
                        done(reply)
            except hiredis.ProtocolError:
                self.abort()
            except Exception as error:
                self._report(done, error)
                continue
            return

    def pause_writing(self) -> None:
        self._full = True

    def resume_writing(self) -> None:
        self._full = False

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.lost.done():
            self.lost.set_result(None)
        if self.on_lost is not None:
            self.on_lost()
        self._fail()


def settle(future: asyncio.Future[Any], reply: Any) -> None:
    """Give an answer to a future, unless nobody waits for it any more."""
    if future.done():
        return
    if isinstance(reply, Exception):
        future.set_exception(reply)
    else:
        future.set_result(reply)
