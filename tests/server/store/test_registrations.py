"""Registration in steps: whenever a node dies, another one completes it, and a name has one holder."""

from __future__ import annotations

from contextlib import suppress

import pytest
from redis.asyncio import Redis

from parlour.server.players.lookalikes import skeleton
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.keys import Keys
from parlour.server.store.names import STORE_WITHIN, NameStore
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.players import Identity, PlayerStore, StoredPlayer
from parlour.server.store.registrations import Registrations
from tests.server.dying_node import Death, deaths, dying_node

keys = Keys()

HASH = "hash of a password"
STEPS = 10  # more than a registration has


@pytest.fixture
def players(pipeline: Pipeline) -> PlayerStore:
    return PlayerStore(pipeline)


@pytest.fixture
def registrations(pipeline: Pipeline) -> Registrations:
    return Registrations(pipeline, NameStore(pipeline))


@pytest.fixture
async def guest(players: PlayerStore) -> Identity:
    """A guest named Ben."""
    created = await players.create_guest("Ben", "ben")
    assert created is not None
    return created


async def die_while_registering(valkey: str, guest: Identity, death: Death) -> bool:
    """Register the guest as Ann on a node that dies; return whether the node did so before."""
    async with dying_node(valkey) as node:
        dying = Registrations(node.pipeline, NameStore(node.pipeline))
        await node.die(death)
        with suppress(StoreUnavailable):
            return await dying.register(guest.player.id, "Ann", "ann", HASH, "session 7") == "registered"
    return False


async def expect_account(redis: Redis, players: PlayerStore, guest: Identity) -> None:
    """Check that the guest is the account Ann, and that nothing else remains."""
    account = StoredPlayer(guest.player.id, "Ann", "account", guest.player.created)
    assert await players.find(guest.token) == account
    assert await players.id_of("ann") == guest.player.id
    assert await players.id_of("ben") is None
    stored = await redis.keys("*")
    assert len(stored) == 4  # player, name, look and token
    assert {await redis.pttl(key) for key in stored} == {-1}
    assert not await redis.hexists(keys.player(guest.player.id), "unconfirmed")


@pytest.mark.parametrize("death", deaths(STEPS), ids=str)
async def test_the_repeated_command_completes_it(
    valkey: str, redis: Redis, players: PlayerStore, registrations: Registrations, guest: Identity, death: Death
) -> None:
    """Wherever a node dies, the same command on another one registers the player."""
    await die_while_registering(valkey, guest, death)
    outcome = await registrations.register(guest.player.id, "Ann", "ann", HASH, "session 7")
    assert outcome in ("registered", "repeated")
    await expect_account(redis, players, guest)
    assert await registrations.register(guest.player.id, "Ann", "ann", HASH, "session 7") == "repeated"


@pytest.mark.parametrize("death", deaths(STEPS), ids=str)
async def test_the_next_use_of_the_token_completes_it(
    valkey: str, redis: Redis, players: PlayerStore, guest: Identity, death: Death
) -> None:
    """If the command is not repeated, the player is found as the guest or as the complete account."""
    was_registered = await die_while_registering(valkey, guest, death)
    found = await players.find(guest.token)
    if found == guest.player:
        assert not was_registered
        await redis.delete(keys.player_name("ann"), keys.look(skeleton("ann")))  # the reservation, a minute later
        assert await players.create_guest("Ann", "ann") is not None
    else:
        await expect_account(redis, players, guest)


@pytest.mark.parametrize("death", deaths(STEPS), ids=str)
async def test_another_player_gets_the_name(
    valkey: str, redis: Redis, players: PlayerStore, guest: Identity, death: Death
) -> None:
    """If nothing completes it in time, the name is free again and the player the guest: a name has one holder."""
    await die_while_registering(valkey, guest, death)
    if await redis.pttl(keys.player_name("ann")) != -1:  # not confirmed
        await redis.delete(keys.player_name("ann"), keys.look(skeleton("ann")))  # a minute later
    other = await players.create_guest("Ann", "ann")
    found = await players.find(guest.token)
    if other is None:
        await expect_account(redis, players, guest)
    else:
        assert found == guest.player
        assert await players.id_of("ann") == other.player.id
        assert await players.id_of("ben") == guest.player.id
        assert await players.find(other.token) == other.player
        assert await redis.pttl(keys.player(guest.player.id)) > 0
        assert set(await redis.hkeys(keys.player(guest.player.id))).isdisjoint({b"password", b"unconfirmed"})


class LateNames(NameStore):
    """Names whose reservations are half a minute old before they are used."""

    async def reserve(self, folded: str, id: str, *, lookalikes_allowed: bool = False) -> int | None:
        reserved_at = await super().reserve(folded, id, lookalikes_allowed=lookalikes_allowed)
        return None if reserved_at is None else reserved_at - STORE_WITHIN - 1000


async def test_a_late_registration_is_refused(pipeline: Pipeline, redis: Redis, guest: Identity) -> None:
    """A player is not given a name whose reservation may have expired in the meantime."""
    with pytest.raises(StoreUnavailable, match="too slow"):
        await Registrations(pipeline, LateNames(pipeline)).register(guest.player.id, "Ann", "ann", HASH, "session 7")
    assert await redis.hget(keys.player(guest.player.id), "kind") == b"guest"
