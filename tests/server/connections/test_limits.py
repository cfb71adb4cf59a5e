"""Rates and counts: per connection, per address, and for the whole server."""

from __future__ import annotations

import asyncio

import pytest

from parlour.protocol.codec import CODECS, MSGPACK, Codec
from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.messages import Join, Ping, Pong, Refused
from parlour.server.connections.incidents import Incident
from parlour.server.connections.limits import ConnectionCounts, Limits, Rate, Source, network, parse
from tests.server.connections.conftest import Open, Raw, Serve
from tests.server.connections.raw_client import BINARY, PING, frame, request, upgrade
from tests.server.connections.recorder import Recorder
from tests.waiting import until

# -- the counting itself


def test_a_burst_is_allowed_and_then_the_rate() -> None:
    """A burst passes at once; afterwards one message per interval."""
    source = Source("x", Rate(10, 5))
    assert [source.take(100.0) for _ in range(7)] == [True] * 5 + [False] * 2
    assert [source.take(100.1) for _ in range(2)] == [True, False]
    assert [source.take(100.35) for _ in range(3)] == [True, True, False]


def test_an_idle_source_gets_its_burst_back_and_no_more() -> None:
    """Silence is not saved up beyond the burst."""
    source = Source("x", Rate(10, 5))
    assert [source.take(100.0) for _ in range(6)].count(True) == 5
    assert [source.take(1000.0) for _ in range(20)].count(True) == 5


def test_refused_messages_cost_nothing() -> None:
    """A client that keeps trying is accepted as soon as one that waits."""
    source = Source("x", Rate(10, 1))
    assert source.take(5.0)
    assert not any(source.take(5.0 + n / 1000) for n in range(95))
    assert source.take(5.1)


def test_an_ipv6_network_counts_as_one_source() -> None:
    """A client with one IPv6 address usually has 2**64 of them."""
    assert network("2001:db8::1") == network("2001:db8::ffff:2") == "2001:db8::/64"
    assert network("2001:db8:0:1::1") != network("2001:db8::1")
    assert network("::ffff:192.0.2.1") == network("192.0.2.1") == "192.0.2.1"
    assert network("unix") == "unix"
    assert parse("１.2.3.4") is None


def test_idle_sources_are_forgotten() -> None:
    """An address is remembered while it is connected or over its rate."""
    counts = ConnectionCounts(Limits(address_rate=1, address_burst=2, connections_per_address=1))
    first = counts.enter("192.0.2.1")
    assert (counts.refusal(first), counts.total) == ("", 1)
    second = counts.enter("192.0.2.1")
    assert second is first
    assert counts.refusal(second)
    assert first.take(10.0)
    assert first.take(10.0)
    counts.leave(first, 10.0)
    counts.leave(second, 10.0)
    assert counts.total == 0
    assert counts.source("192.0.2.1") is first
    counts.forget_idle(11.0)
    assert counts.source("192.0.2.1") is first
    counts.forget_idle(12.5)
    assert counts.source("192.0.2.1") is not first


# -- over sockets


@pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
async def test_over_the_rate_every_command_is_refused_by_its_id(
    serve: Serve, dial: Open, node: Recorder, direct: bool, codec: Codec
) -> None:
    """Every command is answered, and after a moment the same one is accepted."""
    client = await dial(await serve(Limits(rate=1, burst=3, flood=1000), direct=direct), codec.subprotocol)
    node.on_message = lambda connection, frame: connection.send(Pong(1))
    for id in range(6):
        await client.send(codec.encode(Join(id=id, room="abc")), text=codec.text)
    answers = [codec.decode_server(await client.recv()) for _ in range(6)]
    assert answers[:3] == [Pong(1)] * 3
    refusals = [answer for answer in answers[3:] if isinstance(answer, Refused)]
    assert [(refused.code, refused.id) for refused in refusals] == [(ErrorCode.TOO_FAST, id) for id in (3, 4, 5)]
    assert len(node.frames) == 3
    assert node.incidents[Incident.TOO_FAST] == 3

    async def is_accepted() -> bool:
        await client.send(codec.encode(Join(id=5, room="abc")), text=codec.text)
        return bool(codec.decode_server(await client.recv()) == Pong(1))

    await until(is_accepted)


async def test_messages_without_an_id_are_refused_too(serve: Serve, dial: Open, direct: bool) -> None:
    """Pings, unreadable and oversized messages over the rate are refused as well."""
    client = await dial(await serve(Limits(rate=1, burst=1), direct=direct))
    await client.send(MSGPACK.encode(Ping(1)))
    assert MSGPACK.decode_server(await client.recv()) == Pong(1)
    for nonsense in (
        MSGPACK.encode(Ping(2)),
        b"",
        b"\xc1",
        b"\x91" * 5000,
        b"\x81\xa2id\xa1x",
        b"\xc0" * 20_000,
        "text",
    ):
        await client.send(nonsense)
        refused = MSGPACK.decode_server(await client.recv())
        assert isinstance(refused, Refused)
        assert (refused.code, refused.id) == (ErrorCode.TOO_FAST, None)


@pytest.mark.parametrize(
    "wave", [frame(BINARY, MSGPACK.encode(Ping(1))), frame(PING, b"")], ids=["messages", "WebSocket pings"]
)
async def test_a_flood_closes_the_connection(serve: Serve, raw: Raw, node: Recorder, wave: bytes) -> None:
    """Ten times the rate within a second is not a mistake."""
    client = await raw(await serve(Limits(rate=10, burst=10, flood=10), direct=True))
    await client.send(wave * 150)
    assert await client.closing() == CloseCode.FLOOD
    client.close()
    await node.until(lambda: node.codes == [CloseCode.FLOOD])
    assert node.incidents[Incident.FLOOD] == 1
    assert len(node.frames) <= 10


async def test_a_flood_closes_a_public_websocket_too(serve: Serve, raw: Raw, node: Recorder) -> None:
    """Through the public interface of the library as well."""
    client = await raw(await serve(Limits(rate=10, burst=10, flood=10), direct=False))
    await client.send(frame(BINARY, MSGPACK.encode(Ping(1))) * 150)
    assert await client.closing() == CloseCode.FLOOD
    client.close()
    await node.until(lambda: node.codes == [CloseCode.FLOOD])


async def test_connections_of_one_address_share_a_rate(serve: Serve, dial: Open, node: Recorder, direct: bool) -> None:
    """More connections do not allow more messages."""
    transport = await serve(Limits(address_rate=1, address_burst=10), direct=direct)
    clients = [await dial(transport) for _ in range(4)]
    answers = []
    for client in clients * 5:
        await client.send(MSGPACK.encode(Ping(1)))
        answers.append(MSGPACK.decode_server(await client.recv()))
    assert answers.count(Pong(1)) <= 10
    assert any(isinstance(answer, Refused) and answer.code == ErrorCode.TOO_FAST for answer in answers)
    assert node.closings == []


async def test_connections_of_one_address_are_limited(serve: Serve, raw: Raw, node: Recorder, direct: bool) -> None:
    """One more is answered with 503 and a sentence, until another one closes."""
    transport = await serve(Limits(connections_per_address=2), direct=direct)
    first, _ = await raw(transport), await raw(transport)
    third = await raw(transport, shake=False)
    await third.send(upgrade())
    assert (await third.head()).startswith("HTTP/1.1 503 ")
    assert b"2 connections: close one" in await third.rest()
    third.close()
    assert node.incidents[Incident.CROWDED] == 1
    first.close()
    await node.until(lambda: node.codes == [1006])
    await asyncio.sleep(0)
    assert len(transport.connections) == 1
    await raw(transport)
    await node.until(lambda: len(node.opened_peers) == 3)


async def test_connections_of_the_server_are_limited(serve: Serve, raw: Raw, direct: bool) -> None:
    """However many addresses they come from."""
    transport = await serve(Limits(connections=1), direct=direct)
    await raw(transport)
    second = await raw(transport, shake=False)
    await second.send(upgrade())
    assert (await second.head()).startswith("HTTP/1.1 503 ")
    assert b"is full" in await second.rest()


async def test_far_too_many_connections_are_not_even_answered(serve: Serve, raw: Raw) -> None:
    """Beyond twice the limit a connection is aborted at once."""
    transport = await serve(Limits(connections_per_address=2), direct=True)
    for _ in range(4):
        await raw(transport, shake=False)
    fifth = await raw(transport, shake=False)
    assert await fifth.is_over()


async def test_http_requests_count_against_the_rate_of_their_address(serve: Serve, raw: Raw) -> None:
    """Too many of them are answered with 429."""
    transport = await serve(Limits(address_rate=0.1, address_burst=2), direct=True)
    statuses = []
    for _ in range(3):
        client = await raw(transport, shake=False)
        await client.send(request("/"))
        statuses.append((await client.head()).split()[1])
    assert statuses == ["200", "200", "429"]


async def test_a_request_that_never_comes_is_not_waited_for(serve: Serve, raw: Raw, direct: bool) -> None:
    """A connection that sends nothing, or half a request, is aborted after a while."""
    transport = await serve(Limits(handshake_timeout=0.1), direct=direct)
    silent, slow = await raw(transport, shake=False), await raw(transport, shake=False)
    await slow.send(upgrade()[:-1])
    assert await silent.is_over()
    assert await slow.is_over()
