"""Plain HTTP beside the WebSocket: the files of the browser client, and the node's endpoints. GET and HEAD only."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from email.utils import formatdate
from http import HTTPStatus
from math import ceil
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from websockets.datastructures import Headers
from websockets.http11 import Response

from parlour.protocol.codec import CODECS, JSON
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.connections.incidents import Count, Incident
from parlour.server.connections.site import is_local
from parlour.server.connections.static_files import INDEX, File, Files, accepts_gzip, entity_tag, matches_etag

logger = logging.getLogger(__name__)

WEBSOCKET_PATH = "/ws"
JSON_TYPE = "application/json"
TEXT_TYPE = "text/plain; charset=utf-8"

SECURITY_HEADERS = {
    # Scripts and styles come from this server only. The client may open WebSockets to other nodes.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "media-src 'self'; manifest-src 'self'; worker-src 'self'; connect-src 'self' ws: wss:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}

STATUS = {
    ErrorCode.ROOM_UNKNOWN: HTTPStatus.NOT_FOUND,
    ErrorCode.RECORD_UNKNOWN: HTTPStatus.NOT_FOUND,
    ErrorCode.PLAYER_UNKNOWN: HTTPStatus.NOT_FOUND,
    ErrorCode.GAME_UNKNOWN: HTTPStatus.NOT_FOUND,
    ErrorCode.TOO_FAST: HTTPStatus.TOO_MANY_REQUESTS,
    ErrorCode.OVER_BUDGET: HTTPStatus.TOO_MANY_REQUESTS,
    ErrorCode.TRY_AGAIN: HTTPStatus.SERVICE_UNAVAILABLE,
}

_HOST = re.compile(r"[\w.:\[\]-]{1,255}", re.ASCII)


class HttpRequest(NamedTuple):
    """A request to an endpoint."""

    rest: str  # the path after the endpoint's own
    query: Mapping[str, str]
    address: str
    is_local: bool = False  # from this machine, without a proxy in between


class HttpReply(NamedTuple):
    """The reply of an endpoint."""

    body: bytes
    content_type: str = JSON_TYPE
    status: int = 200


Endpoint = Callable[[HttpRequest], Awaitable[HttpReply]]


class Routes(NamedTuple):
    """What the port serves besides the WebSocket.

    `endpoints` are keyed by path; a path that ends with a slash matches every path that starts with it. An endpoint may
    raise Refusal. `folder` holds the browser client. Without one, a plain page takes its place, and `about` is added
    to it.
    """

    endpoints: Mapping[str, Endpoint] = {}
    folder: Path | None = None
    about: str = ""


class Router:
    """Answers each request with the endpoint or the file at its path."""

    def __init__(self, routes: Routes, files: Files, count: Count, endpoint_timeout: float) -> None:
        self._routes = routes
        self._files = files
        self._count = count
        self._endpoint_timeout = endpoint_timeout

    def answer(self, target: str, headers: Headers, address: str) -> Response | Awaitable[Response]:
        """Return the response to a GET request."""
        try:
            url = urlsplit(target)
        except ValueError:
            return _not_found(target)
        path = unquote(url.path)
        if found := self._find_endpoint(path):
            endpoint, rest = found
            query = dict(parse_qsl(url.query, keep_blank_values=True))
            return self._call(endpoint, HttpRequest(rest, query, address, is_local(address, headers)))
        file = self._files.get(path)
        if file is None and "text/html" in _joined(headers, "Accept") and "." not in path.rpartition("/")[2]:
            file = self._files.get(f"/{INDEX}")  # a route inside the client
        if file is not None:
            return file_response(file, headers)
        return self._placeholder(headers) if path == "/" else _not_found(path)

    def _find_endpoint(self, path: str) -> tuple[Endpoint, str] | None:
        endpoints = self._routes.endpoints
        if path in endpoints and not path.endswith("/"):
            return endpoints[path], ""
        for prefix, endpoint in endpoints.items():
            if prefix.endswith("/") and path.startswith(prefix) and len(path) > len(prefix):
                return endpoint, path.removeprefix(prefix)
        return None

    async def _call(self, endpoint: Endpoint, request: HttpRequest) -> Response:
        try:
            async with asyncio.timeout(self._endpoint_timeout):
                reply = await endpoint(request)
                return response(reply.status, reply.content_type, reply.body)
        except Refusal as refused:
            status = STATUS.get(refused.code, HTTPStatus.BAD_REQUEST)
            return refusal(status, refused.code, refused.sentence, refused.retry_after)
        except TimeoutError:
            self._count(Incident.ENDPOINT_TIMEOUT)
            sentence = "The server is too busy to answer. Try again in a few seconds."
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE, ErrorCode.TRY_AGAIN, sentence)
        except Exception:
            logger.exception("the HTTP endpoint failed for %s", request.rest, extra={"address": request.address})
            self._count(Incident.ENDPOINT_FAILED)
            return refusal(HTTPStatus.INTERNAL_SERVER_ERROR, ErrorCode.INTERNAL, ErrorCode.INTERNAL.meaning)

    def _placeholder(self, headers: Headers) -> Response:
        """Return the page that takes the place of a missing browser client."""
        host = _joined(headers, "Host")
        url = f"ws://{host if _HOST.fullmatch(host) else 'this-server'}{WEBSOCKET_PATH}"
        lines = [
            "This is a Parlour server. It has no browser client installed.",
            "",
            f"Clients connect by WebSocket to {url}",
            f"with one of the subprotocols {' or '.join(CODECS)}.",
            "To try it from a terminal, use any WebSocket tool, for example:",
            "",
            f"    websocat --protocol {JSON.subprotocol} {url}",
            '    {"t": "hello"}',
            "",
        ]
        if self._routes.about:
            lines += [self._routes.about, ""]
        return response(HTTPStatus.OK, TEXT_TYPE, "\n".join(lines).encode())


def response(status: int, content_type: str, body: bytes, extra: Mapping[str, str] = {}) -> Response:
    """Return an HTTP response with the headers that all responses have."""
    headers = Headers(SECURITY_HEADERS)
    headers["Date"] = formatdate(usegmt=True)
    headers["Connection"] = "close"
    if status != HTTPStatus.NOT_MODIFIED:
        headers["Content-Type"] = content_type
        headers["Content-Length"] = str(len(body))
    for name, value in ({"Cache-Control": "no-store"} | dict(extra)).items():
        headers[name] = value
    return Response(int(status), HTTPStatus(status).phrase, headers, body)


def refusal(status: HTTPStatus, code: str, sentence: str, retry_after: int | None = None) -> Response:
    """Return a refusal, readable for programs and people. `retry_after` is in milliseconds."""
    extra = {}
    if retry_after is not None:
        extra["Retry-After"] = str(ceil(retry_after / 1000))
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        extra["Allow"] = "GET, HEAD"
    if status == HTTPStatus.UPGRADE_REQUIRED:
        extra["Upgrade"] = "websocket"
    body = json.dumps({"error": str(code), "text": sentence}, ensure_ascii=False).encode() + b"\n"
    return response(status, JSON_TYPE, body, extra)


def without_body(full: Response) -> Response:
    """Return the response to HEAD: the headers of the response to GET."""
    return Response(full.status_code, full.reason_phrase, full.headers)


def file_response(file: File, headers: Headers) -> Response:
    """Return the response with a file, compressed if the client accepts that, or without it if it has not changed."""
    gzipped = file.gzipped if accepts_gzip(_joined(headers, "Accept-Encoding")) else None
    extra = {"Cache-Control": file.cache_control, "ETag": entity_tag(file, gzipped is not None)}
    if file.gzipped is not None:
        extra["Vary"] = "Accept-Encoding"
    if matches_etag(_joined(headers, "If-None-Match"), file.etag):
        return response(HTTPStatus.NOT_MODIFIED, file.content_type, b"", extra)
    if gzipped is not None:
        return response(HTTPStatus.OK, file.content_type, gzipped, extra | {"Content-Encoding": "gzip"})
    return response(HTTPStatus.OK, file.content_type, file.body, extra)


def _not_found(path: str) -> Response:
    return refusal(
        HTTPStatus.NOT_FOUND, "not_found", f"There is nothing at {path[:100]}. The WebSocket is at {WEBSOCKET_PATH}."
    )


def _joined(headers: Headers, name: str) -> str:
    return ", ".join(headers.get_all(name))
