"""The node's HTTP endpoints for monitoring: health, readiness and metrics. Everything else is in `api`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import msgspec

from parlour.server.connections.http import Endpoint, HttpReply, HttpRequest
from parlour.server.metrics import CONTENT_TYPE
from parlour.server.node import Node
from parlour.server.store.store import Store


def monitoring_endpoints(
    node: Node,
    store: Store,
    *,
    render_metrics: Callable[[], Awaitable[bytes]],
    store_outage: Callable[[], str | None] = lambda: None,
) -> dict[str, Endpoint]:
    """Return the endpoints for monitoring, by path.

    `render_metrics` returns the body of `/metrics`. `store_outage` returns why the embedded store is down, as a
    sentence, or None if it is up.
    """

    async def healthz(_: HttpRequest) -> HttpReply:
        return HttpReply(b'{"status": "alive"}')

    async def readyz(_: HttpRequest) -> HttpReply:
        if node.is_stopping:
            return _not_ready("stopping", "The node is stopping.")
        if node.is_draining:
            return _not_ready("draining", "An operator is draining the node.")
        if (outage := store_outage()) is not None:
            return _not_ready("embedded_store", outage)
        if not store.heartbeat.is_healthy:
            return _not_ready(store.health.problem.reason, store.health.problem.detail)
        if node.database.problem:  # games go on without the archive, so the node stays in service
            return HttpReply(msgspec.json.encode({"status": "ready", "archive": node.database.problem}))
        return HttpReply(b'{"status": "ready"}')

    async def metrics(_: HttpRequest) -> HttpReply:
        return HttpReply(await render_metrics(), CONTENT_TYPE)

    return {"/healthz": healthz, "/readyz": readyz, "/metrics": metrics}


def public_endpoints(monitoring: Mapping[str, Endpoint], metrics_for: str) -> dict[str, Endpoint]:
    """Return the endpoints of the port that players use, by path.

    `metrics_for` is the setting `metrics`: local, public or off.
    """

    async def local_metrics(request: HttpRequest) -> HttpReply:
        if not request.is_local:
            sentence = "Only this machine may read the metrics. See the settings “metrics” and “monitoring”."
            return HttpReply(msgspec.json.encode({"error": "metrics_refused", "text": sentence}), status=403)
        return await monitoring["/metrics"](request)

    served = dict(monitoring)
    if metrics_for == "local":
        served["/metrics"] = local_metrics
    elif metrics_for == "off":
        del served["/metrics"]
    return served


def _not_ready(reason: str, detail: str) -> HttpReply:
    return HttpReply(msgspec.json.encode({"status": "not ready", "reason": reason, "detail": detail}), status=503)
