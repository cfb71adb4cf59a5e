"""Answers requests to the API: finds the operation, reads the input, and completes the reply with its headers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from hashlib import sha256
from http import HTTPStatus
from math import ceil
from time import monotonic
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from websockets.http11 import Response

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Command, Message
from parlour.server.api.call import Call
from parlour.server.api.operation import Content, Operation, status_of
from parlour.server.api.routing import OPENAPI, find
from parlour.server.connections.http import API_PATH, JSON_TYPE, IncomingRequest, StreamResponse, refusal, response
from parlour.server.connections.incidents import Count, Incident
from parlour.server.connections.line_stream import NDJSON_TYPE, LineStream
from parlour.server.connections.static_files import matches_etag
from parlour.server.node import Node
from parlour.server.sessions.scopes import scope_missing
from parlour.server.store.errors import StoreUnavailable

logger = logging.getLogger(__name__)

WITHIN = 12.0  # seconds for a reply, or for the first line of a stream
PREFIX = API_PATH.rstrip("/")
A_DAY = 86_400  # seconds

TRY_AGAIN = "The store does not answer. Try again in a few seconds."
NEEDS_TOKEN = "Send the token of a player: Authorization: Bearer TOKEN. POST /api/v1/guests gives you one."  # noqa: S105

Headers = Mapping[str, str]

# Any page may use the API: a token is never sent by itself, as a cookie would be.
CROSS_ORIGIN: Headers = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
PREFLIGHT: Headers = {
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, If-None-Match",
    "Access-Control-Max-Age": str(A_DAY),
}


class ApiHandler:
    """The operations of a node. Calling it answers a request."""

    def __init__(self, node: Node, count: Count) -> None:
        self._node = node
        self._count = count

    async def __call__(self, asked: IncomingRequest) -> Response | StreamResponse:
        """Return the response to a request."""
        headers = {**CROSS_ORIGIN, **_rate_limit(asked)}
        url = urlsplit(asked.target)
        path = url.path.removeprefix(PREFIX)
        route = find(path, asked.method)
        if not route.methods:
            sentence = f"There is no {path[:100]}. See {PREFIX}{OPENAPI}."
            return refusal(HTTPStatus.NOT_FOUND, "not_found", sentence, more=headers)
        if asked.method == "OPTIONS":
            more = {**PREFLIGHT, "Allow": route.allow, "Access-Control-Allow-Methods": route.allow}
            return response(HTTPStatus.NO_CONTENT, JSON_TYPE, b"", {**headers, **more})
        operation = route.operation
        if operation is None:
            sentence = f"{path[:100]} allows {route.allow}."
            more = {**headers, "Allow": route.allow}
            return refusal(HTTPStatus.METHOD_NOT_ALLOWED, "method_not_allowed", sentence, more=more)
        call = Call(self._node, asked)
        try:
            async with asyncio.timeout(WITHIN):
                reply = await self._answer(call, operation, route.path, url.query)
        except BaseException as fault:
            call.end()
            return self._fault(fault, operation, call, headers)
        if isinstance(reply, LineStream):
            return _stream(reply, reply.content_type, headers)
        if isinstance(reply, AsyncIterator):
            return _stream(_closing(reply, call), NDJSON_TYPE, headers)
        call.end()
        cache = "no-cache" if call.session.is_visitor and operation.method == "GET" else "no-store"
        return _complete(asked, reply, operation.status, headers, cache)

    async def _answer(
        self, call: Call, operation: Operation, path: Mapping[str, str], query: str
    ) -> Struct | Content | LineStream | AsyncIterator[bytes]:
        token = _bearer_token(call.asked)
        if operation.scope is not None and token is None:
            raise Refusal(ErrorCode.TOKEN_UNKNOWN, NEEDS_TOKEN)
        if token is not None:
            await call.authenticate(token)
            scopes, needed = call.session.scopes, operation.scope
            if scopes is not None and needed is not None and needed not in ("any", *scopes):
                raise scope_missing(needed)
        if operation.method == "POST" or operation.scope is not None:
            call.number()
        read = operation.read(path, query, call.asked.body, call.id)
        call.is_read = True
        if operation.answer is not None:
            return await operation.answer(call, read)
        assert isinstance(read, Command)
        return await call.ask(read, Message)

    def _fault(self, fault: BaseException, operation: Operation, call: Call, headers: Headers) -> Response:
        match fault:
            case Refusal():
                status = status_of(fault.code)
                if status == HTTPStatus.BAD_REQUEST and call.is_read:
                    status = HTTPStatus.UNPROCESSABLE_ENTITY
                return refusal(status, fault.code, fault.sentence, fault.retry_after, headers)
            case StoreUnavailable():
                return refusal(HTTPStatus.SERVICE_UNAVAILABLE, ErrorCode.TRY_AGAIN, TRY_AGAIN, more=headers)
            case TimeoutError():
                self._count(Incident.ENDPOINT_TIMEOUT)
                sentence = "The server is too busy to answer. Try again in a few seconds."
                return refusal(HTTPStatus.SERVICE_UNAVAILABLE, ErrorCode.TRY_AGAIN, sentence, more=headers)
            case Exception():
                logger.error("%s failed", operation.name, exc_info=fault, extra={"address": call.asked.address})
                self._count(Incident.ENDPOINT_FAILED)
                sentence = ErrorCode.INTERNAL.meaning
                return refusal(HTTPStatus.INTERNAL_SERVER_ERROR, ErrorCode.INTERNAL, sentence, more=headers)
        raise fault


def _complete(
    asked: IncomingRequest, reply: Struct | Content, status: HTTPStatus, headers: Headers, cache: str
) -> Response:
    """Return the response with a reply, without its body if the client has it already."""
    content = reply if isinstance(reply, Content) else Content(msgspec.json.encode(reply), JSON_TYPE)
    more = {**headers, "Cache-Control": cache}
    if asked.method in ("GET", "HEAD"):
        etag = sha256(content.body).hexdigest()[:20]
        more |= {"ETag": f'"{etag}"', "Vary": "Authorization"}
        if matches_etag(asked.headers.get("If-None-Match", ""), etag):
            return response(HTTPStatus.NOT_MODIFIED, "", b"", more)
    kind = content.content_type
    return response(status, f"{kind}; charset=utf-8" if kind.startswith("text/") else kind, content.body, more)


def _stream(content: LineStream | AsyncIterator[bytes], content_type: str, headers: Headers) -> StreamResponse:
    # Some proxies buffer a response unless they are told not to.
    more = {**headers, "Transfer-Encoding": "chunked", "X-Accel-Buffering": "no"}
    head = response(HTTPStatus.OK, content_type, b"", more)
    del head.headers["Content-Length"]
    return StreamResponse(head, content)


async def _closing(chunks: AsyncIterator[bytes], call: Call) -> AsyncIterator[bytes]:
    """Yield all chunks, then end the call."""
    try:
        async for chunk in chunks:
            yield chunk
    finally:
        call.end()


def _rate_limit(asked: IncomingRequest) -> Headers:
    """Return how many more requests the address may send, and in how many seconds it may send all of them again."""
    if asked.source is None:
        return {}
    limit, left, reset = asked.source.budget(monotonic())
    return {"RateLimit-Limit": str(limit), "RateLimit-Remaining": str(left), "RateLimit-Reset": str(ceil(reset))}


def _bearer_token(asked: IncomingRequest) -> str | None:
    given = asked.headers.get_all("Authorization")
    if not given:
        return None
    scheme, _, token = given[0].partition(" ")
    if len(given) > 1 or scheme.lower() != "bearer" or not 0 < len(token.strip()) <= 128:
        raise Refusal(ErrorCode.TOKEN_UNKNOWN, NEEDS_TOKEN)
    return token.strip()
