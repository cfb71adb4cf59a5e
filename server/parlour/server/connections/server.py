"""The web server of a node: one port for WebSockets and plain HTTP."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Awaitable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from math import ceil
from time import monotonic
from typing import cast

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from parlour.protocol.codec import CODECS
from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.messages import Message
from parlour.server.connections.connection import Connection
from parlour.server.connections.frames import Broadcast
from parlour.server.connections.handshake import Handshake, chosen_subprotocol
from parlour.server.connections.http import (
    WEBSOCKET_PATH,
    Answer,
    IncomingRequest,
    Router,
    Routes,
    StreamResponse,
    refusal,
    without_body,
)  # fmt: skip
from parlour.server.connections.hub import Hub
from parlour.server.connections.incidents import Count, Incident, uncounted
from parlour.server.connections.limits import Limits
from parlour.server.connections.line_stream import LineStream
from parlour.server.connections.listener import Listener
from parlour.server.connections.public_websocket import PublicWebSocket
from parlour.server.connections.site import Site
from parlour.server.connections.static_files import load
from parlour.server.connections.websocket import WebSocketConnection, unsupported

logger = logging.getLogger(__name__)

BACKLOG = 1024  # connections that may wait to be accepted
# A node that is full is healthy: restarting it would only disconnect its players.
HEALTH_PATHS = ("/healthz", "/readyz")
NO_STREAMS = "This server cannot send streams, because its version of websockets is not supported."
ABORT_WITHIN = 1.0  # seconds for the event loop to clean up aborted connections


class WebServer:
    """A running server. Create it with `start`."""

    def __init__(
        self, hub: Hub, handshake: Handshake, router: Router, site: Site, *, direct: bool, shares_port: bool = False
    ) -> None:
        self.direct = direct  # whether messages are dispatched straight from the socket, see `websocket.py`
        self.is_accepting = False
        self._shares_port = shares_port  # with other processes
        self._hub = hub
        self._handshake = handshake
        self._router = router
        self._site = site
        self._websockets: set[WebSocketConnection] = set()
        self._server: Server | None = None  # the newest listener, even after it has stopped
        self._earlier: list[Server] = []  # earlier listeners, whose connections may still be open
        self._keep_alive = asyncio.create_task(hub.keep_alive())

    async def open(self, host: str | None, port: int) -> None:
        """Start accepting connections, again after `stop_accepting`. Raise OSError if the port cannot be opened."""
        limits = self._hub.limits
        connect = partial(WebSocketConnection, self._hub, self._handshake, self._websockets)
        # The library logs every opening and closing; the node itself logs those that matter.
        library_log = logger.getChild("websockets")
        library_log.setLevel(logging.WARNING)
        library_log.addFilter(_is_worth_logging)
        try:
            server = await serve(
                self._serve, host, port,
                process_request=self._process_request,
                subprotocols=[Subprotocol(name) for name in CODECS],
                select_subprotocol=_select,
                compression=None,
                server_header=None,
                # A stream is part of the opening for the library. Requests and responses are bounded elsewhere.
                open_timeout=None if self.direct else limits.handshake_timeout,
                ping_interval=None if self.direct else limits.ping_interval,
                ping_timeout=None if self.direct else limits.ping_interval,
                close_timeout=limits.close_timeout,
                max_size=limits.largest_frame,
                write_limit=0,  # a connection has to know when anything is buffered
                logger=library_log,
                create_connection=cast("type[ServerConnection]", connect) if self.direct else None,
                backlog=BACKLOG,
                reuse_port=self._shares_port or None,
                start_serving=False,
            )  # fmt: skip
        except BaseException:
            if self._server is None:
                self._keep_alive.cancel()
            raise
        if self._server is not None:
            self._earlier.append(self._server)
        self._server = server
        self.is_accepting = True
        for listening in server.sockets:
            if limits.kernel_buffer:
                # Accepted sockets inherit it. By default the system buffers megabytes for a client that does not read.
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, limits.kernel_buffer)
        await server.start_serving()

    @property
    def port(self) -> int:
        """The port that is open."""
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    @property
    def connections(self) -> frozenset[Connection]:
        """All open connections."""
        return frozenset(self._hub.connections)

    def close_connections(self, code: CloseCode, last_message: Message | None) -> None:
        """Send a last message to all open connections and close them. New ones are still accepted."""
        broadcast = None if last_message is None else Broadcast(last_message)
        for connection in self.connections:
            if broadcast is not None:
                connection.put(broadcast[connection.codec])
            connection.close(code)

    # -- stopping

    def stop_accepting(self) -> None:
        """Accept no more connections. Open ones stay open."""
        self.is_accepting = False
        if self._server is not None:
            self._server.close(close_connections=False)

    def stop_receiving(self) -> None:
        """Ignore all further messages. Their senders repeat them on another node, because they are not answered."""
        self._hub.received = _ignore

    async def stop(self, grace: float, last_message: Message | None = None) -> None:
        """Accept no more connections, send a last message to the open ones and close them.

        Connections that are not closed after `grace` seconds are aborted.
        """
        self.stop_accepting()
        self._hub.stopping = True
        self._hub.close_within = grace
        self.close_connections(CloseCode.RESTART, last_message)
        for websocket in tuple(self._websockets):
            if websocket.connection is None and websocket.request is None:
                websocket.abort()  # it has not sent a request yet
        assert self._server is not None
        try:
            async with asyncio.timeout(grace):
                for server in (*self._earlier, self._server):
                    await server.wait_closed()
        except TimeoutError:
            for websocket in tuple(self._websockets):
                websocket.abort()
            for connection in self.connections:
                connection.abort(CloseCode.RESTART)
            # Only the event loop's own bookkeeping is left, which must not keep a node from stopping.
            with suppress(TimeoutError):
                async with asyncio.timeout(ABORT_WITHIN):
                    await self._server.wait_closed()
        finally:
            self._keep_alive.cancel()
            with suppress(asyncio.CancelledError):
                await self._keep_alive

    # -- requests

    def _process_request(
        self, connection: ServerConnection, request: Request
    ) -> Response | Awaitable[Response | None] | None:
        """Return the response to an HTTP request; None to open a WebSocket."""
        counts = self._hub.counts
        target = self._site.local_target(request.path)
        path = target.partition("?")[0]
        address = self._handshake.address(connection.transport, request.headers)
        method, body = getattr(request, "method", "GET"), b""
        if isinstance(connection, WebSocketConnection):
            if connection.source is None:
                connection.source = counts.enter(address)
            source, coming = connection.source, 0
            method, body = connection.method, connection.body
        else:
            source, coming = counts.source(address), 1
        if path not in HEALTH_PATHS and (sentence := counts.refusal(source, coming)):
            self._hub.count(Incident.CROWDED)
            answer: Answer = refusal(HTTPStatus.SERVICE_UNAVAILABLE, "crowded", sentence)
        elif not source.take(monotonic()):
            self._hub.count(Incident.CROWDED)
            sentence = "Too many requests from this address. Wait a moment."
            wait = max(1, ceil(source.wait(monotonic()) * 1000))
            answer = refusal(HTTPStatus.TOO_MANY_REQUESTS, ErrorCode.TOO_FAST, sentence, wait)
        elif not self._site.allows(path, request.headers):
            self._hub.count(Incident.BAD_HOST)
            sentence = (
                "This server does not have that name. The operator can allow it with the setting “allowed_hosts”."
            )
            answer = refusal(HTTPStatus.MISDIRECTED_REQUEST, "host_refused", sentence)
        elif path == WEBSOCKET_PATH:
            rejection = self._handshake.rejection(connection.transport, request.headers)
            if rejection is None:
                return None
            if rejection.incident is not None:
                self._hub.count(rejection.incident)
            answer = refusal(rejection.status, rejection.code, rejection.sentence)
        else:
            answer = self._router.route(
                IncomingRequest(method, target, request.headers, body, address, source, self._hub)
            )
        if isinstance(connection, WebSocketConnection):
            connection.allow_slow_response()
        if isinstance(answer, Response) and method != "HEAD" and not self._site.headers:
            return answer
        return self._completed(connection, answer, wants_body=method != "HEAD")

    async def _completed(self, connection: ServerConnection, answer: Answer, *, wants_body: bool) -> Response:
        """Return the response with the headers of the site, and without its body for HEAD. Send a stream."""
        complete = answer if isinstance(answer, Response | StreamResponse) else await answer
        head = complete if isinstance(complete, Response) else complete.head
        head.headers.update(self._site.headers)
        if isinstance(complete, Response):
            return complete if wants_body else without_body(complete)
        if not wants_body or not isinstance(connection, WebSocketConnection):
            if isinstance(complete.content, LineStream):
                complete.content.end()
            return head if not wants_body else refusal(HTTPStatus.NOT_IMPLEMENTED, "no_streams", NO_STREAMS)
        if isinstance(complete.content, LineStream):
            await connection.send_lines(head.serialize(), complete.content)
        else:
            await connection.send_chunks(head.serialize(), complete.content)
        return head  # which is not sent again, because the connection is closed

    async def _serve(self, websocket: ServerConnection) -> None:
        """Serve an open WebSocket until it closes."""
        assert websocket.request is not None
        address = self._handshake.address(websocket.transport, websocket.request.headers)
        if isinstance(websocket, WebSocketConnection):
            assert websocket.source is not None
            codec = CODECS[str(websocket.subprotocol)]
            connection = Connection(
                websocket, websocket.transport.write, self._hub,
                codec=codec, address=address, source=websocket.source,
                socket_fd=websocket.transport.get_extra_info("socket").fileno(),
            )  # fmt: skip
            websocket.begin(connection)
            await websocket.wait_closed()
        else:
            await PublicWebSocket(websocket, address, self._hub).serve()


async def start(
    listener: Listener,
    *,
    host: str | None,
    port: int,
    origins: Iterable[str] = (),
    proxies: Iterable[str] = (),
    limits: Limits,
    routes: Routes,
    site: Site | None = None,
    count: Count = uncounted,
    direct: bool | None = None,
    shares_port: bool = False,
) -> WebServer:
    """Open a port and report what happens there to the listener.

    Raise OSError if the port cannot be opened or the folder of the browser client cannot be read, and ValueError if a
    proxy is not an address. `direct`: whether to dispatch messages straight from the socket; None for whether the
    installed version of `websockets` supports that. `shares_port`: whether other processes open the same port.
    """
    if direct is None:
        reason = unsupported()
        if reason:
            logger.warning(
                "messages are received more slowly, because this version of websockets is not supported: %s", reason
            )
        direct = not reason
    site = site or Site()
    files = {} if routes.folder is None else await asyncio.to_thread(load, routes.folder, site.path_prefix)
    handshake = Handshake(origins, proxies)
    router = Router(routes, files, count, limits.endpoint_timeout)
    server = WebServer(Hub(listener, limits, count), handshake, router, site, direct=direct, shares_port=shares_port)
    await server.open(host, port)
    return server


def _is_worth_logging(record: logging.LogRecord) -> bool:
    """Return False for a client that disconnects during the handshake: older versions log a traceback for each."""
    return record.msg != "opening handshake failed"


def _ignore(connection: Connection, payload: bytes | str) -> None:
    """Drop a message."""


def _select(_: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    chosen = chosen_subprotocol(offered)
    return None if chosen is None else Subprotocol(chosen)
