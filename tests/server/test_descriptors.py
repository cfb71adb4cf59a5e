"""File descriptors: a node raises its limit, and at the limit it still answers health checks."""

from __future__ import annotations

import asyncio
import resource
import subprocess
import sys
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.request import urlopen

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidMessage, InvalidStatus
from websockets.typing import Subprotocol

from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Hello, Welcome
from parlour.server.descriptors import RESERVED, connection_limit
from tests.waiting import WITHIN

SUBPROTOCOL = Subprotocol(MSGPACK.subprotocol)


def test_connections_leave_some_descriptors(caplog: pytest.LogCaptureFixture) -> None:
    """Where the system allows few, the node accepts fewer connections and says so."""
    assert connection_limit(1_000, 100_000) == connection_limit(1_000, resource.RLIM_INFINITY) == 1_000
    assert caplog.text == ""
    assert connection_limit(1_000, 1_024) == 1_024 - RESERVED
    assert "ulimit -n" in caplog.text
    assert connection_limit(1_000, 10) == 1


def test_the_limit_is_raised() -> None:
    """As far as the system allows."""
    script = (
        "import resource; from parlour.server.descriptors import raise_limit;"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (100, 300));"
        "print(raise_limit(), resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout == "300 (300, 300)\n"


async def test_a_node_without_descriptors_is_healthy(tmp_path: Path) -> None:
    """Refusing more connections than it may have open files, it answers health checks and serves its players."""
    serve = 'ulimit -n 300 && exec "$0" -m parlour.cli serve --port 0 --bot-workers 0 --data "$1" "${@:2}"'
    options = ("--max-connections-per-address", "1000", "--unlimited-networks", "127.0.0.0/8")
    server = await asyncio.create_subprocess_exec(
        "bash", "-c", serve, sys.executable, str(tmp_path), *options, stdout=PIPE, stderr=DEVNULL
    )
    try:
        assert server.stdout is not None
        async with asyncio.timeout(WITHIN), AsyncExitStack() as stack:
            line = (await server.stdout.readline()).decode()
            url = line.rpartition("connect to ")[2].rstrip(").\n")
            player = await stack.enter_async_context(connect(url, subprotocols=[SUBPROTOCOL]))
            refused = 0
            for _ in range(320):
                try:
                    await stack.enter_async_context(connect(url, subprotocols=[SUBPROTOCOL]))
                except (InvalidStatus, InvalidMessage, OSError):
                    refused += 1
            assert refused >= 320 - 300 + RESERVED - 1
            host = url.removeprefix("ws://").partition("/")[0]
            assert await asyncio.to_thread(health, f"http://{host}/readyz") == b'{"status": "ready"}'
            await player.send(MSGPACK.encode(Hello("test")))
            assert isinstance(MSGPACK.decode_server(await player.recv()), Welcome)
    finally:
        server.terminate()
        await server.wait()


def health(url: str) -> bytes:
    with urlopen(url, timeout=WITHIN) as reply:
        body: bytes = reply.read()
    return body
