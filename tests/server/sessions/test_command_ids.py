"""The id of a command that creates something is claimed, so that a different command cannot be taken for it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Challenge, Command, Create, Ok, Queue, Seek
from parlour.protocol.types import Terms
from tests.server.running_node import RunningNode, running_node

# Two commands of each kind that differ in one field only.
PAIRS: list[tuple[Command, Command]] = [
    (Queue(id=0, terms=Terms("isaac")), Queue(id=0, terms=Terms("replica"))),
    (Seek(id=0, terms=Terms("isaac")), Seek(id=0, terms=Terms("isaac"), seat="first")),
    (Challenge(id=0, terms=Terms("isaac")), Challenge(id=0, terms=Terms("isaac"), seat="second")),
    (Create(id=0, terms=Terms("isaac"), levels=(None, "1")), Create(id=0, terms=Terms("isaac"), levels=("1", None))),
]

each_kind = pytest.mark.parametrize(("command", "other"), PAIRS, ids=lambda command: type(command).__name__)


@pytest.fixture
async def nodes(valkey: str, redis: Redis) -> AsyncIterator[tuple[RunningNode, RunningNode]]:
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        yield one, two


@each_kind
async def test_a_repeated_command_gets_the_first_answer(
    nodes: tuple[RunningNode, RunningNode], command: Command, other: Command
) -> None:
    """On its connection, and on another node where the session continues."""
    one, two = nodes
    ada = await one.call()
    first = await ada.ask(command, 7)
    assert isinstance(first, Ok)
    for caller in (ada, await one.call_again(ada), await two.call_again(ada)):
        assert await caller.ask(command, 7) == first


@each_kind
async def test_a_different_command_with_the_same_id_is_refused(
    nodes: tuple[RunningNode, RunningNode], command: Command, other: Command
) -> None:
    """On its connection, and on another node where the session continues. With a new id it is carried out."""
    one, two = nodes
    ada = await one.call()
    first = await ada.ask(command, 7)
    for caller in (ada, await two.call_again(ada)):
        assert await caller.code(other, 7) == ErrorCode.ID_REUSED
    second = await ada.ask(other, 8)
    assert (second.seek, second.room) != (first.seek, first.room)


@each_kind
async def test_the_same_id_in_another_session_is_another_command(
    nodes: tuple[RunningNode, RunningNode], command: Command, other: Command
) -> None:
    """Two connections of one player, on one node or on two, never get each other's answers."""
    one, two = nodes
    ada = await one.call()
    callers = (ada, await one.call(ada.token), await two.call(ada.token))
    answers = [await caller.ask(command, 7) for caller in callers]
    assert len({(answer.seek, answer.room) for answer in answers}) == 3
