"""The push subscriptions of players in the store."""

from __future__ import annotations

from msgspec.structs import replace

from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.players import PlayerStore
from parlour.server.store.push_subscriptions import (
    ACCOUNT_TTL,
    MAX_SUBSCRIPTIONS,
    PushSubscriptionStore,
    StoredSubscription,
    endpoint_digest,
)
from parlour.server.store.registrations import GUEST_TTL

KEYS = Keys()


def subscription(name: str = "one", renewed: int = 1, token: str = "t") -> StoredSubscription:
    return StoredSubscription(f"https://push.example.net/{name}", "key", "secret", ("your_turn",), token, renewed)


async def guest(pipeline: Pipeline, name: str) -> str:
    identity = await PlayerStore(pipeline).create_guest(name, name)
    assert identity is not None
    return identity.player.id


async def test_the_first_key_is_the_key_of_all_nodes(pipeline: Pipeline) -> None:
    """Each node proposes a key; all get the first one."""
    store = PushSubscriptionStore(pipeline)
    assert await store.signing_key("first") == "first"
    assert await store.signing_key("second") == "first"


async def test_a_player_has_some_browsers(pipeline: Pipeline) -> None:
    """The browser that was not there for the longest time makes room for one more; nothing of it is left."""
    store, ann = PushSubscriptionStore(pipeline), await guest(pipeline, "ann")
    for number in range(MAX_SUBSCRIPTIONS + 1):
        assert await store.put(ann, subscription(str(number), renewed=100 - number if number else 0))

    found = await store.all(ann)
    assert [each.endpoint[-2:].strip("/") for each in found] == [str(each) for each in range(1, MAX_SUBSCRIPTIONS + 1)]
    assert await pipeline.call(b"EXISTS", KEYS.push_endpoint(endpoint_digest(subscription("0").endpoint))) == 0
    assert not await store.put("unknown", subscription())


async def test_a_browser_has_one_player(pipeline: Pipeline) -> None:
    """The player who uses a browser last gets its messages, and the one before none."""
    store = PushSubscriptionStore(pipeline)
    ann, ben = await guest(pipeline, "ann"), await guest(pipeline, "ben")
    await store.put(ann, subscription())
    await store.put(ben, subscription())

    assert (len(await store.all(ann)), len(await store.all(ben))) == (0, 1)
    await store.remove(ann, [subscription().endpoint])
    assert len(await store.all(ben)) == 1
    await store.remove(ben, [subscription().endpoint])
    assert await store.all(ben) == []


async def test_subscriptions_end_with_their_tokens(pipeline: Pipeline) -> None:
    """Revoking a token ends the subscriptions that were made with it; deleting a player ends all."""
    store, ann = PushSubscriptionStore(pipeline), await guest(pipeline, "ann")
    await store.put(ann, subscription("one", token="a"))
    await store.put(ann, subscription("two", token="b"))
    await store.revoke(ann, ("a", "c"))
    assert [each.token for each in await store.all(ann)] == ["b"]
    await store.clear(ann)
    assert await pipeline.call(b"KEYS", b"*endpoint*") == await pipeline.call(b"KEYS", b"*:push") == []


async def test_subscriptions_expire(pipeline: Pipeline) -> None:
    """Those of a guest live as long as the guest, those of others some months after the last visit."""
    store, ann = PushSubscriptionStore(pipeline), await guest(pipeline, "ann")
    await store.put(ann, subscription())
    assert 0 < await pipeline.call(b"PTTL", KEYS.push_subscriptions(ann)) <= GUEST_TTL
    await pipeline.call(b"HSET", KEYS.player(ann), b"kind", b"account")
    await store.put(ann, replace(subscription(), renewed=2))
    assert GUEST_TTL < await pipeline.call(b"PTTL", KEYS.push_subscriptions(ann)) <= ACCOUNT_TTL
