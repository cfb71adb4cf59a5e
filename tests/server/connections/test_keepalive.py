"""Pings find dead connections, and measure the round trip of the others."""

from __future__ import annotations

import asyncio
from time import monotonic

from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Ping, Pong
from parlour.server.connections.incidents import Incident
from parlour.server.connections.limits import Limits
from tests.server.connections.conftest import Open, Raw, Serve
from tests.server.connections.raw_client import BINARY, PING, PONG, frame
from tests.server.connections.recorder import Recorder


async def test_a_connection_that_answers_no_ping_is_aborted(
    serve: Serve, raw: Raw, node: Recorder, direct: bool
) -> None:
    """A half-open connection is noticed after the interval, and closes with 1006 or 1011."""
    await raw(await serve(Limits(ping_interval=0.2, close_timeout=0.1), direct=direct))
    began = monotonic()
    await node.until(lambda: bool(node.closings))
    assert node.codes == [1006 if direct else 1011]
    assert 0.15 < monotonic() - began < Limits().ping_interval


async def test_a_silent_connection_is_counted(serve: Serve, raw: Raw, node: Recorder) -> None:
    """The metrics distinguish connections that fell silent."""
    await raw(await serve(Limits(ping_interval=0.1), direct=True))
    await node.until(lambda: node.incidents[Incident.SILENT] == 1)


async def test_a_connection_that_sends_but_answers_no_ping_is_aborted_too(
    serve: Serve, raw: Raw, node: Recorder
) -> None:
    """Only the answer to a ping shows that messages arrive; a wrong answer does not."""
    client = await raw(await serve(Limits(ping_interval=0.2), direct=True))
    await client.send(frame(PONG, b"wrong") + frame(PONG, b"") + frame(BINARY, MSGPACK.encode(Ping(1))))
    await node.until(lambda: node.codes == [1006])
    assert node.connection.rtt is None
    assert len(node.frames) == 1


async def test_connections_that_answer_stay_open(serve: Serve, raw: Raw, node: Recorder, direct: bool) -> None:
    """An idle connection survives several intervals, and its round trip is measured."""
    client = await raw(await serve(Limits(ping_interval=0.2), direct=direct))
    for _ in range(4):
        _, payload = await client.until(lambda opcode: opcode == PING)
        await asyncio.sleep(0.01)  # the network: one of the event loops counts in milliseconds
        await client.send(frame(PONG, payload))
    await client.send(frame(BINARY, MSGPACK.encode(Ping(1))))
    assert MSGPACK.decode_server(await client.message()) == Pong(1)
    assert node.closings == []
    rtt = node.connection.rtt
    assert rtt is not None
    assert 0 < rtt < 1


async def test_the_round_trip_is_known_before_the_first_move(serve: Serve, dial: Open, node: Recorder) -> None:
    """The first ping is sent on opening, long before the first interval is over."""
    client = await dial(await serve(direct=True))
    await client.send(MSGPACK.encode(Ping(1)))
    await client.recv()
    await client.send(MSGPACK.encode(Ping(2)))
    await client.recv()
    rtt = node.connection.rtt
    assert rtt is not None
    assert 0 < rtt < 1


async def test_the_round_trip_is_smoothed(serve: Serve, raw: Raw, node: Recorder) -> None:
    """One late answer does not make a slow connection: a quarter of each new measurement counts."""
    client = await raw(await serve(Limits(ping_interval=1.0), direct=True))
    for delay in (0.0, 0.4):
        _, payload = await client.until(lambda opcode: opcode == PING)
        await asyncio.sleep(delay)  # the network
        await client.send(frame(PONG, payload) + frame(BINARY, MSGPACK.encode(Ping(1))))
        await client.message()
    rtt = node.connection.rtt
    assert rtt is not None
    assert 0.09 < rtt < 0.25
