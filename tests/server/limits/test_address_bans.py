"""Players are refused by their address."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from parlour.protocol.errors import ErrorCode
from parlour.server.limits.address_bans import AddressBans
from parlour.server.restrictions import Restriction
from parlour.server.store.store import Store

BANS = {
    "192.0.2.0/24": Restriction(2_000, "Spam"),
    "198.51.100.7/32": Restriction(0, "Insults"),
    "2001:db8::/32": Restriction(2_000, "Spam"),
    "203.0.113.0/24": Restriction(500, "over already"),
}


@pytest.fixture
async def bans(valkey: str, redis: Redis) -> AddressBans:
    store = Store(valkey, "node")
    await store.pipeline.open()
    for network, ban in BANS.items():
        await store.address_bans.set(network, ban)
    bans = AddressBans(store.address_bans, lambda: 1_000)
    await bans.load()
    await store.pipeline.close()
    return bans


async def test_addresses_in_a_banned_network_are_refused(bans: AddressBans) -> None:
    """With the reason and the date, or for good; others are not, nor when the ban is over."""
    for address in ("192.0.2.1", "2001:db8:1::5"):
        refusal = bans.refusal(address)
        assert refusal is not None
        assert refusal.code is ErrorCode.SUSPENDED
        assert "until 1 January 1970" in refusal.sentence
        assert "Reason: Spam" in refusal.sentence
    forever = bans.refusal("198.51.100.7")
    assert forever is not None
    assert forever.code is ErrorCode.BANNED
    for address in ("192.0.3.1", "198.51.100.8", "203.0.113.1", "2001:db9::1", "unix"):
        assert bans.refusal(address) is None
