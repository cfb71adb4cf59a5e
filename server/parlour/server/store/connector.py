"""Keeps one connection to a Redis server open: connects, checks that it is alive, and reconnects."""

from __future__ import annotations

import asyncio
import logging
import random
import ssl
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any, Literal, Protocol

from parlour.server.store.address import Address
from parlour.server.store.errors import IsReplica, StoreRefused, StoreUnavailable
from parlour.server.store.health import describe
from parlour.server.store.resp import RespConnection

logger = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.02, 1.0  # seconds between attempts: doubled each time, with jitter
CHECKS_PER_TIMEOUT = 4  # checks for received data within the timeout


class Locator(Protocol):
    """A way to find a server: its address, or the Sentinels that know it."""

    async def locate(self) -> Address: ...


async def ask(server: Address, *commands: tuple[str, ...]) -> list[Any]:
    """Open a connection for some commands, and return their replies. Raise OSError or StoreUnavailable."""
    connection = await server.connect(RespConnection)
    try:
        await connection.call("HELLO", 2, *server.login)
        return [await connection.call(*command) for command in commands]
    finally:
        connection.abort()
        await connection.lost


class Connector:
    """Owns the connection of a Pipeline or a PubSub to one server.

    `greet` is awaited on every new connection before it may be used; then `connection` is set. When the connection is
    lost, `connection` is None at once. A connection that has received nothing for `timeout` seconds although a reply
    is due counts as lost; an idle one is sent a PING.
    """

    def __init__(
        self,
        locator: Locator,
        greet: Callable[[RespConnection, dict[bytes, Any]], Awaitable[None]],
        *,
        connection: Callable[[], RespConnection] = RespConnection,
        resp: Literal[2, 3] = 2,
        report: Callable[[Exception], None] = lambda _: None,
        timeout: float = 5.0,
    ) -> None:
        """`connection` creates the protocol of each new connection.

        `report` is called with each failed attempt to connect, and with the loss of each connection.
        """
        self.connection: RespConnection | None = None
        self.address: Address | None = None  # of the server that the latest connection led to
        self._locator = locator
        self._greet = greet
        self._new_connection = connection
        self._resp = resp
        self._report = report
        self._timeout = timeout
        self._ready = asyncio.Event()
        self._last_error: Exception | None = None
        self._is_abandoned = False  # whether `reconnect` broke the connection
        self._opened: asyncio.Future[bool] | None = None  # True: connected once; False: retrying cannot help
        self._task: asyncio.Task[None] | None = None

    async def open(self, within: float) -> None:
        """Start keeping the connection.

        Raise StoreUnavailable if there is none after `within` seconds, or at once if retrying cannot help.
        """
        self._opened = asyncio.get_running_loop().create_future()
        self.start()
        try:
            async with asyncio.timeout(within):
                connected = await self._opened
        except TimeoutError:
            connected = False
        if not connected:
            await self.close()
            reason = describe(self._last_error)
            raise StoreUnavailable(f"Redis at {self._locator} cannot be used: {reason}.") from self._last_error

    def start(self) -> None:
        """Start keeping the connection, without waiting for it."""
        self._task = asyncio.create_task(self._keep(), name=f"connection to {self._locator}")

    async def ready(self) -> None:
        """Wait until there is a connection."""
        await self._ready.wait()

    def reconnect(self) -> None:
        """Break the connection and open a new one: the address may lead to another server now."""
        if self.connection is not None:
            self._is_abandoned = True
            self.connection.abort()

    async def close(self) -> None:
        """Close the connection; callbacks still waiting for a reply receive ConnectionLost."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))
            self._task = None

    async def _keep(self) -> None:
        pause = 0.0
        while True:
            try:
                connection = await self._connect()
            except Exception as error:
                if not isinstance(error, OSError | StoreUnavailable):
                    logger.exception("unexpected error while connecting to Redis at %s", self._locator)
                self._last_error = error
                if _is_permanent(error):
                    self._notify_opener(False)
                self._report(error)
            else:
                connected_at = monotonic()
                try:
                    await self._watch(connection)
                finally:
                    connection.abort()
                    await connection.lost
                if not self._is_abandoned:
                    self._report(ConnectionResetError(f"the connection to Redis at {self._locator} was lost"))
                self._is_abandoned = False
                if monotonic() - connected_at > LONGEST_PAUSE:
                    pause = 0.0
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))
            pause = min(max(2 * pause, FIRST_PAUSE), LONGEST_PAUSE)

    async def _connect(self) -> RespConnection:
        async with asyncio.timeout(self._timeout):
            address = self.address = await self._locator.locate()
            connection = await address.connect(self._new_connection)
            try:
                hello = await connection.call("HELLO", self._resp, *address.login, "SETNAME", "parlour")
                facts = hello if isinstance(hello, dict) else dict(zip(hello[::2], hello[1::2], strict=True))
                if facts[b"role"] != b"master":
                    raise IsReplica("it is a replica, and a node has to write")
                if address.db:
                    await connection.call("SELECT", address.db)
                await connection.call("PING")  # refused while the server is still loading its data
                await self._greet(connection, facts)
                if connection.lost.done():
                    raise ConnectionResetError("it closed the connection")
            except BaseException:
                connection.abort()
                await connection.lost
                raise
        connection.on_lost = self._lost
        self.connection = connection
        self._ready.set()
        self._notify_opener(True)
        logger.info("connected to Redis at %s", address)
        return connection

    def _notify_opener(self, connected: bool) -> None:
        if self._opened is not None and not self._opened.done():
            self._opened.set_result(connected)

    def _lost(self) -> None:
        self.connection = None
        self._ready.clear()

    async def _watch(self, connection: RespConnection) -> None:
        """Return when the connection is lost, or has been silent for too long."""
        silent_checks = 0
        while silent_checks <= CHECKS_PER_TIMEOUT:
            connection.received_data = False
            await asyncio.wait((connection.lost,), timeout=self._timeout / CHECKS_PER_TIMEOUT)
            if connection.lost.done():
                return
            silent_checks = 0 if connection.received_data else silent_checks + 1
            if silent_checks and not connection.in_flight:
                connection.send((b"PING",), connection.receive_unexpected)


def _is_permanent(error: Exception) -> bool:
    """Return whether the operator has to change something before the same attempt can succeed."""
    if isinstance(error, StoreRefused):
        return str(error).startswith(("WRONGPASS", "NOAUTH", "NOPERM", "ERR"))
    return isinstance(error, ssl.SSLCertVerificationError) or type(error) in (StoreUnavailable, IsReplica)
