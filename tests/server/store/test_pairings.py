"""How many rated games two players have begun."""

from __future__ import annotations

from redis.asyncio import Redis

from parlour.server.store.keys import Keys
from parlour.server.store.pairings import WINDOW, PairingStore
from parlour.server.store.pipeline import Pipeline


async def test_games_of_the_same_players_are_counted(pipeline: Pipeline, redis: Redis) -> None:
    """In whichever order they are named, each game once, and only for a day from the first one."""
    pairings = PairingStore(pipeline)
    for room in ("r1", "r2", "r2"):
        await pairings.add("ann", "ben", room)
    assert await pairings.count("ben", "ann") == 2
    assert await pairings.count("ann", "eve") == 0
    key = Keys().rated_pair("ann", "ben")
    await redis.expire(key, 1_000)
    await pairings.add("ben", "ann", "r3")
    assert 0 < await redis.ttl(key) <= 1_000 < WINDOW
