"""The node's HTTP endpoints: health, readiness, metrics, and records of games."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.connections.http import Endpoint, HttpReply, HttpRequest
from parlour.server.metrics import CONTENT_TYPE
from parlour.server.node import Node
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.store import Store


def endpoints(
    node: Node,
    store: Store,
    *,
    render_metrics: Callable[[], Awaitable[bytes]] | None,
    store_outage: Callable[[], str | None] = lambda: None,
) -> dict[str, Endpoint]:
    """Return the endpoints by path; a path that ends with a slash matches all paths below it.

    `render_metrics` returns the body of `/metrics`, which is not served without it. `store_outage` returns why the
    embedded store is away, as a sentence, or None if it is not.
    """

    async def healthz(_: HttpRequest) -> HttpReply:
        return HttpReply(b'{"status": "alive"}')

    async def readyz(_: HttpRequest) -> HttpReply:
        if node.is_stopping:
            return _not_ready("stopping", "The node is stopping.")
        if node.is_draining:
            return _not_ready("draining", "An operator drains the node.")
        if (outage := store_outage()) is not None:
            return _not_ready("embedded_store", outage)
        if not store.heartbeat.is_healthy:
            return _not_ready(store.health.problem.reason, store.health.problem.detail)
        if node.database.problem:  # games go on without the archive, so the node stays in service
            return HttpReply(msgspec.json.encode({"status": "ready", "archive": node.database.problem}))
        return HttpReply(b'{"status": "ready"}')

    async def show_metrics(_: HttpRequest) -> HttpReply:
        assert render_metrics is not None
        return HttpReply(await render_metrics(), CONTENT_TYPE)

    async def game(request: HttpRequest) -> HttpReply:
        room = request.rest.removesuffix(".txt")
        try:
            await node.accounting.charge_address(request.address)
            record = await node.archive.record(room, request.address)
        except StoreUnavailable:
            raise Refusal(ErrorCode.TRY_AGAIN, "The store does not answer. Try again in a few seconds.") from None
        if room == request.rest:
            return HttpReply(msgspec.json.encode(record))
        if not record.text:
            raise Refusal(ErrorCode.RECORD_UNKNOWN, "The game is not over yet. Its text is available when it is.")
        return HttpReply(record.text.encode(), "text/plain; charset=utf-8")

    served: dict[str, Endpoint] = {"/healthz": healthz, "/readyz": readyz, "/api/games/": game}
    return served | {"/metrics": show_metrics} if render_metrics is not None else served


def _not_ready(reason: str, detail: str) -> HttpReply:
    return HttpReply(msgspec.json.encode({"status": "not ready", "reason": reason, "detail": detail}), status=503)
