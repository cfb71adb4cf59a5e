"""Ratings in the store: counted once, whoever tries; leaderboards; history."""

from __future__ import annotations

import asyncio
from itertools import combinations

import pytest
from msgspec import Struct
from redis.asyncio import Redis

from parlour.server.rating import Rating, after_game
from parlour.server.store import keys
from parlour.server.store.ratings import GUEST_LASTS, POINTS, Ratings

NOON = 1_700_000_000_000
HOUR = 3600 * 1000
YEAR = 365 * 24 * HOUR


class Somebody(Struct, frozen=True):
    id: str
    guest: bool = False


ADA, BEN = Somebody("ada"), Somebody("ben")


@pytest.fixture
def ratings(redis: Redis) -> Ratings:
    return Ratings(redis)


async def test_everybody_begins_the_same(ratings: Ratings) -> None:
    """A player of whom nothing is known has the rating of a newcomer, in every game."""
    assert await ratings.rating("ada", "isaac") == Rating()
    assert await ratings.all("ada") == {}
    assert await ratings.history("ada", "isaac") == []
    assert await ratings.place("ada", "isaac", NOON) is None


async def test_a_game_counts_for_both(ratings: Ratings) -> None:
    """Both ratings are what the rule makes of them, in this game and no other."""
    told = await ratings.count("r1", "isaac", (ADA, BEN), 1, NOON)
    first, second = after_game(Rating(), Rating(), 1, NOON)
    assert told == (round(first.rating), round(second.rating))
    assert await ratings.rating("ada", "isaac") == first
    assert await ratings.all("ben") == {"isaac": second}
    assert await ratings.rating("ben", "replica") == Rating()
    assert await ratings.history("ben", "isaac") == [(NOON, round(second.rating))]


async def test_a_game_counts_once(ratings: Ratings, valkey: str, redis: Redis) -> None:
    """However many nodes try at once, and however often, a room is counted once."""
    nodes = [ratings, Ratings(redis), Ratings(redis)]
    done = await asyncio.gather(*(nodes[n % 3].count("r1", "isaac", (ADA, BEN), 0, NOON) for n in range(30)))
    assert done.count(None) == 29
    assert not await ratings.count("r1", "isaac", (ADA, BEN), 0, NOON + 1)
    assert await ratings.rating("ada", "isaac") == after_game(Rating(), Rating(), 0, NOON)[0]


async def test_games_that_end_together_all_count(ratings: Ratings) -> None:
    """Somebody who plays many games at once loses none of them to another one."""
    others = [Somebody(f"p{n}") for n in range(20)]
    await asyncio.gather(*(ratings.count(f"r{o.id}", "isaac", (ADA, o), 0, NOON) for o in others))
    assert (await ratings.rating("ada", "isaac")).won == 20
    for other in others:
        assert (await ratings.rating(other.id, "isaac")).lost == 1


async def test_the_leaderboard(ratings: Ratings) -> None:
    """Those who have played enough are on it, the strongest first, in pages."""
    field = [Somebody(f"p{n}") for n in range(6)]
    for number, (better, worse) in enumerate([*combinations(field, 2)] * 9):
        winner = 1 if number % 45 < 15 else 0  # each wins two of three games against whoever is weaker
        assert await ratings.count(f"r{number}", "isaac", (better, worse), winner, NOON)
    lines = await ratings.leaders("isaac", 0, 20, NOON)
    assert [line.player for line in lines] == [player.id for player in field]
    assert [line.rating.games for line in lines] == [45] * 6
    assert lines[0].rating == await ratings.rating("p0", "isaac")
    assert await ratings.leaders("isaac", 4, 20, NOON) == lines[4:]
    assert await ratings.leaders("isaac", 1, 2, NOON) == lines[1:3]
    assert await ratings.leaders("isaac", 6, 20, NOON) == []
    assert [await ratings.place(player.id, "isaac", NOON) for player in field] == [1, 2, 3, 4, 5, 6]
    assert await ratings.leaders("replica", 0, 20, NOON) == []


async def test_a_few_games_are_not_enough(ratings: Ratings) -> None:
    """A rating that is not sure yet has no place."""
    for room in ("r1", "r2"):
        await ratings.count(room, "isaac", (ADA, BEN), 0, NOON)
    assert await ratings.leaders("isaac", 0, 20, NOON) == []


async def even(ratings: Ratings, one: Somebody, two: Somebody) -> None:
    """Games in turn, after which both ratings are sure."""
    for number in range(14):
        players = (one, two) if number % 2 else (two, one)
        await ratings.count(f"{one.id}{two.id}{number}", "isaac", players, 0, NOON)


async def test_who_stops_playing_fades(ratings: Ratings) -> None:
    """After about a year without a game the place is given to the next."""
    await even(ratings, ADA, BEN)
    assert len(await ratings.leaders("isaac", 0, 20, NOON + HOUR)) == 2
    assert await ratings.place("ada", "isaac", NOON + 2 * YEAR) is None
    assert await ratings.leaders("isaac", 0, 20, NOON + 2 * YEAR) == []


async def test_guests_have_no_place(ratings: Ratings, redis: Redis) -> None:
    """Until they keep their name; then the games they have played count there as well, and are kept for good."""
    guest = Somebody("guest", guest=True)
    await even(ratings, ADA, guest)
    assert [line.player for line in await ratings.leaders("isaac", 0, 20, NOON)] == ["ada"]
    for key in (keys.ratings("guest"), keys.rating_history("guest", "isaac")):
        assert 0 < await redis.pttl(key) <= GUEST_LASTS
    await ratings.enlist("guest")
    assert {line.player for line in await ratings.leaders("isaac", 0, 20, NOON)} == {"ada", "guest"}
    for key in (keys.ratings("guest"), keys.rating_history("guest", "isaac")):
        assert await redis.pttl(key) == -1


async def test_a_long_history_is_thinned(ratings: Ratings) -> None:
    """It has its first and its last point, and of the many between them some, in the order of time."""
    for number in range(1000):
        await ratings.count(f"r{number}", "isaac", (ADA, BEN), number % 2, NOON + number * HOUR)
    points = await ratings.history("ada", "isaac")
    assert points[0][0] == NOON
    assert points[-1] == (NOON + 999 * HOUR, round((await ratings.rating("ada", "isaac")).rating))
    assert points == sorted(points)
    assert POINTS <= len(points) < 3 * POINTS
