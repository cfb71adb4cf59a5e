"""Streams split anywhere, and streams of random bytes."""

from __future__ import annotations

import asyncio
import logging
from random import Random

import pytest

from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Ping, Pong
from parlour.server.connections.incidents import Incident
from parlour.server.connections.limits import Limits
from tests.server.connections.conftest import Raw, Serve
from tests.server.connections.raw_client import BINARY, CLOSE, CONTINUATION, PING, PONG, frame, upgrade
from tests.server.connections.recorder import Recorder

UNLIMITED = Limits(rate=1e6, burst=10**6, address_rate=1e6, address_burst=10**6)


def conversation(random: Random) -> tuple[bytes, list[bytes], list[bytes]]:
    """Return a stream of frames as a client may send it, its messages, and its pings."""
    stream, messages, pings = b"", [], []
    for _ in range(random.randrange(1, 25)):
        message = random.randbytes(random.choice((0, 1, 30, 125, 126, 127, 300, 3000)))
        cuts = sorted(random.randrange(len(message) + 1) for _ in range(random.choice((0, 0, 0, 1, 3))))
        pieces = [message[a:b] for a, b in zip([0, *cuts], [*cuts, len(message)], strict=True)]
        for number, piece in enumerate(pieces):
            if random.random() < 0.2:
                pings.append(random.randbytes(random.randrange(126)))
                stream += frame(PING, pings[-1])
            stream += frame(CONTINUATION if number else BINARY, piece, fin=number == len(pieces) - 1)
        messages.append(message)
    return stream, messages, pings


@pytest.mark.parametrize("seed", range(12))
async def test_the_same_messages_arrive_however_the_stream_is_split(
    serve: Serve, raw: Raw, node: Recorder, direct: bool, seed: int
) -> None:
    """Whole frames, fragments and pings, in packets of any size, even together with the handshake."""
    random = Random(seed)
    node.on_message = lambda connection, frame: None
    stream, messages, pings = conversation(random)
    client = await raw(await serve(UNLIMITED, direct=direct), shake=not direct)
    if direct:
        stream = upgrade() + stream
    largest = random.choice((3, 50, 700, 10_000))
    while stream:
        cut = random.randint(1, largest)
        await client.send(stream[:cut])
        stream = stream[cut:]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    await node.until(lambda: len(node.frames) == len(messages))
    assert node.frames == messages
    assert not direct or (await client.head()).startswith("HTTP/1.1 101 ")
    for ping in pings:
        assert await client.until(lambda opcode: opcode == PONG) == (PONG, ping)
    await client.send(frame(CLOSE, b"\x03\xe8"))
    assert await client.closing() == 1000


@pytest.mark.parametrize("shake", [True, False], ids=["after the handshake", "instead of it"])
async def test_random_bytes_affect_no_other_connection(
    serve: Serve, raw: Raw, node: Recorder, direct: bool, shake: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """They end their own connection at most: no exception, no log entry, nothing left behind."""
    random = Random(7)
    transport = await serve(Limits(handshake_timeout=0.5, close_timeout=0.1), direct=direct)
    other = await raw(transport)
    await node.until(lambda: len(node.opened_peers) == 1)
    node.on_message = lambda connection, frame: None
    with caplog.at_level(logging.WARNING):
        for _ in range(60):
            client = await raw(transport, shake=shake)
            await client.send(random.randbytes(random.randrange(1, 2000)))
            client.close()
        await node.until(lambda: len(node.closings) == (60 if shake else 0))
        node.on_message = node.answer
        await other.send(frame(BINARY, MSGPACK.encode(Ping(1))))
        assert MSGPACK.decode_server(await other.message()) == Pong(1)
    assert len(transport.connections) == 1
    assert node.incidents[Incident.LISTENER_FAILED] == 0
    assert caplog.records == []
