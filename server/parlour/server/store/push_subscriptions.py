"""The push subscriptions of players, and the key with which the deployment signs push messages."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import sha256

import msgspec
from msgspec import Struct

from parlour.server.store.pipeline import Pipeline, script
from parlour.server.store.registrations import GUEST_TTL

PUT = script("put_subscription")

MAX_SUBSCRIPTIONS = 10  # of one player: one for each browser
ACCOUNT_TTL = 90 * 24 * 3600 * 1000  # milliseconds after the last visit with that browser


class StoredSubscription(Struct, frozen=True):
    """Where and how one browser of a player receives push messages."""

    endpoint: str
    p256dh: str
    auth: str
    kinds: tuple[str, ...]  # of the notifications that the player wants there
    token: str  # the digest of the token that created it: when that is revoked, the subscription ends
    renewed: int = 0  # last visit with the browser, in milliseconds since 1970


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(StoredSubscription).decode


class PushSubscriptionStore:
    """The subscriptions of all players. The coroutines raise StoreUnavailable.

    A browser has one endpoint, which belongs to the last player who used it there. The key of the endpoint names that
    player and decides: a subscription of another player with the same endpoint counts as removed.
    """

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        pipeline.load(PUT)

    async def signing_key(self, proposed: str) -> str:
        """Return the private key of the deployment; the first caller's proposal becomes the key."""
        name = self._keys.push_key
        await self._pipeline.call(b"SET", name, proposed, b"NX")
        key: bytes = await self._pipeline.call(b"GET", name)
        return key.decode()

    async def put(self, player: str, subscription: StoredSubscription) -> bool:
        """Add or renew a subscription; return False if the player does not exist."""
        field = endpoint_digest(subscription.endpoint)
        value = b"%d %s" % (subscription.renewed, encode(subscription))
        args = (field, value, MAX_SUBSCRIPTIONS, GUEST_TTL, ACCOUNT_TTL)
        keys = (self._keys.player(player), self._keys.push_subscriptions(player))
        removed = await self._pipeline.call_script(PUT, len(keys), *keys, *args)
        if removed is None:
            return False
        endpoint_key = self._keys.push_endpoint(field)
        before = await self._pipeline.call(b"SET", endpoint_key, player, b"PX", ACCOUNT_TTL, b"GET")
        if before is not None and before.decode() != player:
            await self._pipeline.call(b"HDEL", self._keys.push_subscriptions(before.decode()), field)
        await self._delete_endpoints(player, [each.decode() for each in removed])
        return True

    async def all(self, player: str) -> list[StoredSubscription]:
        """Return the subscriptions of a player, the most recently renewed first."""
        stored = await self._pipeline.call(b"HVALS", self._keys.push_subscriptions(player))
        found = [decode(value.partition(b" ")[2]) for value in stored]
        names = [self._keys.push_endpoint(endpoint_digest(each.endpoint)) for each in found]
        holders = await self._pipeline.call_all(*((b"GET", name) for name in names))
        held = [each for each, holder in zip(found, holders, strict=True) if holder == player.encode()]
        return sorted(held, key=lambda each: each.renewed, reverse=True)

    async def remove(self, player: str, endpoints: Collection[str]) -> None:
        """Remove subscriptions of a player."""
        if endpoints:
            digests = [endpoint_digest(each) for each in endpoints]
            await self._pipeline.call(b"HDEL", self._keys.push_subscriptions(player), *digests)
            await self._delete_endpoints(player, digests)

    async def revoke(self, player: str, tokens: Collection[str]) -> None:
        """Remove the subscriptions that were made with tokens of these digests."""
        found = await self.all(player)
        await self.remove(player, [each.endpoint for each in found if each.token in tokens])

    async def clear(self, player: str) -> None:
        """Remove all subscriptions of a player."""
        await self.remove(player, [each.endpoint for each in await self.all(player)])
        await self._pipeline.call(b"DEL", self._keys.push_subscriptions(player))

    async def _delete_endpoints(self, player: str, digests: Collection[str]) -> None:
        """Delete the keys of endpoints, unless another player has taken them over."""
        names = [self._keys.push_endpoint(each) for each in digests]
        holders = await self._pipeline.call_all(*((b"GET", name) for name in names))
        mine = [name for name, holder in zip(names, holders, strict=True) if holder == player.encode()]
        await self._pipeline.call_all(*((b"DEL", name) for name in mine))


def endpoint_digest(endpoint: str) -> str:
    """Return the digest under which an endpoint is stored."""
    return sha256(endpoint.encode(errors="surrogatepass")).hexdigest()[:32]
