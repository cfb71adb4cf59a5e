"""Which games are listed, and how they are described."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from random import Random

import pytest
from msgspec.structs import replace
from redis.asyncio import Redis

from parlour.protocol.messages import Accept, Challenge, Join, Leave, LiveGame, Paired, Play, Queue, Resign, Room
from parlour.protocol.scene import Scene
from parlour.protocol.types import Clock, Player, Terms
from parlour.server.matchmaking.live_games import (
    INACTIVE_AFTER,
    Description,
    LiveGames,
    board_of,
    describe,
    featured,
    is_public,
    rank,
)
from parlour.server.rooms import view
from parlour.server.rooms.events import Participant
from parlour.server.rooms.setup import complete_options, create
from parlour.server.rooms.state import RoomState, initial_state
from tests.server.running_node import Caller, RunningNode, running_node

ISAAC = Terms("isaac")
NOW = 1_700_000_000_000


def running_game(
    first: int | None = None, second: int | None = None, *, at: int = NOW, private: bool = False
) -> RoomState:
    """Return a game between two players with these ratings that began at that time."""
    ada = Participant("id of ada", Player("Ada", first))
    ben = Participant("id of ben", Player("Ben", second, bot=True))
    options = complete_options(ISAAC, None, Random(1))
    return initial_state("room", create(ISAAC, options, None, (ada, ben), at, private=private))


def description(room: str, moved_at: int) -> Description:
    return Description(LiveGame(room, "isaac", ()), {}, moved_at)


# -- pure


def test_strong_players_come_first() -> None:
    """Games are ranked by both ratings together, and newest first if these are equal or unknown."""
    order = [
        running_game(2000, 1900),
        running_game(2400, None),
        running_game(1500, 400, at=NOW + 5_000),
        running_game(1500, 400),
        running_game(),
    ]
    assert sorted(order, key=rank, reverse=True) == order


def test_the_description_of_a_game() -> None:
    """A description has the players, the ply and the scene, and nothing that only the players may know."""
    room = running_game(1700)
    scene = view.scene(room)
    game = LiveGame("room", "isaac", (Player("Ada", 1700), Player("Ben", bot=True)), scene=scene)
    assert describe(room, scene) == Description(game, room.options, NOW)
    assert describe(replace(room, rules_version=7), scene).rules_version == 7


def test_the_board_of_a_game() -> None:
    """There is none for a game by rules that this node does not support."""
    room = running_game()
    described = describe(room, view.scene(room))
    assert board_of(described) == room.rules.board(room.options)
    assert board_of(replace(described, rules_version=99)) is None
    assert board_of(replace(described, game=replace(described.game, game="chess"))) is None


def test_which_games_are_public() -> None:
    """Private and finished games are not listed."""
    room = running_game()
    assert is_public(room)
    assert not is_public(running_game(private=True))
    assert not is_public(replace(room, status="over"))


def test_the_best_active_game_is_featured() -> None:
    """The featured game stays while it is active; then the best active game follows."""
    games = [description("a", NOW - INACTIVE_AFTER), description("b", NOW - 5), description("c", NOW)]
    assert featured("", games, NOW) == "b"
    assert featured("c", games, NOW) == "c"
    assert featured("a", games, NOW) == "b"
    assert featured("over", games[1:], NOW) == "b"
    assert featured("b", games, NOW + INACTIVE_AFTER) == ""
    assert featured("", [], NOW) == ""


# -- with nodes


class Nodes:
    """Two nodes with callers on both."""

    def __init__(self, one: RunningNode, two: RunningNode) -> None:
        self.one, self.two = one, two
        self.live_games = [LiveGames(node.store, node.registry, node.node.describe) for node in (one, two)]

    async def load(self) -> list[LiveGame]:
        """Let both nodes report twice, so that each knows the other's games; return what the second one sees."""
        for _ in range(2):
            for each in self.live_games:
                await each.report()
        games, self.featured = await self.live_games[1].load()
        return list(games)

    async def play(self) -> tuple[str, Caller, Caller]:
        """Start a public game between a caller on each node; return the room and the callers by seat."""
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


async def test_a_game_is_listed_on_every_node(nodes: Nodes) -> None:
    """A listed game has its board and scene on every node, follows the moves, and disappears when it is over."""
    room, first, _ = await nodes.play()
    [game] = await nodes.load()
    live = nodes.two.registry.rooms[room]
    assert (game.room, game.ply, game.scene, game.spectators) == (room, 0, live.subscribers.scene, 0)
    assert game.board == live.state.rules.board(live.state.options)
    assert game.clock == Clock("days", 86_400_000)
    assert nodes.featured == room

    move = live.state.rules.write(live.state.state, live.state.rules.moves(live.state.state)[0])
    await first.ask(Play(id=0, room=room, ply=0, move=move))
    await nodes.two.until(lambda: live.state.ply == 1)
    [game] = await nodes.load()
    assert (game.ply, game.scene) == (1, live.subscribers.scene)

    await first.ask(Resign(id=0, room=room))
    await nodes.two.until(lambda: live.state.status == "over")
    assert await nodes.load() == []
    assert nodes.featured == ""


async def test_spectators_of_all_nodes_are_counted(nodes: Nodes) -> None:
    """The spectators of all nodes are added up; players and spectators who left do not count."""
    room, _, _ = await nodes.play()
    spectators = [await node.call() for node in (nodes.one, nodes.one, nodes.two)]
    for spectator in spectators:
        await spectator.ask(Join(id=0, room=room))
    assert [game.spectators for game in await nodes.load()] == [3]
    await spectators[0].ask(Leave(id=0, room=room))
    assert [game.spectators for game in await nodes.load()] == [2]
    assert nodes.live_games[1].list.connections == 5


async def test_a_private_game_is_not_listed(nodes: Nodes) -> None:
    """A game that began with an invitation is not listed."""
    ada, ben = await nodes.one.call(), await nodes.two.call()
    code = (await ada.ask(Challenge(id=0, terms=ISAAC))).seek
    room = (await ben.ask(Accept(id=0, seek=code))).room
    assert isinstance(await ben.ask(Join(id=0, room=room)), Room)
    assert await nodes.load() == []


async def test_an_abandoned_game_is_not_reported(nodes: Nodes) -> None:
    """A spectator alone does not keep an inactive game on the list."""
    room, first, second = await nodes.play()
    await nodes.load()
    live = nodes.one.registry.rooms[room]
    live.state = replace(live.state, turn_began=live.state.turn_began - INACTIVE_AFTER)
    for caller in (first, second):
        await caller.ask(Leave(id=0, room=room))
    spectator = await nodes.one.call()
    await spectator.ask(Join(id=0, room=room))
    assert nodes.live_games[0].candidates() == []


async def test_the_list_respects_the_spectator_delay(valkey: str, redis: Redis) -> None:
    """With a spectator delay, the list shows the game as spectators see it."""
    async with running_node(valkey, spectator_delay=60.0) as node:
        nodes = Nodes(node, node)
        room, first, _ = await nodes.play()
        before = await nodes.load()
        live = node.registry.rooms[room]
        move = live.state.rules.write(live.state.state, live.state.rules.moves(live.state.state)[0])
        await first.ask(Play(id=0, room=room, ply=0, move=move))
        assert live.state.ply == 1
        assert await nodes.load() == before
        assert isinstance(before[0].scene, Scene)
        assert before[0].ply == 0
