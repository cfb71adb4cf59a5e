"""The store of ratings: games are counted once, leaderboards, and histories."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.ratings import GUEST_RATING_TTL, HISTORY_POINTS, RATED_TTL, RatingChange, RatingStore

keys = Keys()

NOON = 1_700_000_000_000
HOUR = 3600 * 1000
LATER = NOON + 1000 * HOUR


@pytest.fixture
def ratings(pipeline: Pipeline) -> RatingStore:
    return RatingStore(pipeline)


def changes(before: bytes, after: bytes) -> tuple[RatingChange, RatingChange]:
    """Return the same change for two players, whose new ratings are 1600 and 1400."""
    return RatingChange("ada", before, after, 1600, LATER), RatingChange("ben", before, after, 1400, LATER)


async def test_a_player_without_a_rating(ratings: RatingStore) -> None:
    """A player without a rated game has no rating, no history and no place."""
    assert await ratings.get("ada", "isaac") == b""
    assert await ratings.all("ada") == {}
    assert await ratings.history("ada", "isaac") == []
    assert await ratings.place("ada", "isaac", NOON) is None


async def test_a_game_is_stored_for_both_players(ratings: RatingStore) -> None:
    """Rating a game stores both ratings and both histories, for this game only."""
    assert await ratings.rate("r1", "isaac", changes(b"", b"\x00one"), NOON) == "rated"
    assert await ratings.get("ada", "isaac") == b"\x00one"
    assert await ratings.all("ben") == {"isaac": b"\x00one"}
    assert await ratings.get("ben", "replica") == b""
    assert await ratings.history("ada", "isaac") == [(NOON, 1600)]
    assert await ratings.history("ben", "isaac") == [(NOON, 1400)]


async def test_a_game_is_rated_once(ratings: RatingStore, redis: Redis) -> None:
    """However many nodes rate a game at once, it counts once, and the store remembers that for a limited time."""
    outcomes = await asyncio.gather(*(ratings.rate("r1", "isaac", changes(b"", b"one"), NOON) for _ in range(30)))
    assert sorted(outcomes) == ["already_rated"] * 29 + ["rated"]
    assert await ratings.rate("r1", "isaac", changes(b"one", b"two"), NOON) == "already_rated"
    assert await ratings.get("ada", "isaac") == b"one"
    assert 0 < await redis.pttl(keys.rated("r1")) <= RATED_TTL


async def test_a_changed_rating_is_a_conflict(ratings: RatingStore) -> None:
    """If either rating has changed since it was read, nothing is stored and the game can be rated again."""
    await ratings.rate("r1", "isaac", changes(b"", b"one"), NOON)
    ada, ben = changes(b"one", b"two")
    for stale in ((ada, RatingChange("ben", b"", b"two", 1400, 0)), (RatingChange("ada", b"", b"two", 1600, 0), ben)):
        assert await ratings.rate("r2", "isaac", stale, NOON) == "conflict"
    assert await ratings.get("ada", "isaac") == await ratings.get("ben", "isaac") == b"one"
    assert await ratings.rate("r2", "isaac", (ada, ben), NOON) == "rated"


async def test_the_leaderboard(ratings: RatingStore) -> None:
    """A leaderboard has the players of one game, strongest first, in pages."""
    for number in range(3):
        first, second = (
            RatingChange(f"p{2 * number + seat}", b"", b"x", 2000 - 2 * number - seat, LATER) for seat in (0, 1)
        )
        await ratings.rate(f"r{number}", "isaac", (first, second), NOON)
    players = [f"p{number}" for number in range(6)]
    assert await ratings.leaderboard("isaac", 0, 20, NOON) == players
    assert await ratings.leaderboard("isaac", 4, 20, NOON) == players[4:]
    assert await ratings.leaderboard("isaac", 1, 2, NOON) == players[1:3]
    assert await ratings.leaderboard("isaac", 6, 20, NOON) == []
    assert [await ratings.place(player, "isaac", NOON) for player in players] == [1, 2, 3, 4, 5, 6]
    assert await ratings.leaderboard("replica", 0, 20, NOON) == []


async def test_a_player_leaves_the_leaderboard(ratings: RatingStore) -> None:
    """A player is removed at `listed_until`, or at once if it is 0."""
    await ratings.rate("r1", "isaac", changes(b"", b"one"), NOON)
    assert len(await ratings.leaderboard("isaac", 0, 20, LATER - 1)) == 2
    ada, ben = RatingChange("ada", b"one", b"two", 1700, LATER + 1), RatingChange("ben", b"one", b"two", 1300, 0)
    await ratings.rate("r2", "isaac", (ada, ben), NOON)
    assert await ratings.leaderboard("isaac", 0, 20, LATER) == ["ada"]
    assert await ratings.place("ben", "isaac", NOON) is None
    assert await ratings.leaderboard("isaac", 0, 20, LATER + 1) == []
    assert await ratings.place("ada", "isaac", LATER + 1) is None


async def test_guests_are_not_listed(ratings: RatingStore, redis: Redis) -> None:
    """The ratings of guests expire and are not listed, until they are kept."""
    ada, guest = RatingChange("ada", b"", b"x", 1600, LATER), RatingChange("guest", b"", b"x", 1500, LATER, True)
    await ratings.rate("r1", "isaac", (ada, guest), NOON)
    assert await ratings.leaderboard("isaac", 0, 20, NOON) == ["ada"]
    for key in (keys.ratings("guest"), keys.rating_history("guest", "isaac")):
        assert 0 < await redis.pttl(key) <= GUEST_RATING_TTL
    await ratings.keep("guest", "isaac", 1500, LATER)
    assert await ratings.leaderboard("isaac", 0, 20, NOON) == ["ada", "guest"]
    for key in (keys.ratings("guest"), keys.rating_history("guest", "isaac")):
        assert await redis.pttl(key) == -1


async def test_a_provisional_rating_is_kept_but_not_listed(ratings: RatingStore, redis: Redis) -> None:
    """Keeping a rating with `listed_until` 0 makes it permanent without listing it."""
    ada, guest = RatingChange("ada", b"", b"x", 1600, LATER), RatingChange("guest", b"", b"x", 1500, LATER, True)
    await ratings.rate("r1", "isaac", (ada, guest), NOON)
    await ratings.keep("guest", "isaac", 1500, 0)
    assert await ratings.leaderboard("isaac", 0, 20, NOON) == ["ada"]
    assert await redis.pttl(keys.ratings("guest")) == -1


async def test_a_long_history_is_thinned(ratings: RatingStore) -> None:
    """A long history keeps its first and last points and some in between, in chronological order."""
    for number in range(1000):
        before, after = (b"" if number == 0 else b"%d" % number), b"%d" % (number + 1)
        await ratings.rate(f"r{number}", "isaac", changes(before, after), NOON + number * HOUR)
    points = await ratings.history("ada", "isaac")
    assert points[0] == (NOON, 1600)
    assert points[-1] == (NOON + 999 * HOUR, 1600)
    assert points == sorted(points)
    assert HISTORY_POINTS <= len(points) < 3 * HISTORY_POINTS
