"""The port of the admin API and its page: a small separate HTTP server, which players cannot reach."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from http import HTTPStatus
from time import monotonic
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import h11
import msgspec
from msgspec import Struct
from websockets.datastructures import Headers
from websockets.http11 import Response

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.admin.api import AdminApi, NotFound
from parlour.server.admin.operators import Operators
from parlour.server.connections.handshake import socket_address
from parlour.server.connections.http import JSON_TYPE, STATUS, file_response, refusal, response
from parlour.server.connections.static_files import INDEX, Files
from parlour.server.store.errors import StoreUnavailable

logger = logging.getLogger(__name__)

API = "/api/"
LARGEST_HEAD, LARGEST_BODY = 16 * 1024, 64 * 1024  # bytes
REQUEST_WITHIN = 10.0  # seconds for a client to send its request
ANSWER_WITHIN = 60.0  # seconds; deleting a player with many games takes a while
MAX_ATTEMPTS, LOCKED_FOR = 10, 60.0  # wrong tokens from one address, and seconds without another attempt
MAX_ADDRESSES = 10_000  # that are remembered


class Attempts(Struct):
    """Counts the wrong tokens of each address."""

    _failures: dict[str, tuple[int, float]] = {}  # by address: their number, and when they are forgotten

    def wait(self, address: str, now: float) -> float:
        """Return for how many more seconds no token is accepted from an address."""
        count, until = self._failures.get(address, (0, 0.0))
        return max(0.0, until - now) if count >= MAX_ATTEMPTS else 0.0

    def failed(self, address: str, now: float) -> None:
        """Count a wrong token."""
        count, until = self._failures.get(address, (0, 0.0))
        if len(self._failures) >= MAX_ADDRESSES:
            self._failures.clear()
        self._failures[address] = (count + 1 if now < until else 1, now + LOCKED_FOR)


class Request(Struct, frozen=True):
    """A request, read completely."""

    method: str
    target: str
    headers: Headers
    body: bytes
    address: str


class AdminServer:
    """A running server. Create it with `start`."""

    def __init__(self, api: AdminApi, operators: Operators, files: Files) -> None:
        self._api = api
        self._operators = operators
        self._files = files
        self._attempts = Attempts()
        self._server: asyncio.Server | None = None

    async def open(self, host: str, port: int, *, shares_port: bool = False) -> None:
        """Start listening. Raise OSError if the port cannot be opened."""
        self._server = await asyncio.start_server(
            self._serve, host, port, limit=LARGEST_HEAD, reuse_port=shares_port or None
        )

    @property
    def port(self) -> int:
        """The port that is open."""
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request and close the connection."""
        try:
            async with asyncio.timeout(REQUEST_WITHIN):
                request = await read_request(reader, socket_address(writer.transport))
            async with asyncio.timeout(ANSWER_WITHIN):
                answer = await self._answer(request)
        except h11.RemoteProtocolError as error:
            answer = refusal(HTTPStatus.BAD_REQUEST, ErrorCode.REQUEST_MALFORMED, f"This is not a request: {error}.")
        except (TimeoutError, ConnectionError):
            writer.close()
            return
        writer.write(answer.serialize())
        try:
            await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()

    async def _answer(self, request: Request) -> Response:
        url = urlsplit(request.target)
        path = unquote(url.path)
        if not path.startswith(API):
            return self._file(request, path)
        now = monotonic()
        if wait := self._attempts.wait(request.address, now):
            sentence = f"Too many wrong tokens. Try again in {round(wait) or 1} seconds."
            return refusal(HTTPStatus.TOO_MANY_REQUESTS, ErrorCode.TOO_MANY_SIGN_INS, sentence)
        operator = self._operators.find(bearer_token(request.headers))
        if operator is None:
            self._attempts.failed(request.address, now)
            logger.warning("a request to the admin API had a wrong token", extra={"address": request.address})
            sentence = "Send an operator's token: Authorization: Bearer TOKEN."
            return refusal(HTTPStatus.UNAUTHORIZED, ErrorCode.TOKEN_UNKNOWN, sentence)
        # Each part is decoded by itself, because a name may contain a slash once it is decoded.
        parts = [unquote(part) for part in url.path.removeprefix(API).split("/")]
        query = dict(parse_qsl(url.query, keep_blank_values=True))
        return await self._call(operator, request, parts, query)

    async def _call(self, operator: str, request: Request, parts: list[str], query: Mapping[str, str]) -> Response:
        try:
            answer: Any
            if request.method == "GET":
                answer = await self._api.get(operator, parts, query)
            elif request.method == "POST":
                answer = await self._api.post(operator, parts, request.body)
            else:
                sentence = "Use GET to read and POST to act."
                return refusal(HTTPStatus.METHOD_NOT_ALLOWED, "method_not_allowed", sentence)
            return response(HTTPStatus.OK, JSON_TYPE, msgspec.json.encode(answer))
        except Refusal as refused:
            return refusal(STATUS.get(refused.code, HTTPStatus.BAD_REQUEST), refused.code, refused.sentence)
        except NotFound:
            return refusal(HTTPStatus.NOT_FOUND, "not_found", "There is no such list or action.")
        except StoreUnavailable:
            sentence = "The store or the archive does not answer. Try again in a few seconds."
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE, ErrorCode.TRY_AGAIN, sentence)
        except Exception:
            logger.exception("a request to the admin API failed")
            return refusal(HTTPStatus.INTERNAL_SERVER_ERROR, ErrorCode.INTERNAL, ErrorCode.INTERNAL.meaning)

    def _file(self, request: Request, path: str) -> Response:
        if request.method != "GET":
            return refusal(HTTPStatus.METHOD_NOT_ALLOWED, "method_not_allowed", "Only the API accepts this.")
        file = self._files.get(path)
        if file is None and "." not in path.rpartition("/")[2]:
            file = self._files.get(f"/{INDEX}")  # a route inside the page
        if file is None:
            return refusal(HTTPStatus.NOT_FOUND, "not_found", f"There is nothing at {path[:100]}.")
        return file_response(file, request.headers)


def bearer_token(headers: Headers) -> str:
    """Return the token in the headers; empty if there is none."""
    scheme, _, token = ", ".join(headers.get_all("Authorization")).partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


async def read_request(reader: asyncio.StreamReader, address: str) -> Request:
    """Read a request. Raise RemoteProtocolError if it is not HTTP/1.1, or too large."""
    connection = h11.Connection(h11.SERVER, max_incomplete_event_size=LARGEST_HEAD)
    head: h11.Request | None = None
    body = bytearray()
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            if connection.they_are_waiting_for_100_continue:
                raise h11.RemoteProtocolError("Expect is not supported")
            data = await reader.read(LARGEST_HEAD)
            if not data:
                raise ConnectionResetError
            connection.receive_data(data)
        elif isinstance(event, h11.Request):
            head = event
        elif isinstance(event, h11.Data):
            body += event.data
            if len(body) > LARGEST_BODY:
                raise h11.RemoteProtocolError("the body is too large")
        elif isinstance(event, h11.EndOfMessage):
            assert head is not None
            headers = Headers([(name.decode("latin-1"), value.decode("latin-1")) for name, value in head.headers])
            return Request(head.method.decode(), head.target.decode(), headers, bytes(body), address)
