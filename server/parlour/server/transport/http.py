"""Plain HTTP beside the WebSocket: files of the browser client, and the node's own pages. GET and HEAD only."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from email.utils import formatdate
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from websockets.datastructures import Headers
from websockets.http11 import Response

from parlour.protocol.codec import CODECS, JSON
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.transport.incident import Count, Incident
from parlour.server.transport.static import INDEX, File, Files, accepts_gzip, entity_tag, is_known

log = logging.getLogger(__name__)

SOCKET = "/ws"
KIND_JSON = "application/json"
KIND_TEXT = "text/plain; charset=utf-8"

SAFETY = {
    # Scripts and styles only from files of ours. The client may open WebSockets to other nodes, whose names it is told.
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
    ErrorCode.TRY_AGAIN: HTTPStatus.SERVICE_UNAVAILABLE,
}

_HOST = re.compile(r"[\w.:\[\]-]{1,255}", re.ASCII)


class Ask(NamedTuple):
    """A request for a page of the node."""

    rest: str  # of the path, after the name under which the page is known
    query: Mapping[str, str]
    address: str


class Reply(NamedTuple):
    """What a page of the node answers."""

    body: bytes
    kind: str = KIND_JSON
    status: int = 200


Page = Callable[[Ask], Awaitable[Reply]]


class Routes(NamedTuple):
    """What the port has to offer besides the WebSocket.

    `pages` by path; a path that ends with a slash stands for all that begin so. A page may raise `Refusal`.
    `folder` holds the browser client. `about` is added to the plain page that stands in for it when there is none.
    """

    pages: Mapping[str, Page] = {}
    folder: Path | None = None
    about: str = ""


class Site:
    """Finds what belongs to a path and answers with it."""

    def __init__(self, routes: Routes, files: Files, count: Count, page_timeout: float) -> None:
        self._routes = routes
        self._files = files
        self._count = count
        self._page_timeout = page_timeout

    def answer(self, target: str, headers: Headers, address: str) -> Response | Awaitable[Response]:
        """The answer to a GET."""
        try:
            url = urlsplit(target)
        except ValueError:
            return _unknown(target)
        path = unquote(url.path)
        if found := self._page(path):
            page, rest = found
            query = dict(parse_qsl(url.query, keep_blank_values=True))
            return self._ask(page, Ask(rest, query, address))
        file = self._files.get(path)
        if file is None and "text/html" in _joined(headers, "Accept") and "." not in path.rpartition("/")[2]:
            file = self._files.get(f"/{INDEX}")  # a place inside the client, which finds its way by itself
        if file is not None:
            return _send(file, headers)
        return self._about(headers) if path == "/" else _unknown(path)

    def _page(self, path: str) -> tuple[Page, str] | None:
        pages = self._routes.pages
        if path in pages and not path.endswith("/"):
            return pages[path], ""
        for name, page in pages.items():
            if name.endswith("/") and path.startswith(name) and len(path) > len(name):
                return page, path.removeprefix(name)
        return None

    async def _ask(self, page: Page, ask: Ask) -> Response:
        try:
            async with asyncio.timeout(self._page_timeout):
                reply = await page(ask)
                return response(reply.status, reply.kind, reply.body)
        except Refusal as refused:
            return refusal(STATUS.get(refused.code, HTTPStatus.BAD_REQUEST), refused.code, refused.sentence)
        except TimeoutError:
            self._count(Incident.PAGE_LATE)
            sentence = "The answer takes too long at the moment. Try again in a few seconds."
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE, ErrorCode.TRY_AGAIN, sentence)
        except Exception:
            log.exception("a page failed")
            self._count(Incident.PAGE_FAILED)
            return refusal(HTTPStatus.INTERNAL_SERVER_ERROR, ErrorCode.INTERNAL, ErrorCode.INTERNAL.meaning)

    def _about(self, headers: Headers) -> Response:
        """In place of a browser client."""
        host = _joined(headers, "Host")
        url = f"ws://{host if _HOST.fullmatch(host) else 'this-server'}{SOCKET}"
        lines = [
            "This is a Parlour server. It has no browser client installed.",
            "",
            f"Programs connect by WebSocket to {url}",
            f"with one of the subprotocols {' or '.join(CODECS)}.",
            "To try it from a terminal with any WebSocket tool, for instance:",
            "",
            f"    websocat --protocol {JSON.subprotocol} {url}",
            '    {"t": "hello"}',
            "",
        ]
        if self._routes.about:
            lines += [self._routes.about, ""]
        return response(HTTPStatus.OK, KIND_TEXT, "\n".join(lines).encode())


def response(status: int, kind: str, body: bytes, extra: Mapping[str, str] = {}) -> Response:
    """An HTTP response with the headers that every one has."""
    headers = Headers(SAFETY)
    headers["Date"] = formatdate(usegmt=True)
    headers["Connection"] = "close"
    if status != HTTPStatus.NOT_MODIFIED:
        headers["Content-Type"] = kind
        headers["Content-Length"] = str(len(body))
    for name, value in ({"Cache-Control": "no-store"} | dict(extra)).items():
        headers[name] = value
    return Response(int(status), HTTPStatus(status).phrase, headers, body)


def refusal(status: HTTPStatus, code: str, sentence: str) -> Response:
    """A refusal, for programs and for people."""
    extra = {}
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        extra["Allow"] = "GET, HEAD"
    if status == HTTPStatus.UPGRADE_REQUIRED:
        extra["Upgrade"] = "websocket"
    body = json.dumps({"error": str(code), "text": sentence}, ensure_ascii=False).encode() + b"\n"
    return response(status, KIND_JSON, body, extra)


def without_body(full: Response) -> Response:
    """The answer to HEAD: the headers of the answer to GET."""
    return Response(full.status_code, full.reason_phrase, full.headers)


def _send(file: File, headers: Headers) -> Response:
    packed = file.packed is not None and accepts_gzip(_joined(headers, "Accept-Encoding"))
    extra = {"Cache-Control": file.caching, "ETag": entity_tag(file, packed)}
    if file.packed is not None:
        extra["Vary"] = "Accept-Encoding"
    if is_known(_joined(headers, "If-None-Match"), file.tag):
        return response(HTTPStatus.NOT_MODIFIED, file.kind, b"", extra)
    if packed and file.packed is not None:
        return response(HTTPStatus.OK, file.kind, file.packed, extra | {"Content-Encoding": "gzip"})
    return response(HTTPStatus.OK, file.kind, file.body, extra)


def _unknown(path: str) -> Response:
    return refusal(
        HTTPStatus.NOT_FOUND, "not_found", f"There is nothing at {path[:100]}. The WebSocket is at {SOCKET}."
    )


def _joined(headers: Headers, name: str) -> str:
    return ", ".join(headers.get_all(name))
