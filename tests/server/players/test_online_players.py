"""Who is online."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from parlour.protocol.messages import (
    Accept,
    CreateBot,
    Join,
    ListPlayers,
    OnlinePlayer,
    Players,
    Register,
    Seek,
    SignedIn,
)  # fmt: skip
from parlour.protocol.types import Clock, Terms
from parlour.server.players.names import fold_name
from parlour.server.players.online_players import PAGE
from parlour.server.players.ratings import RatedPlayer, Ratings
from parlour.server.store.keys import Keys
from tests.server.running_node import Caller, RunningNode, running_node
from tests.waiting import until

keys = Keys()

TERMS = Terms("replica", {}, Clock("fischer", 300_000, 3_000))
PASSWORD = "a long password for tests"


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey) as running:
        yield running


async def online(node: RunningNode, caller: Caller, after: str = "") -> Players:
    """Return the list after this node has reported."""
    await node.node.sweep()
    players = await caller.ask(ListPlayers(id=0, after=after))
    assert isinstance(players, Players)
    return players


async def names(node: RunningNode, caller: Caller) -> list[str]:
    return [row.player.name for row in (await online(node, caller)).rows]


async def test_players_of_all_nodes(node: RunningNode, valkey: str) -> None:
    """Players on every node are listed in alphabetical order, until they leave."""
    async with running_node(valkey, "other") as other:
        ben, ada = await node.call(name="Ben"), await other.call(name="Ada")
        await other.node.sweep()
        assert await names(node, ben) == ["Ada", "Ben"]
        await ada.socket.close()
        await other.until(lambda: len(other.node.dispatcher.sessions) == 0)
        await other.node.sweep()
        assert await names(node, ben) == ["Ben"]


async def test_two_connections_of_one_player(node: RunningNode) -> None:
    """A player with two connections is listed once, and leaves with the last of them."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    second = await node.call(token=ada.token)
    assert await names(node, ben) == ["Ada", "Ben"]
    await second.socket.close()
    await node.until(lambda: len(node.node.dispatcher.sessions) == 2)
    assert await names(node, ben) == ["Ada", "Ben"]


async def test_a_guest_who_registers(node: RunningNode) -> None:
    """A guest who registers is listed under the name of the account only."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    assert await names(node, ben) == ["Ada", "Ben"]
    await ada.ask(Register(id=0, name="Zoe", password=PASSWORD))

    async def is_renamed() -> bool:
        return await names(node, ben) == ["Ben", "Zoe"]

    await until(is_renamed)


async def test_what_is_listed(node: RunningNode) -> None:
    """A row has the established ratings, the public games and the labels of a player."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    await ada.ask(Register(id=0, name="Ada", password=PASSWORD))
    bot = await ada.ask(CreateBot(id=0, name="Robbie"))
    assert isinstance(bot, SignedIn)
    await node.call(token=bot.token)
    ids = [await node.store.players.id_of(fold_name(name)) for name in ("Ada", "Robbie")]
    ratings, now = Ratings(node.store.ratings), node.node.now()
    one, two = (RatedPlayer(id) for id in ids if id is not None)
    for number in range(30):
        await ratings.rate_game(f"r{number}", "replica", (one, two), number % 2, now)
    await ratings.rate_game("other", "isaac", (one, two), 0, now)  # one game: still provisional
    seek = (await ada.ask(Seek(id=0, terms=TERMS))).seek
    room = (await ben.ask(Accept(id=0, seek=seek))).room
    await ben.ask(Join(id=0, room=room))
    await node.node.sweep()  # describes the game
    listed = {row.player.name: row for row in (await online(node, ben)).rows}
    assert list(listed) == ["Ada", "Ben", "Robbie"]
    assert list(listed["Ada"].ratings) == ["replica"]
    assert (listed["Ada"].playing, listed["Ben"].playing, listed["Robbie"].playing) == ((room,), (room,), ())
    assert (listed["Ada"].player.guest, listed["Ben"].player.guest, listed["Robbie"].player.bot) == (False, True, True)
    assert listed["Ben"] == OnlinePlayer(listed["Ben"].player, {}, (room,))


async def test_pages(node: RunningNode, valkey: str) -> None:
    """A long list is answered in pages of limited size."""
    async with running_node(valkey, "other", guest_rate=0) as crowded:
        callers = [await crowded.call(name=f"Player {number:03}x") for number in range(PAGE + 3)]
        first = await online(crowded, callers[0])
        second = await online(crowded, callers[0], first.more)
        assert (len(first.rows), len(second.rows), second.more) == (PAGE, 3, "")
        everyone = [row.player.name for row in (*first.rows, *second.rows)]
        assert everyone == sorted(set(everyone))


async def test_a_store_that_lost_the_list(node: RunningNode, redis: Redis) -> None:
    """A node that learns that the store has lost players reports all of them again."""
    ada = await node.call(name="Ada")
    await node.call(name="Ben")
    assert await names(node, ada) == ["Ada", "Ben"]
    await redis.delete(keys.online(node.store.node))
    await node.node.sweep()
    assert await names(node, ada) == ["Ada", "Ben"]
