"""The store of players: names, tokens, the lifetime of guests, and lookups."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from hashlib import sha256

import pytest
from redis.asyncio import Redis

from parlour.server.players.lookalikes import skeleton
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.keys import Keys
from parlour.server.store.names import RESERVATION_TTL
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.players import Identity, PlayerStore, StoredPlayer, digest
from parlour.server.store.pubsub import PubSub
from parlour.server.store.registrations import GUEST_TTL
from tests.server.dying_node import Death, deaths, dying_node

keys = Keys()


@pytest.fixture
def players(pipeline: Pipeline) -> PlayerStore:
    return PlayerStore(pipeline)


async def create(players: PlayerStore, name: str) -> Identity:
    guest = await players.create_guest(name, name.lower())
    assert guest is not None
    return guest


async def test_a_token_identifies_a_guest(players: PlayerStore) -> None:
    """The token of a guest finds that guest, and no other token does."""
    guest = await create(players, "Ann")
    assert (guest.player.name, guest.player.kind, guest.player.owner) == ("Ann", "guest", None)
    assert await players.find(guest.token) == guest.player
    for wrong in ("", "x", guest.token[:-1], guest.token + "A", guest.player.id, "é\ud800", "A" * 128):
        assert await players.find(wrong) is None


async def test_ids_and_tokens_are_unique(players: PlayerStore) -> None:
    """Every guest gets a different id and a different token of 256 bits."""
    guests = [await create(players, f"Ann {number}") for number in range(50)]
    assert len({guest.player.id for guest in guests}) == len({guest.token for guest in guests}) == 50
    assert all(len(guest.token) == 43 for guest in guests)


async def test_the_token_is_not_stored(players: PlayerStore, redis: Redis) -> None:
    """Redis holds the digest of a token, and nothing that could be used as one."""
    guest = await create(players, "Ann")
    assert await redis.exists(keys.player_token(sha256(guest.token.encode()).hexdigest()))
    for key in await redis.keys("*"):
        assert guest.token.encode() not in key
        value = await (redis.hgetall(key) if await redis.type(key) == b"hash" else redis.get(key))
        assert guest.token not in repr(value)


async def test_a_taken_name_is_refused(players: PlayerStore, redis: Redis) -> None:
    """A second guest cannot get a name with the same folded form, and nothing is stored for it."""
    await players.create_guest("Ann Lee", "annlee")
    stored = await redis.dbsize()
    assert await players.create_guest("ann-lee", "annlee") is None
    assert await redis.dbsize() == stored


async def test_concurrent_requests_for_one_name(players: PlayerStore) -> None:
    """Of many guests who request the same name at once, one gets it."""
    guests = await asyncio.gather(*(players.create_guest("Ann", "ann") for _ in range(20)))
    assert guests.count(None) == 19


@pytest.mark.parametrize("death", deaths(5), ids=str)
async def test_a_node_dies_while_it_creates_a_guest(
    valkey: str, players: PlayerStore, redis: Redis, death: Death
) -> None:
    """The name is blocked for as long as its reservation lasts, unless the guest was created."""
    created = None
    async with dying_node(valkey) as node:
        dying = PlayerStore(node.pipeline)
        await node.die(death)
        with suppress(StoreUnavailable):
            created = await dying.create_guest("Ann", "ann")
    if created is not None or await redis.pttl(keys.player_name("ann")) > RESERVATION_TTL:
        assert await players.create_guest("Ann", "ann") is None
    else:
        await redis.delete(keys.player_name("ann"), keys.look(skeleton("ann")))  # a minute later
        assert await players.create_guest("Ann", "ann") is not None


async def test_a_player_is_found_by_name(players: PlayerStore) -> None:
    """A player's id is found by the folded name."""
    guest = await players.create_guest("Ann Lee", "annlee")
    assert guest is not None
    assert await players.id_of("annlee") == guest.player.id
    assert await players.id_of("bob") is None


async def test_unused_guests_expire(players: PlayerStore, redis: Redis) -> None:
    """A guest is deleted 30 days after the last use, and the name is free again."""
    assert GUEST_TTL == 30 * 24 * 3600 * 1000
    guest = await create(players, "Ann")
    stored = await redis.keys("*")
    assert len(stored) == 4
    for key in stored:
        assert 0 < await redis.pttl(key) <= GUEST_TTL
        await redis.pexpire(key, GUEST_TTL // 2)
    assert await players.find(guest.token) is not None
    for key in stored:
        assert await redis.pttl(key) > GUEST_TTL * 0.99
        await redis.pexpire(key, 0)
    assert await players.find(guest.token) is None
    assert await players.create_guest("Ann", "ann") is not None


async def test_a_token_without_its_player_is_invalid(players: PlayerStore, redis: Redis) -> None:
    """A token whose player was deleted finds nothing."""
    guest = await create(players, "Ann")
    await redis.delete(keys.player(guest.player.id))
    assert await players.find(guest.token) is None


async def test_the_last_use_of_a_token_is_recorded(players: PlayerStore, redis: Redis) -> None:
    """Finding a player records the time of use, at most once an hour."""
    guest = await create(players, "Ann")
    key, field = keys.player(guest.player.id), f"token:{digest(guest.token)}"
    created = await redis.hget(key, field)
    assert await players.find(guest.token) is not None
    assert await redis.hget(key, field) == created
    await redis.hset(key, field, "1000 2000")
    assert await players.find(guest.token) is not None
    assert isinstance(created, bytes)
    first, last = map(int, (await redis.hget(key, field) or b"").split())
    assert first == 1000
    assert last >= int(created.split()[1])


async def test_players_are_read_together(players: PlayerStore, redis: Redis) -> None:
    """Several players are returned in the requested order, with None for unknown ids."""
    ann, ben = await create(players, "Ann"), await create(players, "Ben")
    found = await players.get([ben.player.id, "x", ann.player.id, ben.player.id])
    assert found == [ben.player, None, ann.player, ben.player]
    assert ben.player == StoredPlayer(ben.player.id, "Ben", "guest", ben.player.created)
    seconds, _ = await redis.time()
    assert abs(ben.player.created / 1000 - seconds) < 3600
    assert await players.get([]) == []


async def test_a_player_is_online_while_a_node_listens(players: PlayerStore, pipeline: Pipeline) -> None:
    """A player is online while any node is subscribed to the player's channel."""
    assert not await players.is_online("ann")
    pubsub, subscribed = PubSub(pipeline, "node"), asyncio.Event()
    await pubsub.open()
    pubsub.subscribe(keys.player_channel("ann"), lambda _: None, subscribed.set)
    await subscribed.wait()
    assert await players.is_online("ann")
    assert not await players.is_online("ben")
    await pubsub.close()
