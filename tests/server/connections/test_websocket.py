"""What the direct WebSocket needs of the `websockets` library. If these fail, read `websocket.py` first."""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import tomllib
import weakref
from importlib.metadata import version
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Ping, Pong
from parlour.server.connections.connection import Connection
from parlour.server.connections.websocket import WebSocketConnection, unsupported
from tests.server.connections.conftest import Open, Raw, Serve
from tests.server.connections.raw_client import BINARY, CONTINUATION, PING, frame, upgrade
from tests.server.connections.recorder import Recorder
from tests.waiting import until


def test_the_installed_version_is_supported() -> None:
    """Otherwise every message would be received more slowly, with only a log entry to tell."""
    assert unsupported() == ""


def test_the_range_of_versions_is_bounded() -> None:
    """A new major version is tried before it is allowed."""
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())
    (pinned,) = [line for line in project["project"]["dependencies"] if line.startswith("websockets")]
    bound = re.search(r"<(\d+)", pinned)
    assert bound is not None
    assert int(version("websockets").split(".")[0]) < int(bound[1])


def test_a_missing_part_makes_a_version_unsupported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason names the part."""
    monkeypatch.delattr(ServerConnection, "process_event")
    monkeypatch.delattr(ServerConnection.__mro__[1], "process_event")
    assert unsupported() == "ServerConnection has no process_event"


async def test_an_unsupported_version_is_used_through_its_public_interface(
    serve: Serve, dial: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is chosen automatically, with a warning; messages arrive all the same."""
    monkeypatch.setattr("parlour.server.connections.server.unsupported", lambda: "it is from the future")
    with caplog.at_level(logging.WARNING):
        transport = await serve()
    assert not transport.direct
    assert "it is from the future" in caplog.text
    client = await dial(transport)
    await client.send(MSGPACK.encode(Ping(1)))
    assert MSGPACK.decode_server(await client.recv()) == Pong(1)


async def test_the_direct_websocket_is_the_default(serve: Serve) -> None:
    """With the installed version."""
    assert (await serve()).direct


def test_the_library_turns_whole_frames_into_events() -> None:
    """Given one complete frame at a time, it yields events that are frames as sent."""
    protocol = ServerProtocol()
    protocol.state = State.CONNECTING
    protocol.receive_data(upgrade())
    (opening,) = protocol.events_received()
    protocol.send_response(protocol.accept(opening))  # type: ignore[arg-type]  # the first event is the request
    protocol.data_to_send()
    assert protocol.state is State.OPEN
    pieces = [frame(BINARY, b"ab", fin=False), frame(PING, b"x"), frame(CONTINUATION, b"c")]
    for piece in pieces:
        protocol.receive_data(piece)
    events = protocol.events_received()
    assert all(isinstance(event, Frame) for event in events)
    assert [(event.opcode, bytes(event.data), event.fin) for event in events if isinstance(event, Frame)] == [
        (Opcode.BINARY, b"ab", False),
        (Opcode.PING, b"x", True),
        (Opcode.CONT, b"c", True),
    ]
    assert protocol.data_to_send() == [b"\x8a\x01x"]


async def test_messages_are_received_within_the_callback_of_the_loop(serve: Serve, raw: Raw, node: Recorder) -> None:
    """Without a task or a queue: a packet is received in one loop iteration."""
    turns = set()
    turn = 0

    def count_turns() -> None:
        nonlocal turn
        turn += 1
        loop.call_soon(count_turns)

    loop = asyncio.get_running_loop()
    node.on_message = lambda connection, frame: turns.add(turn)
    client = await raw(await serve(direct=True))
    loop.call_soon(count_turns)
    await client.send(b"".join(frame(BINARY, MSGPACK.encode(Ping(n))) for n in range(30)))
    await node.until(lambda: len(node.frames) == 30)
    assert len(turns) == 1


@pytest.mark.parametrize("aborts", [False, True])
async def test_a_closed_connection_is_released_at_once(
    serve: Serve, dial: Open, node: Recorder, monkeypatch: pytest.MonkeyPatch, aborts: bool
) -> None:
    """It has no reference cycles: full collections of garbage are rare, and closed connections would pile up."""
    made: list[weakref.ref[WebSocketConnection]] = []
    begin = WebSocketConnection.begin

    def remember(websocket: WebSocketConnection, connection: Connection) -> None:
        made.append(weakref.ref(websocket))
        begin(websocket, connection)

    monkeypatch.setattr(WebSocketConnection, "begin", remember)
    client = await dial(await serve(direct=True))
    await client.send(MSGPACK.encode(Ping(1)))
    assert MSGPACK.decode_server(await client.recv()) == Pong(1)
    gc.collect()
    gc.disable()
    try:
        if aborts:
            client.transport.abort()
        else:
            await client.close()
        await node.until(lambda: bool(node.closings))
        node.opened_peers.clear()
        node.closings.clear()
        await until(lambda: made[0]() is None)
    finally:
        gc.enable()


async def test_the_library_does_not_queue_what_is_received(
    serve: Serve, raw: Raw, node: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither messages nor fragments pile up in the library."""
    made: list[WebSocketConnection] = []
    begin = WebSocketConnection.begin

    def remember(websocket: WebSocketConnection, connection: Connection) -> None:
        made.append(websocket)
        begin(websocket, connection)

    monkeypatch.setattr(WebSocketConnection, "begin", remember)
    client = await raw(await serve(direct=True))
    for _ in range(10):
        await client.send(frame(BINARY, b"a", fin=False) + frame(CONTINUATION, b"b") + frame(BINARY, b"c"))
    await node.until(lambda: len(node.frames) == 20)
    (connection,) = made
    assert len(connection.recv_messages.frames) == 0
