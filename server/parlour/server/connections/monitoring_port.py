"""A separate port for monitoring, which players do not see: health, readiness and metrics."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Mapping
from http import HTTPStatus

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from parlour.server.connections.http import Endpoint, IncomingRequest, Router, Routes, refusal
from parlour.server.connections.incidents import uncounted

TIMEOUT = 5.0  # seconds for a request, and for its answer


async def open_monitoring_port(
    address: tuple[str, int], endpoints: Mapping[str, Endpoint], *, shares_port: bool = False
) -> Server:
    """Serve endpoints at an address. Raise OSError if it cannot be opened.

    `shares_port`: whether other processes open the same port.
    """
    router = Router(Routes(endpoints), {}, uncounted, TIMEOUT)
    sentence = f"This port serves {', '.join(endpoints)}."

    def respond(_: ServerConnection, request: Request) -> Response | Awaitable[Response]:
        if request.path.partition("?")[0] not in endpoints:
            return refusal(HTTPStatus.NOT_FOUND, "not_found", sentence)
        return router.answer(IncomingRequest("GET", request.path, request.headers, b"", ""))

    quiet = logging.getLogger(__name__)  # of a library that logs every connection
    quiet.setLevel(logging.CRITICAL)
    host, port = address
    return await serve(
        _no_websocket, host, port, process_request=respond, compression=None, server_header=None,
        open_timeout=TIMEOUT, close_timeout=TIMEOUT, logger=quiet, reuse_port=shares_port or None,
    )  # fmt: skip


async def _no_websocket(_: ServerConnection) -> None:
    """Close at once; not reached, since every request is answered."""
