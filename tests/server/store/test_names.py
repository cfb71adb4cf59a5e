"""Names: one holder each, reservations that expire, and names that were given up."""

from __future__ import annotations

import asyncio

import pytest
from redis.asyncio import Redis

from parlour.server.players.lookalikes import skeleton
from parlour.server.store.keys import Keys
from parlour.server.store.names import RESERVATION_TTL, NameStore
from parlour.server.store.pipeline import Pipeline

keys = Keys()

DAY = 24 * 3600 * 1000


@pytest.fixture
def names(pipeline: Pipeline) -> NameStore:
    return NameStore(pipeline)


async def test_a_reservation_expires(names: NameStore, redis: Redis) -> None:
    """A name is reserved for one player, for a minute."""
    assert await names.reserve("ann", "1") is not None
    assert await names.reserve("ann", "2") is None
    assert await names.holder("ann") == "1"
    assert 0 < await redis.pttl(keys.player_name("ann")) <= RESERVATION_TTL
    await redis.delete(keys.player_name("ann"), keys.look(skeleton("ann")))
    assert await names.reserve("ann", "2") is not None
    assert not await names.confirm("ann", "1")
    assert await names.holder("ann") == "2"


async def test_a_reservation_is_renewed(names: NameStore, redis: Redis) -> None:
    """Reserving a name again takes as long as the first time, and shortens no other period."""
    await names.reserve("ann", "1")
    await redis.pexpire(keys.player_name("ann"), 1000)
    assert await names.reserve("ann", "1") is not None
    assert await redis.pttl(keys.player_name("ann")) > RESERVATION_TTL - 30_000
    await names.confirm("ann", "1", 7 * DAY)
    assert await names.reserve("ann", "1") is not None
    assert await redis.pttl(keys.player_name("ann")) > 6 * DAY


async def test_many_players_want_a_name(names: NameStore) -> None:
    """One of them gets it."""
    reserved = await asyncio.gather(*(names.reserve("ann", str(number)) for number in range(30)))
    assert reserved.count(None) == 29


async def test_a_confirmed_name(names: NameStore, redis: Redis) -> None:
    """A guest keeps a name for a while and an account for good, which nothing shortens again."""
    await names.reserve("ann", "1")
    assert await names.confirm("ann", "1", 7 * DAY)
    assert 6 * DAY < await redis.pttl(keys.player_name("ann")) <= 7 * DAY
    assert await names.confirm("ann", "1")
    assert await names.confirm("ann", "1", 7 * DAY)
    assert await names.reserve("ann", "1") is not None
    assert await redis.pttl(keys.player_name("ann")) == -1
    assert not await names.confirm("ann", "2")


async def test_an_expired_reservation_can_be_confirmed(names: NameStore, redis: Redis) -> None:
    """It can as long as no other player has reserved the name."""
    await names.reserve("ann", "1")
    await redis.delete(keys.player_name("ann"), keys.look(skeleton("ann")))
    assert await names.confirm("ann", "1")
    assert await names.holder("ann") == "1"


async def test_a_released_name(names: NameStore) -> None:
    """Only its holder can release a name."""
    await names.reserve("ann", "1")
    await names.release("ann", "2")
    assert await names.holder("ann") == "1"
    await names.release("ann", "1")
    assert await names.holder("ann") is None


async def test_lookalikes(names: NameStore, redis: Redis) -> None:
    """A name that looks like another player's is taken, until that player gives it up; looks expire like names."""
    await redis.hset(keys.player("1"), "folded", "owner1")
    await names.reserve("owner1", "1")
    await names.confirm("owner1", "1", 7 * DAY)
    assert 6 * DAY < await redis.pttl(keys.look(skeleton("owner1"))) <= 7 * DAY
    for folded in ("0wner1", "ovvneri", "ownerl"):
        assert await names.is_taken(folded, "2")
        assert not await names.is_taken(folded, "1")
        assert await names.reserve(folded, "2") is None
        assert await names.holder(folded) is None
    assert await names.reserve("0wner1", "2", lookalikes_allowed=True) is not None
    await names.release("0wner1", "2")

    await names.release("owner1", "1", new="0wner1")
    assert await names.reserve("ownerl", "2") is None
    await names.release("0wner1", "1")
    assert not await names.is_taken("ownerl", "2")
    assert await names.reserve("ownerl", "2") is not None


async def test_names_from_before_looks_were_compared(names: NameStore, redis: Redis) -> None:
    """Their players keep them, the first index protects them, and a later one does nothing."""
    for id, folded in (("1", "0wner"), ("2", "owner"), ("3", "carl")):
        await redis.hset(keys.player(id), "folded", folded)
        await redis.set(keys.player_name(folded), id, px=None if id != "3" else 7 * DAY)
    assert await names.reserve("cari", "4") is not None
    await names.release("cari", "4")
    await names.index_looks()
    for folded in ("cari", "ovvner"):
        assert await names.reserve(folded, "4") is None
    for id, folded in (("1", "0wner"), ("2", "owner")):
        assert await names.reserve(folded, id) is not None
        assert await names.confirm(folded, id)
    assert await redis.pttl(keys.look(skeleton("owner"))) == -1
    assert 6 * DAY < await redis.pttl(keys.look(skeleton("carl"))) <= 7 * DAY

    await redis.delete(keys.look(skeleton("carl")))
    await names.index_looks()
    assert not await redis.exists(keys.look(skeleton("carl")))


async def test_a_name_without_its_player_is_free(names: NameStore, redis: Redis) -> None:
    """A confirmed name is another player's if its holder does not exist, or has another name."""
    await names.confirm("ann", "1")
    assert await names.reserve("ann", "2") is not None
    assert await names.holder("ann") == "2"

    await names.confirm("ben", "3", 7 * DAY)
    await redis.hset(keys.player("3"), "folded", "ben")
    assert await names.reserve("ben", "4") is None
    await redis.hset(keys.player("3"), "folded", "carl")
    assert await names.reserve("ben", "4") is not None
