"""A port of its own for health checks and metrics."""

from __future__ import annotations

import asyncio
import json

import pytest

from parlour.server.connections.http import HttpReply, HttpRequest
from parlour.server.connections.monitoring_port import open_monitoring_port


async def healthz(_: HttpRequest) -> HttpReply:
    return HttpReply(b"alive")


async def fetch(port: int, path: str) -> tuple[int, bytes]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: anything\r\n\r\n".encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    return int(head.split()[1]), body


async def test_only_the_endpoints_are_served() -> None:
    """There is no page, no socket and no record on this port."""
    server = await open_monitoring_port(("127.0.0.1", 0), {"/healthz": healthz})
    port = server.sockets[0].getsockname()[1]
    alive = await fetch(port, "/healthz?probe")
    other = await fetch(port, "/ws")
    server.close()
    await server.wait_closed()

    assert alive == (200, b"alive")
    assert other[0] == 404
    assert json.loads(other[1])["text"] == "This port serves /healthz."


async def test_a_port_that_is_in_use_is_refused() -> None:
    """The caller reports it."""
    server = await open_monitoring_port(("127.0.0.1", 0), {"/healthz": healthz})
    address = server.sockets[0].getsockname()
    with pytest.raises(OSError, match="in use"):
        await open_monitoring_port(address, {"/healthz": healthz})
    server.close()
    await server.wait_closed()
