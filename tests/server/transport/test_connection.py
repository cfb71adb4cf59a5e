"""What the fast way to receive messages needs of `websockets`. If these fail, read `connection` before all else."""

from __future__ import annotations

import asyncio
import logging
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Ping, Pong
from parlour.server.transport.connection import DirectConnection, unfit
from parlour.server.transport.peer import Peer
from tests.server.transport.conftest import Open, Raw, Serve
from tests.server.transport.raw_client import BINARY, CONTINUATION, PING, frame, upgrade
from tests.server.transport.recorder import Recorder


def test_the_installed_version_is_fit() -> None:
    """Otherwise every message would be received the slow way, with nothing but a line in the log to tell."""
    assert unfit() == ""


def test_the_range_of_versions_is_bounded() -> None:
    """A new major version is tried before it is allowed."""
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())
    (pinned,) = [line for line in project["project"]["dependencies"] if line.startswith("websockets")]
    bound = re.search(r"<(\d+)", pinned)
    assert bound is not None
    assert int(version("websockets").split(".")[0]) < int(bound[1])


def test_a_missing_part_makes_a_version_unfit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason names the part."""
    monkeypatch.delattr(ServerConnection, "process_event")
    monkeypatch.delattr(ServerConnection.__mro__[1], "process_event")
    assert unfit() == "ServerConnection has no process_event"


async def test_an_unfit_version_is_used_through_its_public_interface(
    serve: Serve, dial: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Chosen by itself, with a warning; messages arrive all the same."""
    monkeypatch.setattr("parlour.server.transport.server.unfit", lambda: "it is from the future")
    with caplog.at_level(logging.WARNING):
        transport = await serve()
    assert not transport.direct
    assert "it is from the future" in caplog.text
    client = await dial(transport)
    await client.send(MSGPACK.encode(Ping(1)))
    assert MSGPACK.decode_server(await client.recv()) == Pong(1)


async def test_the_fast_way_is_the_usual_one(serve: Serve) -> None:
    """With the installed version, nobody has to ask for it."""
    assert (await serve()).direct


def test_the_library_turns_whole_frames_into_events() -> None:
    """Fed one complete frame at a time, it stands between two frames, and its events are frames as sent."""
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
    """No task and no queue in between: whatever comes in one packet is received in one turn."""
    turns = set()
    turn = 0

    def count_turns() -> None:
        nonlocal turn
        turn += 1
        loop.call_soon(count_turns)

    loop = asyncio.get_running_loop()
    node.on_message = lambda peer, frame: turns.add(turn)
    client = await raw(await serve(direct=True))
    loop.call_soon(count_turns)
    await client.send(b"".join(frame(BINARY, MSGPACK.encode(Ping(n))) for n in range(30)))
    await node.until(lambda: len(node.frames) == 30)
    assert len(turns) == 1


async def test_the_library_does_not_queue_what_is_received(
    serve: Serve, raw: Raw, node: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither whole messages nor fragments pile up where nobody fetches them."""
    made: list[DirectConnection] = []
    begin = DirectConnection.begin

    def remember(connection: DirectConnection, peer: Peer) -> None:
        made.append(connection)
        begin(connection, peer)

    monkeypatch.setattr(DirectConnection, "begin", remember)
    client = await raw(await serve(direct=True))
    for _ in range(10):
        await client.send(frame(BINARY, b"a", fin=False) + frame(CONTINUATION, b"b") + frame(BINARY, b"c"))
    await node.until(lambda: len(node.frames) == 20)
    (connection,) = made
    assert len(connection.recv_messages.frames) == 0
