"""The server: one port for the WebSocket and for HTTP."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Awaitable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from time import monotonic
from typing import cast

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from parlour.protocol.codec import CODECS
from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.messages import Message
from parlour.server.transport.connection import DirectConnection, unfit
from parlour.server.transport.door import Door, chosen_subprotocol
from parlour.server.transport.frames import Broadcast
from parlour.server.transport.http import SOCKET, Routes, Site, refusal, without_body
from parlour.server.transport.incident import Count, Incident, uncounted
from parlour.server.transport.limits import Limits
from parlour.server.transport.listener import Listener
from parlour.server.transport.peer import Peer
from parlour.server.transport.public import PublicWire
from parlour.server.transport.static import load
from parlour.server.transport.switchboard import Switchboard

log = logging.getLogger(__name__)

BACKLOG = 1024  # connections that may wait to be accepted
ABORTED_WITHIN = 1.0  # seconds for the loop to let go of connections that were cut off


class Transport:
    """A running server. Made by `start`."""

    def __init__(self, board: Switchboard, door: Door, site: Site, *, direct: bool) -> None:
        self.direct = direct  # whether messages come the fast way
        self._board = board
        self._door = door
        self._site = site
        self._connections: set[DirectConnection] = set()
        self._server: Server | None = None
        self._watch = asyncio.create_task(board.watch())

    async def open(self, host: str | None, port: int) -> None:
        """Begin to accept connections. Raises OSError when that cannot be done."""
        limits = self._board.limits
        connect = partial(DirectConnection, self._board, self._door, self._connections)
        # The library tells every opening and closing; the node does that itself where it matters.
        library_log = log.getChild("websockets")
        library_log.setLevel(logging.WARNING)
        library_log.addFilter(_worth_telling)
        try:
            self._server = await serve(
                self._serve, host, port,
                process_request=self._process_request,
                subprotocols=[Subprotocol(name) for name in CODECS],
                select_subprotocol=_select,
                compression=None,
                server_header=None,
                open_timeout=limits.response_timeout if self.direct else limits.handshake_timeout,
                ping_interval=None if self.direct else limits.ping_interval,
                ping_timeout=None if self.direct else limits.ping_interval,
                close_timeout=limits.close_timeout,
                max_size=limits.largest_frame,
                write_limit=0,  # a peer wants to know of anything that is buffered
                logger=library_log,
                create_connection=cast("type[ServerConnection]", connect) if self.direct else None,
                backlog=BACKLOG,
                start_serving=False,
            )  # fmt: skip
        except BaseException:
            self._watch.cancel()
            raise
        for listening in self._server.sockets:
            if limits.kernel_buffer:
                # Inherited by accepted sockets. Left alone, the system keeps megabytes for somebody who does not read.
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, limits.kernel_buffer)
        await self._server.start_serving()

    @property
    def port(self) -> int:
        """The port that was opened."""
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    @property
    def peers(self) -> frozenset[Peer]:
        """Everybody who is connected."""
        return frozenset(self._board.peers)

    # -- writing together

    def hold(self) -> None:
        """Keep back what is sent from here on until `flush`, which must follow before returning to the event loop.

        For whoever sends to many from one callback: each gets it all in one write, and no turn of the loop is lost.
        """
        self._board.hold()

    def flush(self) -> None:
        """Write now what was sent."""
        self._board.flush()

    # -- stopping

    def stop_accepting(self) -> None:
        """Take no more connections. Those that are open go on."""
        if self._server is not None:
            self._server.close(close_connections=False)

    async def stop(self, grace: float, farewell: Message | None = None) -> None:
        """Take no more connections, say farewell to those that are open and close them when everything is sent.

        Whoever has not taken it after the grace is cut off.
        """
        self.stop_accepting()
        self._board.stopping = True
        self._board.patience = grace
        last = None if farewell is None else Broadcast(farewell)
        for peer in self.peers:
            if last is not None:
                peer.put(last.frame(peer.codec))
            peer.close(CloseCode.RESTART)
        for connection in tuple(self._connections):
            if connection.peer is None and connection.request is None:
                connection.abort()  # has not asked for anything
        assert self._server is not None
        try:
            async with asyncio.timeout(grace):
                await self._server.wait_closed()
        except TimeoutError:
            for connection in tuple(self._connections):
                connection.abort()
            for peer in self.peers:
                peer.abort(CloseCode.RESTART)
            # Nothing is left to wait for but the loop's own bookkeeping, which must not keep a node from ending.
            with suppress(TimeoutError):
                async with asyncio.timeout(ABORTED_WITHIN):
                    await self._server.wait_closed()
        finally:
            self._watch.cancel()
            with suppress(asyncio.CancelledError):
                await self._watch

    # -- requests

    def _process_request(
        self, connection: ServerConnection, request: Request
    ) -> Response | Awaitable[Response | None] | None:
        """An HTTP request came: an answer, or None for a WebSocket."""
        crowd = self._board.crowd
        address = self._door.address(connection.transport, request.headers)
        wants_body = getattr(request, "method", "GET") == "GET"
        if isinstance(connection, DirectConnection):
            if connection.source is None:
                connection.source = crowd.enter(address)
            source, coming = connection.source, 0
            wants_body = connection.wants_body
        else:
            source, coming = crowd.source(address), 1
        if sentence := crowd.refusal(source, coming):
            self._board.count(Incident.CROWDED)
            answer: Response | Awaitable[Response] = refusal(HTTPStatus.SERVICE_UNAVAILABLE, "crowded", sentence)
        elif not source.take(monotonic()):
            self._board.count(Incident.CROWDED)
            sentence = "Too many requests from this address: wait a moment."
            answer = refusal(HTTPStatus.TOO_MANY_REQUESTS, ErrorCode.TOO_FAST, sentence)
        elif request.path.partition("?")[0] == SOCKET:
            rejection = self._door.rejection(connection.transport, request.headers)
            if rejection is None:
                return None
            if rejection.incident is not None:
                self._board.count(rejection.incident)
            answer = refusal(rejection.status, rejection.code, rejection.sentence)
        else:
            answer = self._site.answer(request.path, request.headers, address)
        if isinstance(connection, DirectConnection):
            connection.answer_slowly()
        return answer if wants_body else _headers_of(answer)

    async def _serve(self, connection: ServerConnection) -> None:
        """A WebSocket is open."""
        assert connection.request is not None
        address = self._door.address(connection.transport, connection.request.headers)
        if isinstance(connection, DirectConnection):
            assert connection.source is not None
            codec = CODECS[str(connection.subprotocol)]
            peer = Peer(
                connection, connection.transport.write, self._board,
                codec=codec, address=address, source=connection.source,
                socket=connection.transport.get_extra_info("socket").fileno(),
            )  # fmt: skip
            connection.begin(peer)
            await connection.wait_closed()
        else:
            await PublicWire(connection, address, self._board).serve()


async def start(
    listener: Listener,
    *,
    host: str | None,
    port: int,
    origins: Iterable[str] = (),
    proxies: Iterable[str] = (),
    limits: Limits,
    routes: Routes,
    count: Count = uncounted,
    direct: bool | None = None,
) -> Transport:
    """Listen on a port, and tell the listener what happens there.

    Raises OSError when the port cannot be opened or the folder of the browser client not be read, ValueError for a
    proxy that is no address. `direct`: whether to receive the fast way; None, if `websockets` is fit for it.
    """
    if direct is None:
        reason = unfit()
        if reason:
            log.warning("messages are received the slow way, because this version of websockets is unknown: %s", reason)
        direct = not reason
    files = {} if routes.folder is None else await asyncio.to_thread(load, routes.folder)
    door = Door(origins, proxies)
    site = Site(routes, files, count, limits.page_timeout)
    transport = Transport(Switchboard(listener, limits, count), door, site, direct=direct)
    await transport.open(host, port)
    return transport


def _worth_telling(record: logging.LogRecord) -> bool:
    """Older versions of the library log a traceback for everybody who knocks and goes away again."""
    return record.msg != "opening handshake failed"


async def _headers_of(answer: Response | Awaitable[Response]) -> Response:
    return without_body(answer if isinstance(answer, Response) else await answer)


def _select(_: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    chosen = chosen_subprotocol(offered)
    return None if chosen is None else Subprotocol(chosen)
