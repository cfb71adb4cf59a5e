"""What everybody may know of a player, and who is the strongest."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import combinations

import pytest
from msgspec import Struct
from redis.asyncio import Redis

from parlour.protocol.messages import (
    AskLeaders,
    AskPlayer,
    Leaders,
    MakeBot,
    Profile,
    Register,
    Resign,
    SignedIn,
)  # fmt: skip
from parlour.protocol.tables import Clock, Terms
from parlour.server.profiles import POINTS, thinned
from tests.server.running_node import Caller, RunningNode, running_node

PASSWORD = "a long password for tests"
RATED = Terms("replica", {}, Clock("fischer", 300_000, 3_000), rated=True)


class Somebody(Struct, frozen=True):
    id: str
    guest: bool = False


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey) as running:
        yield running


async def account(node: RunningNode, name: str) -> Caller:
    """Somebody who keeps his name."""
    caller = await node.call()
    assert isinstance(await caller.ask(Register(id=0, name=name, password=PASSWORD)), SignedIn)
    return caller


async def id_of(node: RunningNode, name: str) -> str:
    found = await node.store.players.named(name)
    assert found is not None
    return found


async def test_a_newcomer(node: RunningNode) -> None:
    """Has a name, a day on which he came, and nothing else."""
    before = node.node.now()
    ada = await node.call(name="Ada")
    profile = await ada.ask(AskPlayer(id=0, name="ada"))
    assert isinstance(profile, Profile)
    assert (profile.player.name, profile.player.guest, profile.player.rating) == ("Ada", True, None)
    assert before - 1000 <= profile.since <= node.node.now() + 1000
    assert (profile.ratings, profile.owner, profile.bots, profile.playing) == ((), None, (), ())


async def test_who_is_here(node: RunningNode, valkey: str) -> None:
    """A player is online while any node has a connection of his."""
    async with running_node(valkey, "other") as other:
        ada = await other.call(name="Ada")
        ben = await node.call(name="Ben")

        async def online() -> bool:
            profile: Profile = await ben.ask(AskPlayer(id=0, name="Ada"))
            return profile.online

        assert await online()
        await ada.socket.close()
        await other.until(lambda: len(other.node.visitors) == 0)
        while await online():  # the node says so as soon as it has noticed
            pass


async def test_nobody(node: RunningNode) -> None:
    """A name that nobody has is refused."""
    ada = await node.call(name="Ada")
    assert await ada.code(AskPlayer(id=0, name="Nobody at all")) == "player_unknown"
    assert await ada.code(AskLeaders(id=0, game="chess")) == "game_unknown"


async def test_bots_and_their_owners(node: RunningNode) -> None:
    """Each leads to the other."""
    ada = await account(node, "Ada")
    await ada.ask(MakeBot(id=0, name="Robby"))
    mine, its = await ada.ask(AskPlayer(id=0, name="Ada")), await ada.ask(AskPlayer(id=0, name="Robby"))
    assert (mine.bots, mine.owner, mine.player.bot) == (("Robby",), None, False)
    assert (its.bots, its.owner, its.player.bot) == ((), "Ada", True)


async def test_ratings_with_their_history(node: RunningNode) -> None:
    """How many games were won, lost and drawn, and how the rating came about."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    for loser in (ben, ben, ada):
        room = await node.table(RATED, ada, ben)
        await loser.ask(Resign(id=0, room=room))
        await node.node.settle(10)
    profile = await ben.ask(AskPlayer(id=0, name="Ada"))
    [standings] = profile.ratings
    assert (standings.game, standings.games, standings.won, standings.lost, standings.drawn) == ("replica", 3, 2, 1, 0)
    assert standings.rating == standings.history[-1][1]
    assert len(standings.history) == 3
    assert [at for at, _ in standings.history] == sorted(at for at, _ in standings.history)
    assert 150 < standings.deviation < 350
    assert standings.place is None


async def test_the_strongest(node: RunningNode) -> None:
    """A leaderboard has accounts with sure ratings, in pages; guests get there by keeping their name."""
    callers = [await account(node, name) for name in ("Ada", "Ben", "Cid")]
    guest = await node.call(name="Dan")
    players = [Somebody(await id_of(node, name), name == "Dan") for name in ("Ada", "Ben", "Cid", "Dan")]
    now = node.node.now()
    for number, (better, worse) in enumerate([*combinations(players, 2)] * 12):
        winner = 1 if number % 18 < 6 else 0  # each wins two of three games against whoever is weaker
        await node.store.ratings.count(f"r{number}", "replica", (better, worse), winner, now)

    async def names(first: int = 0) -> list[str]:
        board = await guest.ask(AskLeaders(id=0, game="replica", first=first))
        assert isinstance(board, Leaders)
        assert all(row.player.sure and row.player.rating for row in board.rows)
        assert all(row.games == 36 for row in board.rows)
        return [row.player.name for row in board.rows]

    assert await names() == ["Ada", "Ben", "Cid"]
    assert await names(2) == ["Cid"]
    assert await names(2**52) == []
    profile = await callers[0].ask(AskPlayer(id=0, name="Ben"))
    assert profile.ratings[0].place == 2
    await guest.ask(Register(id=0, name="Dan", password=PASSWORD))
    assert await names() == ["Ada", "Ben", "Cid", "Dan"]


def test_a_history_is_thinned() -> None:
    """A long one keeps its first and last point and some between them; a short one stays as it is."""
    long = [(at, 1500 + at % 7) for at in range(2000)]
    points = thinned(long, POINTS)
    assert len(points) == POINTS
    assert (points[0], points[-1]) == (long[0], long[-1])
    assert len(set(points)) == POINTS
    assert list(points) == sorted(points)
    assert thinned(long[:POINTS], POINTS) == tuple(long[:POINTS])
    assert thinned([], POINTS) == ()
