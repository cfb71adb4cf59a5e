"""Plain HTTP beside the WebSocket: the browser client, the documentation, the node's endpoints, and the API.

Only the API has methods other than GET and HEAD.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from email.utils import formatdate
from http import HTTPStatus
from math import ceil
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from websockets.datastructures import Headers
from websockets.http11 import Response

from parlour.protocol.codec import CODECS, JSON
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.connections.documentation import Documentation, is_documentation
from parlour.server.connections.hub import Hub
from parlour.server.connections.incidents import Count, Incident
from parlour.server.connections.limits import Source
from parlour.server.connections.line_stream import LineStream
from parlour.server.connections.site import is_local
from parlour.server.connections.static_files import File, Files, accepts_gzip, entity_tag, matches_etag

logger = logging.getLogger(__name__)

WEBSOCKET_PATH = "/ws"
API_PATH = "/api/v1/"
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
    ErrorCode.REQUEST_MALFORMED: HTTPStatus.BAD_REQUEST,
    ErrorCode.REQUEST_TOO_LARGE: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    ErrorCode.TOKEN_UNKNOWN: HTTPStatus.UNAUTHORIZED,
    ErrorCode.SIGN_IN_REFUSED: HTTPStatus.UNAUTHORIZED,
    ErrorCode.SCOPE_MISSING: HTTPStatus.FORBIDDEN,
    ErrorCode.ACCOUNT_NEEDED: HTTPStatus.FORBIDDEN,
    ErrorCode.SUSPENDED: HTTPStatus.FORBIDDEN,
    ErrorCode.BANNED: HTTPStatus.FORBIDDEN,
    ErrorCode.MUTED: HTTPStatus.FORBIDDEN,
    ErrorCode.PLAYER_UNAVAILABLE: HTTPStatus.FORBIDDEN,
    ErrorCode.BLOCKED_BY_YOU: HTTPStatus.FORBIDDEN,
    ErrorCode.NOT_A_PLAYER: HTTPStatus.FORBIDDEN,
    ErrorCode.HINT_REFUSED: HTTPStatus.FORBIDDEN,
    ErrorCode.ENTRY_CODE_WRONG: HTTPStatus.FORBIDDEN,
    ErrorCode.NOT_ORGANISER: HTTPStatus.FORBIDDEN,
    ErrorCode.ROOM_UNKNOWN: HTTPStatus.NOT_FOUND,
    ErrorCode.RECORD_UNKNOWN: HTTPStatus.NOT_FOUND,
    ErrorCode.PLAYER_UNKNOWN: HTTPStatus.NOT_FOUND,
    ErrorCode.GAME_UNKNOWN: HTTPStatus.NOT_FOUND,
    ErrorCode.INVITE_UNKNOWN: HTTPStatus.NOT_FOUND,
    ErrorCode.TOURNAMENT_UNKNOWN: HTTPStatus.NOT_FOUND,
    ErrorCode.NAME_TAKEN: HTTPStatus.CONFLICT,
    ErrorCode.ID_REUSED: HTTPStatus.CONFLICT,
    ErrorCode.ALREADY_REGISTERED: HTTPStatus.CONFLICT,
    ErrorCode.SEEK_GONE: HTTPStatus.CONFLICT,
    ErrorCode.OWN_SEEK: HTTPStatus.CONFLICT,
    ErrorCode.RATING_OUT_OF_RANGE: HTTPStatus.CONFLICT,
    ErrorCode.LIMIT_REACHED: HTTPStatus.CONFLICT,
    ErrorCode.NOT_YOUR_TURN: HTTPStatus.CONFLICT,
    ErrorCode.STALE_PLY: HTTPStatus.CONFLICT,
    ErrorCode.GAME_OVER: HTTPStatus.CONFLICT,
    ErrorCode.GAME_NOT_STARTED: HTTPStatus.CONFLICT,
    ErrorCode.NOTHING_OFFERED: HTTPStatus.CONFLICT,
    ErrorCode.OFFER_REFUSED: HTTPStatus.CONFLICT,
    ErrorCode.TOO_LATE_TO_ABORT: HTTPStatus.CONFLICT,
    ErrorCode.CANNOT_CLAIM: HTTPStatus.CONFLICT,
    ErrorCode.TOURNAMENT_FULL: HTTPStatus.CONFLICT,
    ErrorCode.TOURNAMENT_OVER: HTTPStatus.CONFLICT,
    ErrorCode.ALREADY_ENTERED: HTTPStatus.CONFLICT,
    ErrorCode.NOT_ENTERED: HTTPStatus.CONFLICT,
    ErrorCode.TOO_MANY_TOURNAMENTS: HTTPStatus.TOO_MANY_REQUESTS,
    ErrorCode.TOO_MANY_REPORTS: HTTPStatus.TOO_MANY_REQUESTS,
    ErrorCode.TOO_MANY_SIGN_INS: HTTPStatus.TOO_MANY_REQUESTS,
    ErrorCode.TOO_MANY_NAMES: HTTPStatus.TOO_MANY_REQUESTS,
    ErrorCode.TOO_MANY_SEEKS: HTTPStatus.TOO_MANY_REQUESTS,
    ErrorCode.TOO_MANY_CHALLENGES: HTTPStatus.TOO_MANY_REQUESTS,
    ErrorCode.TOO_MUCH_CHAT: HTTPStatus.TOO_MANY_REQUESTS,
    ErrorCode.TOO_FAST: HTTPStatus.TOO_MANY_REQUESTS,
    ErrorCode.OVER_BUDGET: HTTPStatus.TOO_MANY_REQUESTS,
    ErrorCode.INTERNAL: HTTPStatus.INTERNAL_SERVER_ERROR,
    ErrorCode.RULES_UNSUPPORTED: HTTPStatus.SERVICE_UNAVAILABLE,
    ErrorCode.ROOM_FULL: HTTPStatus.SERVICE_UNAVAILABLE,
    ErrorCode.COMPUTER_BUSY: HTTPStatus.SERVICE_UNAVAILABLE,
    ErrorCode.TRY_AGAIN: HTTPStatus.SERVICE_UNAVAILABLE,
}

_HOST = re.compile(r"[\w.:\[\]-]{1,255}", re.ASCII)


class IncomingRequest(NamedTuple):
    """A request as it arrived, and the source that it is charged to."""

    method: str
    target: str
    headers: Headers
    body: bytes
    address: str
    source: Source | None = None
    hub: Hub | None = None


class HttpRequest(NamedTuple):
    """A request to an endpoint."""

    rest: str  # the path after the endpoint's own
    query: Mapping[str, str]
    address: str
    is_local: bool = False  # from this machine, without a proxy in between
    origin: str = ""  # scheme and host of the address that the client used, such as http://localhost:8765


class HttpReply(NamedTuple):
    """The reply of an endpoint."""

    body: bytes
    content_type: str = JSON_TYPE
    status: int = 200
    cache_control: str = "no-store"


class StreamResponse(NamedTuple):
    """A response without a length: the head, and the lines or pieces that follow it."""

    head: Response
    content: LineStream | AsyncIterator[bytes]


Answer = Response | StreamResponse | Awaitable[Response | StreamResponse]
Endpoint = Callable[[HttpRequest], Awaitable[HttpReply]]


class Routes(NamedTuple):
    """What the port serves besides the WebSocket.

    `endpoints` are keyed by path; a path that ends with a slash matches every path that starts with it. An endpoint may
    raise Refusal. `folder` holds the browser client. Without one, a plain page takes its place, and `about` is added
    to it. `page` returns the HTML of the browser client for every path that is neither an endpoint nor a file. `api`
    answers everything below API_PATH, and bounds its own time. `docs` holds the documentation.
    """

    endpoints: Mapping[str, Endpoint] = {}
    folder: Path | None = None
    page: Endpoint | None = None
    about: str = ""
    api: Callable[[IncomingRequest], Awaitable[Response | StreamResponse]] | None = None
    docs: Path | None = None


class Router:
    """Answers each request with the endpoint or the file at its path."""

    def __init__(self, routes: Routes, files: Files, count: Count, endpoint_timeout: float) -> None:
        self._routes = routes
        self._files = files
        self._count = count
        self._endpoint_timeout = endpoint_timeout
        self._documentation = None if routes.docs is None else Documentation(routes.docs)

    def route(self, asked: IncomingRequest) -> Answer:
        """Return the response to a request, to the API or to anything else."""
        api = self._routes.api
        if api is not None and asked.target.startswith(API_PATH):
            return api(asked)
        return self.answer(asked)

    def answer(self, asked: IncomingRequest) -> Response | Awaitable[Response]:
        """Return the response to a request for an endpoint or a file."""
        target, headers, address = asked.target, asked.headers, asked.address
        try:
            url = urlsplit(target)
        except ValueError:
            return _not_found(target)
        path = unquote(url.path)
        if asked.method not in ("GET", "HEAD"):
            sentence = f"Only GET and HEAD are supported here. Send commands to the API at {API_PATH}, or through /ws."
            return refusal(HTTPStatus.METHOD_NOT_ALLOWED, "method_not_allowed", sentence)
        if self._documentation is not None and is_documentation(path):
            return self._document(self._documentation, path, headers)
        page = self._routes.page
        found = self._find_endpoint(path)
        if found is None and page is not None and (path == "/" or path not in self._files):
            found = page, path
        if found is not None:
            endpoint, rest = found
            query = dict(parse_qsl(url.query, keep_blank_values=True))
            request = HttpRequest(rest, query, address, is_local(address, headers), _origin(headers))
            return self._call(endpoint, request, compress=accepts_gzip(_joined(headers, "Accept-Encoding")))
        file = self._files.get(path)
        if file is not None:
            return file_response(file, headers)
        return self._placeholder(headers) if path == "/" else _not_found(path)

    async def _document(self, documentation: Documentation, path: str, headers: Headers) -> Response:
        """Return a page or another file of the documentation."""
        try:
            if (file := await documentation.find(path)) is not None:
                return file_response(file, headers)
            if await documentation.is_folder(path):
                # Relative, because the client's path may begin with a prefix that is not known here.
                location = {"Location": f"{quote(path.rpartition('/')[2])}/"}
                return response(HTTPStatus.PERMANENT_REDIRECT, TEXT_TYPE, b"", location)
        except OSError:
            logger.exception("the documentation cannot be read")
            return refusal(HTTPStatus.INTERNAL_SERVER_ERROR, ErrorCode.INTERNAL, ErrorCode.INTERNAL.meaning)
        return _not_found(path)

    def _find_endpoint(self, path: str) -> tuple[Endpoint, str] | None:
        endpoints = self._routes.endpoints
        if path in endpoints and not path.endswith("/"):
            return endpoints[path], ""
        for prefix, endpoint in endpoints.items():
            if prefix.endswith("/") and path.startswith(prefix) and len(path) > len(prefix):
                return endpoint, path.removeprefix(prefix)
        return None

    async def _call(self, endpoint: Endpoint, request: HttpRequest, *, compress: bool) -> Response:
        try:
            async with asyncio.timeout(self._endpoint_timeout):
                return await _reply(await endpoint(request), compress=compress)
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
    if status not in (HTTPStatus.NOT_MODIFIED, HTTPStatus.NO_CONTENT):
        headers["Content-Type"] = content_type
        headers["Content-Length"] = str(len(body))
    for name, value in ({"Cache-Control": "no-store"} | dict(extra)).items():
        headers[name] = value
    return Response(int(status), HTTPStatus(status).phrase, headers, body)


async def _reply(reply: HttpReply, *, compress: bool) -> Response:
    extra = {"Cache-Control": reply.cache_control}
    body = reply.body
    if reply.content_type.startswith("text/html"):
        extra["Vary"] = "Accept-Encoding"
        if compress:
            extra["Content-Encoding"] = "gzip"
            body = await asyncio.to_thread(gzip.compress, body, 6, mtime=0)  # some milliseconds
    return response(reply.status, reply.content_type, body, extra)


def refusal(
    status: HTTPStatus, code: str, sentence: str, retry_after: int | None = None, more: Mapping[str, str] = {}
) -> Response:
    """Return a refusal, readable for programs and people. `retry_after` is in milliseconds, `more` are headers."""
    extra = dict(more)
    if retry_after is not None:
        extra["Retry-After"] = str(ceil(retry_after / 1000))
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        extra.setdefault("Allow", "GET, HEAD")
    if status == HTTPStatus.UPGRADE_REQUIRED:
        extra["Upgrade"] = "websocket"
    if status == HTTPStatus.UNAUTHORIZED:
        extra["WWW-Authenticate"] = "Bearer"
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


def _origin(headers: Headers) -> str:
    """Return the scheme and host that the client used, as far as proxies tell; empty if the host is malformed."""
    host = _joined(headers, "Host")
    scheme = "https" if _joined(headers, "X-Forwarded-Proto").startswith("https") else "http"
    return f"{scheme}://{host}" if _HOST.fullmatch(host) else ""


def _joined(headers: Headers, name: str) -> str:
    return ", ".join(headers.get_all(name))
