"""Every message is answered, by the room or the handler it is for, or with a refusal that says why."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Any, cast

import pytest
from redis.asyncio import Redis

from parlour.protocol.codec import MSGPACK
from parlour.protocol.errors import CloseCode, ErrorCode, Refusal
from parlour.protocol.messages import (
    GetRules,
    Hello,
    Join,
    Leave,
    Message,
    Moved,
    Offer,
    Ok,
    Ping,
    Pong,
    Refused,
    Resign,
    Rules,
    Sync,
)  # fmt: skip
from parlour.protocol.types import Terms
from parlour.server.connections.connection import Connection
from parlour.server.metrics import Metrics
from parlour.server.sessions.dispatch import Dispatcher
from parlour.server.sessions.session import Session
from parlour.server.store.errors import StoreUnavailable
from tests.server.running_node import RunningNode, running_node
from tests.waiting import WITHIN

ISAAC = Terms("isaac")


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey) as running:
        yield running


async def test_commands_before_hello_are_refused(node: RunningNode) -> None:
    """The client must be known first; hello still works afterwards."""
    caller = await node.call(greet=False)
    assert await caller.code(GetRules(id=0, game="isaac")) == "hello_first"
    assert await caller.code(Resign(id=0, room="unknown")) == "hello_first"
    assert (await caller.hello()).token


async def test_a_client_without_hello_is_disconnected(valkey: str, redis: Redis) -> None:
    """A connection that does not say who it is for is closed after a while."""
    async with running_node(valkey, hello_timeout=0.1) as node:
        caller = await node.call(greet=False)
        assert await caller.closed() == CloseCode.NO_HELLO


async def test_a_ping_is_answered_and_counted(node: RunningNode) -> None:
    """Pings count as messages."""
    caller = await node.call()
    await caller.send(Ping(5))
    assert await caller.hears(Pong) == Pong(5)
    assert node.node.metrics.messages[Ping] == 1


async def test_a_room_command_goes_to_its_room(node: RunningNode) -> None:
    """The room replies with the number of the event."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(ISAAC, ada, ben)
    reply = await ada.ask(Offer(id=0, room=room, kind="draw"))
    assert isinstance(reply, Ok)
    assert reply.seq == node.registry.rooms[room].state.seq


async def test_commands_for_other_rooms_are_refused(node: RunningNode) -> None:
    """A room has to be joined first, and it has to exist."""
    ada, ben, eve = await node.call(), await node.call(), await node.call()
    room = await node.table(ISAAC, ada, ben)
    assert await eve.code(Resign(id=0, room=room)) == "not_in_room"
    assert await eve.code(Sync(id=0, room="nowhere", epoch=1, seq=0)) == "room_unknown"
    await ada.ask(Leave(id=0, room=room))
    assert await ada.code(Resign(id=0, room=room)) == "not_in_room"


async def test_an_unreadable_message_is_refused_and_counted(node: RunningNode) -> None:
    """The connection stays usable."""
    caller = await node.call()
    await caller.socket.send(b"\xc1")
    assert (await caller.hears(Refused)).id is None
    assert node.node.metrics.unreadable_messages == 1
    assert isinstance(await caller.ask(GetRules(id=0, game="isaac")), Rules)


async def test_a_second_hello_is_refused(node: RunningNode) -> None:
    """A session belongs to one player."""
    caller = await node.call()
    await caller.send(Hello("test"))
    assert isinstance(await caller.hears(Refused), Refused)


class ScriptedConnection:
    """A connection that keeps what is sent to it."""

    def __init__(self) -> None:
        self.codec = MSGPACK
        self.address = "192.0.2.1"
        self.owner: Any = None
        self.sent: list[Message | Moved] = []

    def send(self, message: Message | Moved) -> None:
        self.sent.append(message)

    def close(self, code: CloseCode, text: str) -> None: ...


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Refusal(ErrorCode.NAME_TAKEN, "That name is taken."), ErrorCode.NAME_TAKEN),
        (StoreUnavailable("away"), ErrorCode.TRY_AGAIN),
        (ValueError("a bug"), ErrorCode.INTERNAL),
    ],
    ids=["refused", "the store is unavailable", "a bug"],
)
async def test_a_handler_that_fails_is_answered_with_a_refusal(
    error: Exception, code: ErrorCode, caplog: pytest.LogCaptureFixture
) -> None:
    """The client learns whether to try again; only a bug is logged as an error."""

    async def fail(session: Session, message: Any) -> None:
        raise error

    unused: Any = None
    async with asyncio.TaskGroup() as tasks:

        def run(work: Coroutine[Any, Any, None]) -> None:
            tasks.create_task(work)

        dispatcher = Dispatcher(
            {Hello: fail}, unused, unused, unused, Metrics(), unused, unused,
            run=run, hello_timeout=WITHIN,
        )  # fmt: skip
        scripted = ScriptedConnection()
        connection = cast("Connection", scripted)
        dispatcher.opened(connection)
        dispatcher.received(connection, MSGPACK.encode(Hello("test")))
    (refused,) = scripted.sent
    assert isinstance(refused, Refused)
    assert refused.code == code
    assert ("a bug" in caplog.text) == (code is ErrorCode.INTERNAL)
    scripted.owner.hello_timer.cancel()


async def test_a_closed_connection_leaves_nothing_behind(node: RunningNode) -> None:
    """Its session is forgotten, and its rooms have one subscriber less."""
    ada, ben, eve = await node.call(), await node.call(), await node.call()
    room = await node.table(ISAAC, ada, ben)
    await eve.ask(Join(id=0, room=room))
    subscribers = node.registry.rooms[room].subscribers
    assert subscribers.spectators == 1
    await eve.socket.close()
    await node.until(lambda: len(node.node.dispatcher.sessions) == 2)
    assert subscribers.spectators == 0
