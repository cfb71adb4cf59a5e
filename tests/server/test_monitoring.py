"""The node's HTTP endpoints: health, readiness, metrics and records."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import msgspec
import pytest
from redis.asyncio import Redis

from parlour.protocol.messages import Queue, Resign, Seek
from parlour.protocol.types import Terms
from parlour.server.connections.http import Endpoint, HttpReply, HttpRequest
from parlour.server.metrics import CONTENT_TYPE
from parlour.server.monitoring import monitoring_endpoints, public_endpoints
from tests.redis_client import client
from tests.server.running_node import RunningNode, running_node
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import until


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey) as running:
        yield running


def served(node: RunningNode, metrics_for: str = "local") -> dict[str, Endpoint]:
    async def render() -> bytes:
        return node.node.current_metrics().render()

    return public_endpoints(monitoring_endpoints(node.node, node.store, render_metrics=render), metrics_for)


async def get(node: RunningNode, path: str, rest: str = "") -> HttpReply:
    return await served(node)[path](HttpRequest(rest, {}, "127.0.0.1", is_local=True))


async def not_ready(node: RunningNode) -> tuple[str, str]:
    """Return why a node is not ready: the reason and the detail."""
    reply = await get(node, "/readyz")
    assert reply.status == 503
    body = msgspec.json.decode(reply.body)
    assert body["status"] == "not ready"
    return body["reason"], body["detail"]


async def test_a_node_with_a_store_is_healthy_and_ready(node: RunningNode) -> None:
    """Load balancers ask for both."""
    assert (await get(node, "/healthz")).status == 200
    assert (await get(node, "/readyz")).status == 200


async def test_a_node_without_a_store_is_alive_but_not_ready(node: RunningNode) -> None:
    """It must not be restarted, but it should not receive new clients either."""
    await node.store.close()
    await until(lambda: not node.store.heartbeat.is_healthy)
    assert (await get(node, "/healthz")).status == 200
    assert await not_ready(node) == ("unreachable", "it does not answer in time")
    assert b"parlour_store_up 0.0" in (await get(node, "/metrics")).body


async def test_a_node_whose_store_refuses_writes_is_not_ready(start_valkey: Callable[..., PrivateValkey]) -> None:
    """The reason is a stable word, and the reply of the store explains it."""
    server = start_valkey()
    operator = client(server.url)
    async with running_node(server.url) as node:
        await operator.config_set("maxmemory", "1mb")
        await until(lambda: not node.store.heartbeat.is_healthy)
        assert await not_ready(node) == ("full", "OOM command not allowed when used memory > 'maxmemory'.")
        shown = (await get(node, "/metrics")).body
        assert b"parlour_store_up 0.0" in shown
        assert b'parlour_store_errors_total{reason="full"} 0.0' not in shown
        await operator.config_set("maxmemory", "0")
        await until(lambda: node.store.heartbeat.is_healthy)
        assert (await get(node, "/readyz")).status == 200
    await operator.aclose()


async def test_a_node_that_stops_is_not_ready(node: RunningNode) -> None:
    """Load balancers learn of it before clients do."""
    node.node.is_stopping = True
    assert await not_ready(node) == ("stopping", "The node is stopping.")
    assert (await get(node, "/healthz")).status == 200


async def test_an_embedded_store_that_is_away_is_the_reason(node: RunningNode) -> None:
    """The detail is the sentence for the operator."""
    await node.store.close()
    outage: list[str] = []

    async def render() -> bytes:
        return b""

    readyz = monitoring_endpoints(
        node.node, node.store, render_metrics=render, store_outage=lambda: outage[0] if outage else None
    )["/readyz"]
    assert b"embedded_store" not in (await readyz(HttpRequest("", {}, "127.0.0.1"))).body
    outage.append("The disk is full.")
    reply = await readyz(HttpRequest("", {}, "127.0.0.1"))
    assert reply.status == 503
    assert msgspec.json.decode(reply.body) == {
        "status": "not ready", "reason": "embedded_store", "detail": "The disk is full.",
    }  # fmt: skip


async def test_metrics_are_current(node: RunningNode) -> None:
    """Gauges are read when they are requested."""
    ada, ben = await node.call(), await node.call()
    await node.table(Terms("isaac"), ada, ben)
    reply = await get(node, "/metrics")
    assert reply.content_type == CONTENT_TYPE
    assert b"parlour_connections 2.0" in reply.body
    assert b"parlour_rooms_open 1.0" in reply.body
    assert b"parlour_store_up 1.0" in reply.body


def test_metrics_can_be_switched_off(node: RunningNode) -> None:
    """The other endpoints stay."""
    assert "/metrics" not in served(node, "off")
    assert "/healthz" in served(node, "off")


async def test_metrics_are_for_this_machine_unless_they_are_public(node: RunningNode) -> None:
    """A request from elsewhere is refused with a sentence that names the settings."""
    from_elsewhere = HttpRequest("", {}, "10.0.0.1")
    refused = await served(node)["/metrics"](from_elsewhere)

    assert refused.status == 403
    assert msgspec.json.decode(refused.body)["error"] == "metrics_refused"
    assert (await served(node, "public")["/metrics"](from_elsewhere)).status == 200


async def test_games_queues_and_ends_are_counted(node: RunningNode) -> None:
    """A game counts when it begins and when it ends, with its reason; waiting players are a gauge."""
    ada, ben = await node.call(), await node.call()
    await ada.ask(Queue(id=0, terms=Terms("replica")))
    await ben.ask(Seek(id=0, terms=Terms("isaac")))
    room = await node.table(Terms("isaac"), ada, ben)
    await ada.ask(Resign(id=0, room=room))
    lines = (await get(node, "/metrics")).body.decode().splitlines()

    assert 'parlour_games_started_total{game="isaac"} 1.0' in lines
    assert 'parlour_games_ended_total{game="isaac",reason="resigned"} 1.0' in lines
    assert "parlour_queued_players 1.0" in lines
    assert "parlour_seeks_open 1.0" in lines
