"""The session of a request."""

from __future__ import annotations

import asyncio

import pytest

from parlour.protocol.messages import Ok, Paired, Refused
from parlour.server.api.session import ApiSession
from parlour.server.connections.hub import Hub
from parlour.server.connections.incidents import uncounted
from parlour.server.connections.limits import Limits
from parlour.server.connections.line_stream import LineStream
from parlour.server.metrics import Metrics
from tests.server.connections.recorder import Recorder


@pytest.fixture
async def session() -> ApiSession:
    hub = Hub(Recorder(), Limits(), uncounted)
    return ApiSession(LineStream(hub, "127.0.0.1", hub.counts.source("127.0.0.1")), Metrics())


async def test_a_reply_is_returned_and_the_rest_is_dropped(session: ApiSession) -> None:
    """Unless the response is a stream."""
    reply = session.expect(7)
    session.send(Paired(room="r", seat=0))
    session.send(Ok(id=8))
    session.send(Refused(code="game_over", text="The game is over.", id=7))
    assert (await reply) == Refused(code="game_over", text="The game is over.", id=7)
    await asyncio.sleep(0)
    assert session.stream.buffered() == 0


async def test_a_stream_has_the_reply_and_what_follows(session: ApiSession) -> None:
    """In order, up to the pairing that ends it."""
    session.follows, session.ends_when_paired = lambda message: True, True
    session.expect(7)
    for message in (Ok(id=7, seek="s"), Paired(room="a", seat=0), Paired(room="b", seat=1, seek="s")):
        session.send(message)
    session.send(Paired(room="c", seat=0))
    await asyncio.sleep(0)
    assert session.stream.buffered() > 0
