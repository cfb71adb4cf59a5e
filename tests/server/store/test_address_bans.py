"""The banned networks are in the store until they are lifted."""

from __future__ import annotations

from redis.asyncio import Redis

from parlour.server.restrictions import Restriction
from parlour.server.store.store import Store


async def test_bans_are_kept_until_they_are_lifted(valkey: str, redis: Redis) -> None:
    """A ban can be changed; lifting one says whether it was there."""
    store = Store(valkey, "node")
    await store.pipeline.open()
    bans = store.address_bans
    await bans.set("192.0.2.0/24", Restriction(5, "Spam"))
    await bans.set("192.0.2.0/24", Restriction(0, "Spam again"))
    await bans.set("2001:db8::/32", Restriction(7, "Insults"))
    assert await bans.all() == {
        "192.0.2.0/24": Restriction(0, "Spam again"),
        "2001:db8::/32": Restriction(7, "Insults"),
    }
    assert await bans.remove("192.0.2.0/24", "198.51.100.0/24") == 1
    assert await bans.remove() == 0
    assert set(await bans.all()) == {"2001:db8::/32"}
    await store.pipeline.close()
