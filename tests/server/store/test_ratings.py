"""The store of ratings: games are counted once, leaderboards, and histories."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.ratings import (
    ARCHIVED_TTL,
    GUEST_RATING_TTL,
    RATED_TTL,
    FixedRatings,
    RatingChange,
    RatingStore,
    Standing,
)

keys = Keys()

NOON = 1_700_000_000_000
HOUR = 3600 * 1000
LATER = NOON + 1000 * HOUR


@pytest.fixture
def ratings(pipeline: Pipeline) -> RatingStore:
    return RatingStore(pipeline)


def change(player: str, before: bytes, after: bytes, shown: int = 1600) -> RatingChange:
    return RatingChange(player, before, after, shown)


async def test_a_player_without_a_rating(ratings: RatingStore) -> None:
    """A player without a rated game has no rating and no place."""
    assert await ratings.get("ada", "isaac") == b""
    assert await ratings.all("ada") == {}
    assert await ratings.place("ada", "isaac", NOON) is None


async def test_the_first_node_fixes_the_ratings(ratings: RatingStore, redis: Redis) -> None:
    """All nodes rate a game with the same ratings before it, and learn when it has been counted."""
    assert await ratings.fix("r1", b"one") == FixedRatings(b"one", None)
    assert await ratings.fix("r1", b"two") == FixedRatings(b"one", None)
    assert await ratings.counted("r1") is None
    assert await ratings.complete("r1", ("ada", "ben"), (1600, 1400))
    assert not await ratings.complete("r1", ("ada", "ben"), (1, 2))
    assert await ratings.counted("r1") == (1600, 1400)
    assert await ratings.fix("r1", b"two") == FixedRatings(b"one", (1600, 1400))
    assert 0 < await redis.pttl(keys.rated("r1")) <= RATED_TTL


async def test_a_game_is_counted_for_a_player(ratings: RatingStore) -> None:
    """Counting a game stores the rating, for this player and this game only."""
    assert await ratings.count("r1", "isaac", change("ada", b"", b"\x00one")) == 1600
    assert await ratings.get("ada", "isaac") == b"\x00one"
    assert await ratings.all("ada") == {"isaac": b"\x00one"}
    assert await ratings.all("ben") == {}


async def test_a_game_is_counted_once(ratings: RatingStore, redis: Redis) -> None:
    """Until the game is completed, the player knows that it was counted, and with which rating."""
    counts = [ratings.count("r1", "isaac", change("ada", b"", b"one", 1600 + number)) for number in range(30)]
    (shown,) = set(await asyncio.gather(*counts))
    assert await ratings.count("r1", "isaac", change("ada", b"one", b"two")) == shown
    assert await ratings.read("ada", "isaac", "r1") == (b"one", shown)
    await ratings.complete("r1", ("ada", "ben"), (1600, 1400))
    assert await ratings.read("ada", "isaac", "r1") == (b"one", None)
    assert await redis.pttl(keys.rated("r1")) > ARCHIVED_TTL
    await ratings.archived("r1")
    assert 0 < await redis.pttl(keys.rated("r1")) <= ARCHIVED_TTL


async def test_a_changed_rating_is_a_conflict(ratings: RatingStore) -> None:
    """If the rating has changed since it was read, nothing is stored and the game can be counted again."""
    await ratings.count("r1", "isaac", change("ada", b"", b"one"))
    assert await ratings.count("r2", "isaac", change("ada", b"", b"two")) is None
    assert await ratings.get("ada", "isaac") == b"one"
    assert await ratings.count("r2", "isaac", change("ada", b"one", b"two")) == 1600


async def test_the_leaderboard(ratings: RatingStore) -> None:
    """A leaderboard has the players of one game, strongest first, in pages."""
    players = [f"p{number}" for number in range(6)]
    for number in (3, 1, 5, 0, 4, 2):
        await ratings.rank("isaac", Standing(players[number], 2000 - number, LATER, 1))
    assert await ratings.leaderboard("isaac", 0, 20, NOON) == players
    assert await ratings.leaderboard("isaac", 4, 20, NOON) == players[4:]
    assert await ratings.leaderboard("isaac", 1, 2, NOON) == players[1:3]
    assert await ratings.leaderboard("isaac", 6, 20, NOON) == []
    assert [await ratings.place(player, "isaac", NOON) for player in players] == [1, 2, 3, 4, 5, 6]
    assert await ratings.leaderboard("replica", 0, 20, NOON) == []


async def test_a_player_leaves_the_leaderboard(ratings: RatingStore, redis: Redis) -> None:
    """A player is removed at `listed_until`, or at once if it is 0, and leaves nothing behind."""
    for player in ("ada", "ben"):
        await ratings.rank("isaac", Standing(player, 1600, LATER, 1))
    assert len(await ratings.leaderboard("isaac", 0, 20, LATER - 1)) == 2
    await ratings.rank("isaac", Standing("ada", 1700, LATER + 1, 2))
    await ratings.rank("isaac", Standing("ben", 1300, 0, 2))
    assert await ratings.leaderboard("isaac", 0, 20, LATER) == ["ada"]
    assert await ratings.place("ben", "isaac", NOON) is None
    assert await ratings.leaderboard("isaac", 0, 20, LATER + 1) == []
    assert await ratings.place("ada", "isaac", LATER + 1) is None
    assert await redis.keys() == []


async def test_a_late_report_does_not_change_the_leaderboard(ratings: RatingStore) -> None:
    """Of two nodes that rank a player after two games, the one with more games prevails, whichever comes first."""
    await ratings.rank("isaac", Standing("ada", 1700, LATER, 8))
    await ratings.rank("isaac", Standing("ben", 1650, LATER, 1))
    await ratings.rank("isaac", Standing("ada", 1600, LATER, 7))
    assert await ratings.leaderboard("isaac", 0, 20, NOON) == ["ada", "ben"]
    await ratings.rank("isaac", Standing("ada", 1600, LATER, 9))
    assert await ratings.leaderboard("isaac", 0, 20, NOON) == ["ben", "ada"]


async def test_the_ratings_of_guests_expire(ratings: RatingStore, redis: Redis) -> None:
    """They do until they are kept."""
    await ratings.count("r1", "isaac", RatingChange("guest", b"", b"x", 1500, is_guest=True))
    assert 0 < await redis.pttl(keys.ratings("guest")) <= GUEST_RATING_TTL
    await ratings.keep("guest")
    assert await redis.pttl(keys.ratings("guest")) == -1
