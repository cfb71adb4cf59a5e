"""Which games are shown, and what is told of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from functools import reduce
from random import Random

import pytest
from msgspec.structs import replace
from redis.asyncio import Redis

from parlour.protocol.messages import Accept, Challenge, Join, Leave, LiveGame, Paired, Play, Queue, Resign, Room
from parlour.protocol.scene import Scene
from parlour.protocol.tables import Clock, Player, Terms
from parlour.server.lobby.live import LATELY, LiveGames, Told, describe, featured, is_public, rank
from parlour.server.rooms import presenter
from parlour.server.rooms.core import Room as Table
from parlour.server.rooms.core import created, evolve
from parlour.server.rooms.events import Created
from parlour.server.rooms.opening import Guest, agreed, opening
from tests.server.running_node import Caller, RunningNode, running_node

ISAAC = Terms("isaac")
NOW = 1_700_000_000_000


def table(first: int | None = None, second: int | None = None, *, at: int = NOW, private: bool = False) -> Table:
    """A game of two players with these ratings that has begun at that time."""
    guests = [Guest("id of ada", "Ada", first), Guest("id of ben", "Ben", second, bot=True)]
    options, _ = agreed(ISAAC, None, Random(1))
    event, *events = opening(ISAAC, options, None, guests, at, private=private)
    assert isinstance(event, Created)
    return reduce(evolve, events, created("room", event))


def told(room: str, moved: int) -> Told:
    return Told(LiveGame(room, "isaac", ()), {}, moved)


# -- pure


def test_strong_players_come_first() -> None:
    """By both ratings together; where nothing is known, or all is the same, the newest game."""
    order = [table(2000, 1900), table(2400, None), table(1500, 400, at=NOW + 5_000), table(1500, 400), table()]
    assert sorted(order, key=rank, reverse=True) == order


def test_what_is_told_of_a_game() -> None:
    """Who plays, how far it is, and what it looks like: nothing that only the players may know."""
    room = table(1700)
    scene = presenter.scene(room)
    game = LiveGame("room", "isaac", (Player("Ada", 1700), Player("Ben", bot=True)), scene=scene)
    assert describe(room, scene) == Told(game, room.options, NOW)


def test_private_and_finished_games_are_not_shown() -> None:
    """Nor those that wait for a second player."""
    room = table()
    assert is_public(room)
    assert not is_public(table(private=True))
    assert not is_public(replace(room, status="over"))
    assert not is_public(replace(room, chairs=(room.chairs[0], None)))


def test_the_best_lively_game_is_featured() -> None:
    """The present one stays while it is lively; then it is the best one in which somebody moved lately."""
    games = [told("a", NOW - LATELY), told("b", NOW - 5), told("c", NOW)]
    assert featured("", games, NOW) == "b"
    assert featured("c", games, NOW) == "c"
    assert featured("a", games, NOW) == "b"
    assert featured("over", games[1:], NOW) == "b"
    assert featured("b", games, NOW + LATELY) == ""
    assert featured("", [], NOW) == ""


# -- with nodes


class Nodes:
    """Two nodes, with people at both."""

    def __init__(self, one: RunningNode, two: RunningNode) -> None:
        self.one, self.two = one, two
        self.views = [LiveGames(node.store, node.house, node.node.visitors.__len__) for node in (one, two)]

    async def look(self) -> list[LiveGame]:
        """Both nodes report, twice, so that each knows what the other said; what the second one sees."""
        for _ in range(2):
            for view in self.views:
                await view.report()
        games, self.featured = await self.views[1].look()
        return list(games)

    async def play(self) -> tuple[str, Caller, Caller]:
        """A game that anybody may watch, between one at each node."""
        first, second = await self.one.call(), await self.two.call()
        for caller in (first, second):
            await caller.ask(Queue(id=0, terms=Terms("isaac", clock=Clock("days", 86_400_000))))
        room = (await first.hears(Paired)).room
        paired = await second.hears(Paired)
        for caller in (first, second):
            await caller.ask(Join(id=0, room=room))
        return (room, second, first) if paired.seat == 0 else (room, first, second)


@pytest.fixture
async def nodes(valkey: str, redis: Redis) -> AsyncIterator[Nodes]:
    async with AsyncExitStack() as stack:
        one, two = [await stack.enter_async_context(running_node(valkey, name)) for name in ("one", "two")]
        yield Nodes(one, two)


async def test_a_game_is_seen_at_every_node(nodes: Nodes) -> None:
    """With its board and its scene, which follow the moves; it is gone when it is over."""
    room, first, _ = await nodes.play()
    [game] = await nodes.look()
    live = nodes.two.house.rooms[room]
    assert (game.room, game.ply, game.scene, game.watchers) == (room, 0, live.scene, 0)
    assert game.board == live.room.rules.board(live.room.options)
    assert game.clock == Clock("days", 86_400_000)
    assert nodes.featured == room

    move = live.room.rules.write(live.room.state, live.room.rules.moves(live.room.state)[0])
    await first.ask(Play(id=0, room=room, ply=0, move=move))
    await nodes.two.until(lambda: live.room.ply == 1)
    [game] = await nodes.look()
    assert (game.ply, game.scene) == (1, live.scene)

    await first.ask(Resign(id=0, room=room))
    await nodes.two.until(lambda: live.room.status == "over")
    assert await nodes.look() == []
    assert nodes.featured == ""


async def test_watchers_of_all_nodes_are_counted(nodes: Nodes) -> None:
    """Each node counts its own; players are no watchers, and who leaves is none any more."""
    room, _, _ = await nodes.play()
    watchers = [await node.call() for node in (nodes.one, nodes.one, nodes.two)]
    for watcher in watchers:
        await watcher.ask(Join(id=0, room=room))
    assert [game.watchers for game in await nodes.look()] == [3]
    await watchers[0].ask(Leave(id=0, room=room))
    assert [game.watchers for game in await nodes.look()] == [2]
    assert nodes.views[1].listing.online == 5


async def test_a_private_game_is_not_shown(nodes: Nodes) -> None:
    """One that began by an invitation."""
    ada, ben = await nodes.one.call(), await nodes.two.call()
    code = (await ada.ask(Challenge(id=0, terms=ISAAC))).seek
    room = (await ben.ask(Accept(id=0, seek=code))).room
    assert isinstance(await ben.ask(Join(id=0, room=room)), Room)
    assert await nodes.look() == []


async def test_a_game_without_its_players_is_not_told_of(nodes: Nodes) -> None:
    """A watcher alone does not keep it on the list; the node with a player does."""
    room, first, second = await nodes.play()
    await nodes.look()
    live = nodes.one.house.rooms[room]
    live.room = replace(live.room, turn_began=live.room.turn_began - LATELY)
    for caller in (first, second):
        await caller.ask(Leave(id=0, room=room))
    watcher = await nodes.one.call()
    await watcher.ask(Join(id=0, room=room))
    assert nodes.views[0]._best() == []


async def test_watchers_who_are_behind_see_no_more_in_the_list(valkey: str, redis: Redis) -> None:
    """Where watchers are kept behind, the list shows the game as they see it."""
    async with running_node(valkey, watch_delay=60.0) as node:
        nodes = Nodes(node, node)
        room, first, _ = await nodes.play()
        before = await nodes.look()
        live = node.house.rooms[room]
        move = live.room.rules.write(live.room.state, live.room.rules.moves(live.room.state)[0])
        await first.ask(Play(id=0, room=room, ply=0, move=move))
        assert live.room.ply == 1
        assert await nodes.look() == before
        assert isinstance(before[0].scene, Scene)
        assert before[0].ply == 0
