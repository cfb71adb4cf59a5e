"""One port serves WebSockets and HTTP; it opens and stops as a whole."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from parlour.protocol.codec import CODECS
from parlour.server.connections.http import HttpReply, HttpRequest, Routes
from parlour.server.connections.limits import Limits
from parlour.server.connections.server import start
from parlour.server.connections.websocket import unsupported
from tests.server.connections.conftest import Open, Raw, Serve
from tests.server.connections.raw_client import request
from tests.server.connections.recorder import Recorder


async def hello(_: HttpRequest) -> HttpReply:
    return HttpReply(b"hello", "text/plain")


async def test_one_port_serves_both(serve: Serve, dial: Open, raw: Raw, node: Recorder, direct: bool) -> None:
    """A WebSocket and an HTTP request at the same time."""
    server = await serve(routes=Routes({"/hello": hello}), direct=direct)
    client = await dial(server)
    await node.until(lambda: bool(node.opened_peers))
    plain = await raw(server, shake=False)
    await plain.send(request("/hello"))
    assert (await plain.rest()).endswith(b"\r\n\r\nhello")
    assert server.connections == frozenset(node.opened_peers)
    assert client.subprotocol in CODECS


async def test_the_installed_library_is_supported(serve: Serve, node: Recorder) -> None:
    """Messages are dispatched straight from the socket, unless the library does not allow it."""
    server = await serve()
    assert server.direct == (not unsupported())
    assert unsupported() == ""


async def test_an_unsupported_library_is_worked_around(
    node: Recorder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The server says so in its log, and serves through the documented interface."""
    monkeypatch.setattr("parlour.server.connections.server.unsupported", lambda: "it has changed")
    with caplog.at_level(logging.WARNING):
        server = await start(node, host="127.0.0.1", port=0, limits=Limits(), routes=Routes())
    assert not server.direct
    assert "it has changed" in caplog.text
    await server.stop(grace=1.0)


async def test_a_server_that_cannot_start_leaves_nothing_behind(serve: Serve, node: Recorder, tmp_path: Path) -> None:
    """A folder that does not exist and a proxy that is not an address are errors before the port is open."""
    with pytest.raises(OSError, match="There is no folder"):
        await serve(routes=Routes(folder=tmp_path / "missing"))
    with pytest.raises(ValueError, match="not an address"):
        await serve(proxies=["not an address"])
