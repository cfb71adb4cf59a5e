"""Keeps one connection to Redis: makes it, watches that it lives, makes it again."""

from __future__ import annotations

import asyncio
import logging
import random
import ssl
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import hiredis

from parlour.server.store.address import Address
from parlour.server.store.line import Around, Done, Line
from parlour.server.store.trouble import StoreTrouble

log = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.02, 1.0  # seconds between attempts: doubled each time, with some chance
BEATS = 4  # so many times within the timeout we look whether anything came


class Keeper:
    """Owns the connection of a Pipe or a Bus.

    `greet` is awaited on every new connection before anybody may use it; then `line` is set. When the connection is
    lost `line` is None at once. A connection on which nothing came for `timeout` seconds, although something was
    asked, counts as lost; when nothing is asked a PING is.
    """

    def __init__(
        self,
        address: Address,
        greet: Callable[[Line, dict[bytes, Any]], Awaitable[None]],
        *,
        resp: Literal[2, 3] = 2,
        on_push: Done | None = None,
        timeout: float = 5.0,
    ) -> None:
        self.line: Line | None = None
        self.around = Around()
        self.address = address
        self._greet = greet
        self._resp = resp
        self._on_push = on_push
        self._timeout = timeout
        self._ready = asyncio.Event()
        self._trouble: Exception | None = None
        self._opened: asyncio.Future[bool] | None = None  # True: connected for the first time; False: no use to try on
        self._task: asyncio.Task[None] | None = None

    async def open(self, within: float) -> None:
        """Begin to keep the connection.

        Raises StoreTrouble when there is none after `within` seconds, or at once when waiting cannot help.
        """
        self._opened = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._keep(), name=f"connection to {self.address}")
        try:
            async with asyncio.timeout(within):
                hopeful = await self._opened
        except TimeoutError:
            hopeful = False
        if not hopeful:
            await self.close()
            raise StoreTrouble(f"Redis at {self.address} cannot be used: {_words(self._trouble)}.") from self._trouble

    async def ready(self) -> None:
        """Wait until there is a connection."""
        await self._ready.wait()

    async def close(self) -> None:
        """Let go of the connection; whoever still waits for an answer is told that it is lost."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))
            self._task = None

    async def _keep(self) -> None:
        pause = 0.0
        while True:
            try:
                line = await self._dial()
            except Exception as error:
                if not isinstance(error, OSError | hiredis.HiredisError | StoreTrouble):
                    log.exception("Unexpected trouble while connecting to Redis at %s", self.address)
                self._trouble = error
                if _hopeless(error):
                    self._tell_opener(False)
                await asyncio.sleep(pause * random.uniform(0.5, 1.0))
                pause = min(max(2 * pause, FIRST_PAUSE), LONGEST_PAUSE)
                continue
            pause = 0.0
            try:
                await self._watch(line)
            finally:
                line.abort()
                await line.lost
            log.warning("The connection to Redis at %s was lost; connecting again", self.address)

    async def _dial(self) -> Line:
        async with asyncio.timeout(self._timeout):
            line = await self.address.connect(lambda: Line(self._on_push, self.around))
            try:
                hello = await line.call("HELLO", self._resp, *self.address.login, "SETNAME", "parlour")
                facts = hello if isinstance(hello, dict) else dict(zip(hello[::2], hello[1::2], strict=True))
                if facts[b"role"] != b"master":
                    raise StoreTrouble("it is a replica, and a node has to write")
                if self.address.db:
                    await line.call("SELECT", self.address.db)
                await line.call("PING")  # refused while the server still loads its data
                await self._greet(line, facts)
                if line.lost.done():
                    raise ConnectionResetError("it hung up")
            except BaseException:
                line.abort()
                await line.lost
                raise
        line.on_lost = self._lost
        self.line = line
        self._ready.set()
        self._tell_opener(True)
        log.info("Connected to Redis at %s", self.address)
        return line

    def _tell_opener(self, connected: bool) -> None:
        if self._opened is not None and not self._opened.done():
            self._opened.set_result(connected)

    def _lost(self) -> None:
        self.line = None
        self._ready.clear()

    async def _watch(self, line: Line) -> None:
        """Return when the connection is lost, or seems to be."""
        silent = 0
        while silent <= BEATS:
            line.heard = False
            await asyncio.wait((line.lost,), timeout=self._timeout / BEATS)
            if line.lost.done():
                return
            silent = 0 if line.heard else silent + 1
            if silent and not line.waiting:
                line.send((b"PING",), _ignore)


def _ignore(reply: Any) -> None:
    """The answer to a PING; that it came is all that matters."""


def _hopeless(error: Exception) -> bool:
    """Whether somebody has to correct something before the same can succeed."""
    if isinstance(error, hiredis.ReplyError):
        return str(error).startswith(("WRONGPASS", "NOAUTH", "NOPERM", "ERR"))
    return isinstance(error, ssl.SSLCertVerificationError | StoreTrouble)


def _words(error: Exception | None) -> str:
    if isinstance(error, ConnectionRefusedError):
        return "nobody answers there"
    if isinstance(error, FileNotFoundError):
        return "there is no such socket"
    if error is None or isinstance(error, TimeoutError):
        return "it does not answer in time"
    words = error.strerror if isinstance(error, OSError) else str(error)
    return (words or str(error) or type(error).__name__).rstrip(".")
