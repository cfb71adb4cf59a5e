"""Public profiles and leaderboards."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import combinations

import pytest
from redis.asyncio import Redis

from parlour.protocol.messages import (
    CreateBot,
    GetLeaderboard,
    GetProfile,
    Leaderboard,
    Profile,
    Register,
    Resign,
    SignedIn,
)  # fmt: skip
from parlour.protocol.types import Clock, Terms
from parlour.server.players.names import fold_name
from parlour.server.players.ratings import RatedPlayer, Ratings
from tests.server.running_node import Caller, RunningNode, running_node
from tests.waiting import until

PASSWORD = "a long password for tests"
RATED = Terms("replica", {}, Clock("fischer", 300_000, 3_000), rated=True)


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey) as running:
        yield running


async def register(node: RunningNode, name: str) -> Caller:
    """Return a caller with an register."""
    caller = await node.call()
    assert isinstance(await caller.ask(Register(id=0, name=name, password=PASSWORD)), SignedIn)
    return caller


async def id_of(node: RunningNode, name: str) -> str:
    found = await node.store.players.id_of(fold_name(name))
    assert found is not None
    return found


async def test_a_new_player(node: RunningNode) -> None:
    """A new player has a name and a date of creation, and nothing else."""
    before = node.node.now()
    ada = await node.call(name="Ada")
    profile = await ada.ask(GetProfile(id=0, name="ada"))
    assert isinstance(profile, Profile)
    assert (profile.player.name, profile.player.guest, profile.player.rating) == ("Ada", True, None)
    assert before - 1000 <= profile.created <= node.node.now() + 1000
    assert (profile.ratings, profile.owner, profile.bots, profile.playing) == ((), None, (), ())


async def test_online(node: RunningNode, valkey: str) -> None:
    """A player is online while connected to any node."""
    async with running_node(valkey, "other") as other:
        ada = await other.call(name="Ada")
        ben = await node.call(name="Ben")

        async def is_offline() -> bool:
            profile: Profile = await ben.ask(GetProfile(id=0, name="Ada"))
            return not profile.online

        assert not await is_offline()
        await ada.socket.close()
        await other.until(lambda: len(other.node.dispatcher.sessions) == 0)
        await until(is_offline)


async def test_unknown_names(node: RunningNode) -> None:
    """An unknown player or game is refused."""
    ada = await node.call(name="Ada")
    assert await ada.code(GetProfile(id=0, name="Unknown Player")) == "player_unknown"
    assert await ada.code(GetLeaderboard(id=0, game="chess")) == "game_unknown"


async def test_bots_and_their_owners(node: RunningNode) -> None:
    """The profile of a bot names its owner, and that of the owner its bots."""
    ada = await register(node, "Ada")
    await ada.ask(CreateBot(id=0, name="Robby"))
    mine, its = await ada.ask(GetProfile(id=0, name="Ada")), await ada.ask(GetProfile(id=0, name="Robby"))
    assert (mine.bots, mine.owner, mine.player.bot) == (("Robby",), None, False)
    assert (its.bots, its.owner, its.player.bot) == ((), "Ada", True)


async def test_ratings_with_their_history(node: RunningNode) -> None:
    """A profile has the numbers of won, lost and drawn games, and the history of the rating."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    for loser in (ben, ben, ada):
        room = await node.table(RATED, ada, ben)
        await node.play(room, ada, ben)
        await loser.ask(Resign(id=0, room=room))
        await node.node.drain(10)
    profile = await ben.ask(GetProfile(id=0, name="Ada"))
    [rating] = profile.ratings
    assert (rating.game, rating.games, rating.won, rating.lost, rating.drawn) == ("replica", 3, 2, 1, 0)
    assert rating.rating == rating.history[-1][1]
    assert len(rating.history) == 3
    assert [at for at, _ in rating.history] == sorted(at for at, _ in rating.history)
    assert 150 < rating.deviation < 350
    assert rating.place is None


async def test_the_leaderboard(node: RunningNode) -> None:
    """A leaderboard lists accounts with established ratings, in pages; guests are listed after they register."""
    callers = [await register(node, name) for name in ("Ada", "Ben", "Cid")]
    guest = await node.call(name="Dan")
    players = [RatedPlayer(await id_of(node, name), name == "Dan") for name in ("Ada", "Ben", "Cid", "Dan")]
    ratings, now = Ratings(node.store.ratings), node.node.now()
    for number, (better, worse) in enumerate([*combinations(players, 2)] * 12):
        winner = 1 if number % 18 < 6 else 0  # the better player wins two of three games
        await ratings.rate_game(f"r{number}", "replica", (better, worse), winner, now)

    async def names(first: int = 0) -> list[str]:
        board = await guest.ask(GetLeaderboard(id=0, game="replica", offset=first))
        assert isinstance(board, Leaderboard)
        assert all(row.player.rating and not row.player.provisional for row in board.rows)
        assert all(row.games == 36 for row in board.rows)
        return [row.player.name for row in board.rows]

    assert await names() == ["Ada", "Ben", "Cid"]
    assert await names(2) == ["Cid"]
    assert await names(2**52) == []
    profile = await callers[0].ask(GetProfile(id=0, name="Ben"))
    assert profile.ratings[0].place == 2
    await guest.ask(Register(id=0, name="Dan", password=PASSWORD))
    assert await names() == ["Ada", "Ben", "Cid", "Dan"]
