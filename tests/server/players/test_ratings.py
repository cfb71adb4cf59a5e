"""Rating finished games, and leaderboards."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import combinations

import pytest
from redis.asyncio import Redis

from parlour.server.players.glicko2 import Rating, after_game
from parlour.server.players.ratings import CountedGame, RatedPlayer, Ratings
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.ratings import RatingStore
from tests.server.dying_node import Death, deaths, dying_node

keys = Keys()

NOON = 1_700_000_000_000
HOUR = 3600 * 1000
YEAR = 365 * 24 * HOUR
STEPS = 14  # more than it takes to rate a game

ADA, BEN = RatedPlayer("ada"), RatedPlayer("ben")


@pytest.fixture
def store(pipeline: Pipeline) -> RatingStore:
    return RatingStore(pipeline)


@pytest.fixture
def ratings(store: RatingStore) -> Ratings:
    return Ratings(store)


async def test_a_new_player_has_the_initial_rating(ratings: Ratings) -> None:
    """A player without a rated game has the initial rating in every game."""
    assert await ratings.get("ada", "isaac") == Rating()
    assert await ratings.all("ada") == {}


async def test_a_game_changes_both_ratings(ratings: Ratings, store: RatingStore) -> None:
    """Both ratings change by Glicko-2, in this game only."""
    counted = await ratings.rate_game("r1", "isaac", (ADA, BEN), 1, NOON)
    first, second = after_game(Rating(), Rating(), 1, NOON)
    assert counted == CountedGame((round(first.rating), round(second.rating)), is_new=True)
    assert await ratings.get("ada", "isaac") == first
    assert await ratings.all("ben") == {"isaac": second}
    assert await ratings.get("ben", "replica") == Rating()


async def test_a_game_is_rated_once(ratings: Ratings) -> None:
    """However many nodes rate a game at once, and however often, it counts once."""
    results = await asyncio.gather(*(ratings.rate_game("r1", "isaac", (ADA, BEN), 0, NOON) for _ in range(30)))
    first, second = after_game(Rating(), Rating(), 0, NOON)
    assert {result.ratings for result in results} == {(round(first.rating), round(second.rating))}
    assert [result.is_new for result in results].count(True) == 1
    assert await ratings.rate_game("r1", "isaac", (ADA, BEN), 0, NOON + 1) == CountedGame(results[0].ratings, False)
    assert await ratings.get("ada", "isaac") == first
    assert await ratings.get("ben", "isaac") == second


@pytest.mark.parametrize("death", deaths(STEPS), ids=str)
async def test_a_node_dies(valkey: str, ratings: Ratings, redis: Redis, death: Death) -> None:
    """Wherever a node dies while it rates a game, another one completes it, and it counts once for each player."""
    await play_until_established(ratings, ADA, BEN)
    before = await ratings.get("ada", "isaac"), await ratings.get("ben", "isaac")
    async with dying_node(valkey) as node:
        dying = Ratings(RatingStore(node.pipeline))
        await node.die(death)
        with suppress(StoreUnavailable):
            await dying.rate_game("r1", "isaac", (ADA, BEN), 0, NOON)
        other_game = await ratings.rate_game("r2", "isaac", (BEN, ADA), 0, NOON)  # in the meantime
    assert other_game.is_new
    await ratings.rate_game("r1", "isaac", (ADA, BEN), 0, NOON)
    ada, ben = await ratings.get("ada", "isaac"), await ratings.get("ben", "isaac")
    assert (ada.won, ada.lost) == (before[0].won + 1, before[0].lost + 1)
    assert (ben.won, ben.lost) == (before[1].won + 1, before[1].lost + 1)
    rows = await ratings.leaderboard("isaac", 0, 20, NOON)
    assert {row.player: await redis.zscore(keys.leaderboard("isaac"), row.player) for row in rows} == {
        "ada": round(ada.rating),
        "ben": round(ben.rating),
    }
    assert set(await redis.hkeys(keys.ratings("ada"))) == {b"isaac"}


async def test_games_that_end_together_all_count(ratings: Ratings) -> None:
    """Games of one player that end at the same time do not overwrite each other."""
    others = [RatedPlayer(f"p{number}") for number in range(20)]
    await asyncio.gather(*(ratings.rate_game(f"r{o.id}", "isaac", (ADA, o), 0, NOON) for o in others))
    assert (await ratings.get("ada", "isaac")).won == 20
    for other in others:
        assert (await ratings.get(other.id, "isaac")).lost == 1


async def test_the_leaderboard(ratings: Ratings) -> None:
    """Players with enough games are on the leaderboard, strongest first, in pages."""
    players = [RatedPlayer(f"p{number}") for number in range(6)]
    for number, (better, worse) in enumerate([*combinations(players, 2)] * 9):
        winner = 1 if number % 45 < 15 else 0  # the better player wins two of three games
        await ratings.rate_game(f"r{number}", "isaac", (better, worse), winner, NOON)
    rows = await ratings.leaderboard("isaac", 0, 20, NOON)
    assert [row.player for row in rows] == [player.id for player in players]
    assert [row.rating.games for row in rows] == [45] * 6
    assert rows[0].rating == await ratings.get("p0", "isaac")
    assert await ratings.leaderboard("isaac", 4, 20, NOON) == rows[4:]
    assert await ratings.leaderboard("replica", 0, 20, NOON) == []


async def test_a_provisional_rating_is_not_listed(ratings: Ratings) -> None:
    """After only a few games a player is not on the leaderboard."""
    for room in ("r1", "r2"):
        await ratings.rate_game(room, "isaac", (ADA, BEN), 0, NOON)
    assert await ratings.leaderboard("isaac", 0, 20, NOON) == []


async def play_until_established(ratings: Ratings, one: RatedPlayer, two: RatedPlayer) -> None:
    """Rate games with alternating winners until neither rating is provisional."""
    for number in range(14):
        players = (one, two) if number % 2 else (two, one)
        await ratings.rate_game(f"{one.id}{two.id}{number}", "isaac", players, 0, NOON)


async def test_inactive_players_leave_the_leaderboard(ratings: Ratings, store: RatingStore) -> None:
    """After about a year without a game, a player is removed from the leaderboard."""
    await play_until_established(ratings, ADA, BEN)
    assert len(await ratings.leaderboard("isaac", 0, 20, NOON + HOUR)) == 2
    assert await store.place("ada", "isaac", NOON + 2 * YEAR) is None
    assert await ratings.leaderboard("isaac", 0, 20, NOON + 2 * YEAR) == []


async def test_a_guest_who_registers_is_listed(ratings: Ratings, redis: Redis) -> None:
    """Guests are not listed; after registration their earlier games count and their ratings are permanent."""
    guest = RatedPlayer("guest", is_guest=True)
    await play_until_established(ratings, ADA, guest)
    assert [row.player for row in await ratings.leaderboard("isaac", 0, 20, NOON)] == ["ada"]
    await ratings.keep("guest")
    assert {row.player for row in await ratings.leaderboard("isaac", 0, 20, NOON)} == {"ada", "guest"}
    assert await redis.pttl(keys.ratings("guest")) == -1
