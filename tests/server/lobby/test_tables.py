"""Rooms are made once, and counted rightly."""

from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio import Redis

from parlour.protocol.messages import Accept, Challenge, Happened, Join, Offer, Ok, Paired, Queue, Resign, Room
from parlour.protocol.tables import Clock, Terms
from parlour.server.lobby.tables import goes_first, room_names
from parlour.server.rooms.opening import Guest, agreed, opening
from tests.server.lobby.meeting import ISAAC, games_of
from tests.server.running_node import RunningNode, running_node


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey, rooms_per_player=3) as running:
        yield running


@given(st.integers(0), st.integers(0), st.text())
def test_one_of_two_goes_first(mine: int, theirs: int, seed: str) -> None:
    """It is the one whose last first seat is longer ago, and always exactly one."""
    if mine == theirs:
        assert goes_first(mine, theirs, seed) == goes_first(theirs, mine, seed)
    else:
        assert goes_first(mine, theirs, seed) == (mine < theirs) != goes_first(theirs, mine, seed)


async def test_the_name_of_another_game_is_passed_over(node: RunningNode) -> None:
    """Two games never share a room, even if chance gives them the same name."""
    ada, ben = await node.call(), await node.call()
    code = (await ada.ask(Challenge(id=0, terms=ISAAC))).seek
    first, second, *_ = room_names(code)
    options, _ = agreed(ISAAC, None, Random(1))
    strangers = [Guest("id-of-carl", "Carl"), Guest("id-of-dan", "Dan")]
    assert await node.house.create(first, opening(ISAAC, options, None, strangers, node.node.now()))

    assert (await ben.ask(Accept(id=0, seek=code), id=7)).room == second
    assert (await ada.hears(Paired)).room == second
    assert (await ben.ask(Accept(id=0, seek=code), id=7)).room == second
    room = await ben.ask(Join(id=0, room=second))
    assert isinstance(room, Room)
    assert room.seat is not None


async def test_finished_games_are_not_counted(node: RunningNode) -> None:
    """The games of a player are counted by their logs, so one that is over leaves room for another one."""
    ada, ben = await node.call(), await node.call()
    for _ in range(5):
        code = (await ada.ask(Challenge(id=0, terms=ISAAC))).seek
        room = (await ben.ask(Accept(id=0, seek=code))).room
        await ben.ask(Join(id=0, room=room))
        await ben.ask(Resign(id=0, room=room))
    ada = await node.call(ada.token)
    await node.node.settle(10)
    assert await games_of(node, ada) == [0]


async def test_a_rematch_is_made_once(node: RunningNode) -> None:
    """However often and wherever it is made, there is one next room, with the terms of the one before."""
    ada, ben = await node.call(), await node.call()
    terms = Terms("mapello", {"board": "random"}, Clock("fischer", 60_000, 1_000), rated=True)
    for caller in (ada, ben):
        await caller.ask(Queue(id=0, terms=terms))
    room = (await ada.hears(Paired)).room
    for caller in (ada, ben):
        await caller.ask(Join(id=0, room=room))
    assert isinstance(await ada.ask(Resign(id=0, room=room)), Ok)
    for caller in (ada, ben):
        assert isinstance(await caller.ask(Offer(id=0, room=room, what="rematch")), Ok)
    following = (await ada.hears(Happened, lambda told: told.what == "rematch")).next
    assert following is not None
    await ada.ask(Join(id=0, room=following))
    made = await node.house.load(following)
    assert made is not None
    over = await node.house.load(room)
    assert over is not None
    node.node.rematch(over)
    await node.node.settle(10)
    assert await node.house.load(following) == made
    assert (made.clock, made.rated, made.follows) == (terms.clock, True, room)
    assert made.options["board"] == "random"
    assert [chair.player for chair in made.chairs if chair] == [chair.player for chair in over.chairs[::-1] if chair]
