"""An id belongs to one command of a session, on all nodes."""

from __future__ import annotations

from redis.asyncio import Redis

from parlour.server.store.command_ids import CommandIdStore
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline

keys = Keys()


async def test_an_id_belongs_to_the_first_command(pipeline: Pipeline) -> None:
    """The same command may claim it again, a different one may not."""
    one, two = CommandIdStore(pipeline), CommandIdStore(pipeline)
    assert await one.claim("ann", "session", 7, 111)
    assert await two.claim("ann", "session", 7, 111)
    assert not await two.claim("ann", "session", 7, 222)
    assert not await one.claim("ann", "session", 7, 222)


async def test_sessions_are_independent(pipeline: Pipeline) -> None:
    """Another player, another session and another id are claimed separately."""
    command_ids = CommandIdStore(pipeline)
    for player, session, id in (("ann", "one", 7), ("ann", "two", 7), ("ben", "one", 7), ("ann", "one", 8)):
        assert await command_ids.claim(player, session, id, hash((player, session, id)) % 1000)


async def test_a_claim_expires(pipeline: Pipeline, redis: Redis) -> None:
    """Nothing is stored for good."""
    await CommandIdStore(pipeline, ttl=60_000).claim("ann", "session", 7, 111)
    assert 0 < await redis.pttl(keys.command("ann", "session", 7)) <= 60_000
