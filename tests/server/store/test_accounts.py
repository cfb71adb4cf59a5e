"""The store of accounts: unique names, tokens that are revoked, and bots."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import pytest
from redis.asyncio import Redis

from parlour.server.players.lookalikes import skeleton
from parlour.server.store.accounts import (
    MAX_BOTS,
    MAX_LIMITED_TOKENS,
    MAX_TOKENS,
    Account,
    AccountStore,
    NewBot,
    NewToken,
)
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.players import Identity, PlayerStore, StoredPlayer, digest
from tests.server.dying_node import Death, deaths, dying_node

keys = Keys()

HASH = "hash of a password"


@pytest.fixture
def players(pipeline: Pipeline) -> PlayerStore:
    return PlayerStore(pipeline)


@pytest.fixture
def accounts(pipeline: Pipeline) -> AccountStore:
    return AccountStore(pipeline)


@pytest.fixture
async def ann(players: PlayerStore, accounts: AccountStore) -> Identity:
    """A player with an account, and the token from when the player was a guest."""
    guest = await create_guest(players, "Before")
    assert await accounts.register(guest.player.id, "Ann", "ann", HASH, "session 7") == "registered"
    return Identity(as_account(guest, "Ann"), guest.token)


def as_account(guest: Identity, name: str) -> StoredPlayer:
    """Return a guest after registration."""
    return StoredPlayer(guest.player.id, name, "account", guest.player.created)


async def create_guest(players: PlayerStore, name: str) -> Identity:
    guest = await players.create_guest(name, name.lower())
    assert guest is not None
    return guest


async def create_bot(accounts: AccountStore, owner: Identity, name: str) -> NewBot:
    bot = await accounts.create_bot(owner.player.id, name, name.lower())
    assert isinstance(bot, NewBot)
    return bot


async def find(accounts: AccountStore, folded: str) -> Account:
    account = await accounts.find(folded)
    assert account is not None
    return account


async def sign_in(accounts: AccountStore, folded: str) -> NewToken:
    issued = await accounts.sign_in(await find(accounts, folded))
    assert issued is not None
    return issued


async def contents(redis: Redis) -> dict[Any, Any]:
    """Return everything that is stored, by key."""
    read: dict[Any, Any] = {b"hash": redis.hgetall, b"set": redis.smembers, b"string": redis.get}
    return {key: await read[await redis.type(key)](key) for key in await redis.keys("*")}


# -- names


async def test_a_guest_becomes_an_account(players: PlayerStore, accounts: AccountStore, redis: Redis) -> None:
    """The player and the token stay valid, nothing expires any more, and the old name is free."""
    guest = await create_guest(players, "Ben")
    assert await accounts.register(guest.player.id, "Ann", "ann", HASH, "session 7") == "registered"
    assert await players.find(guest.token) == as_account(guest, "Ann")
    assert await accounts.find("ann") == Account(guest.player.id, "Ann", HASH)
    assert await players.id_of("ben") is None
    assert {await redis.pttl(key) for key in await redis.keys("*")} == {-1}
    assert await players.find(guest.token) is not None
    assert {await redis.pttl(key) for key in await redis.keys("*")} == {-1}


async def test_a_guest_can_keep_the_name(players: PlayerStore, accounts: AccountStore) -> None:
    """A guest can register with the current name, also in a different case."""
    guest = await create_guest(players, "ann")
    assert await accounts.register(guest.player.id, "Ann", "ann", HASH, "session 7") == "registered"
    assert await players.find(guest.token) == as_account(guest, "Ann")
    assert await players.id_of("ann") == guest.player.id


async def test_registering_is_idempotent(ann: Identity, accounts: AccountStore, redis: Redis) -> None:
    """Repeating the same command changes nothing; a different command is refused."""
    before = await contents(redis)
    assert await accounts.register(ann.player.id, "Ann", "ann", "another hash", "session 7") == "repeated"
    assert await accounts.register(ann.player.id, "Ann", "ann", HASH, "session 8") == "already_registered"
    assert await accounts.register(ann.player.id, "Berta", "berta", HASH, "session 7") == "repeated"
    assert await contents(redis) == before


@pytest.mark.usefixtures("ann")
async def test_a_taken_name_is_refused(players: PlayerStore, accounts: AccountStore, redis: Redis) -> None:
    """A guest cannot register with the name of an account or of another guest, and stays unchanged."""
    ben, carl = await create_guest(players, "Ben"), await create_guest(players, "Carl")
    before = await contents(redis)
    assert await accounts.register(ben.player.id, "ANN", "ann", HASH, "session 1") == "name_taken"
    assert await accounts.register(ben.player.id, "carl", "carl", HASH, "session 2") == "name_taken"
    assert await contents(redis) == before
    assert await players.find(carl.token) == carl.player


async def test_two_nodes_race_for_a_name(valkey: str, players: PlayerStore, accounts: AccountStore) -> None:
    """Of many guests who register the same name at once on two nodes, one gets it."""
    second = Pipeline(valkey)
    await second.open()
    nodes = accounts, AccountStore(second)
    guests = [await create_guest(players, f"guest {number}") for number in range(20)]
    registrations = [
        nodes[number % 2].register(guest.player.id, "ANN" if number % 3 else "Ann", "ann", HASH, f"session {number}")
        for number, guest in enumerate(guests)
    ]
    outcomes = await asyncio.gather(*registrations)
    assert sorted(set(outcomes)) == ["name_taken", "registered"]
    assert outcomes.count("registered") == 1
    winner = guests[outcomes.index("registered")]
    assert (await find(accounts, "ann")).id == winner.player.id
    kinds = [each.kind for each in await players.get([guest.player.id for guest in guests]) if each is not None]
    assert sorted(kinds) == ["account"] + ["guest"] * 19
    await second.close()


async def test_a_deleted_guest_cannot_register(players: PlayerStore, accounts: AccountStore, redis: Redis) -> None:
    """Registering after signing out is refused and stores nothing."""
    guest = await create_guest(players, "Ben")
    await accounts.sign_out(guest.player.id, None)
    assert await accounts.register(guest.player.id, "Ann", "ann", HASH, "session 1") == "player_unknown"
    assert await contents(redis) == {}


async def test_guests_and_bots_have_no_account(ann: Identity, players: PlayerStore, accounts: AccountStore) -> None:
    """Guests and bots have no password and are not found as accounts."""
    guest = await create_guest(players, "Ben")
    await create_bot(accounts, ann, "Robbie")
    assert await accounts.find("ben") is None
    assert await accounts.find("robbie") is None
    assert await accounts.find("unknown") is None
    assert await accounts.get(guest.player.id) is None
    assert await accounts.get(ann.player.id) == Account(ann.player.id, "Ann", HASH)


# -- tokens


async def test_several_devices(ann: Identity, players: PlayerStore, accounts: AccountStore, redis: Redis) -> None:
    """Each sign-in issues another token for the same player, and no token is stored."""
    issued = await sign_in(accounts, "ann")
    assert issued.revoked == ()
    assert issued.token != ann.token
    for token in (issued.token, ann.token):
        assert await players.find(token) == ann.player
        assert await accounts.check_token(ann.player.id, token) == (ann.player, True)
        assert token not in repr(await contents(redis))


async def test_the_least_recently_used_token_is_revoked(
    ann: Identity, players: PlayerStore, accounts: AccountStore, redis: Redis
) -> None:
    """With too many devices, the one that was unused for the longest time is signed out."""
    tokens = [ann.token]
    for number in range(MAX_TOKENS - 1):
        issued = await sign_in(accounts, "ann")
        assert issued.revoked == ()
        tokens.append(issued.token)
        await redis.hset(keys.player(ann.player.id), f"token:{digest(issued.token)}", f"{number} {number + 5}")
    await redis.hset(keys.player(ann.player.id), f"token:{digest(tokens[7])}", "900 1")
    issued = await sign_in(accounts, "ann")
    assert issued.revoked == (digest(tokens[7]),)
    valid = [token for token in (*tokens, issued.token) if await players.find(token) is not None]
    assert valid == [*tokens[:7], *tokens[8:], issued.token]


async def test_a_password_that_changes_concurrently(ann: Identity, accounts: AccountStore, redis: Redis) -> None:
    """A sign-in whose password was checked before a change gets no token, and a second change fails."""
    old = await find(accounts, "ann")
    await accounts.change_password(old, "new hash", ann.token)
    before = await contents(redis)
    assert await accounts.sign_in(old) is None
    assert await accounts.change_password(old, "other hash", ann.token) is None
    assert await contents(redis) == before


async def test_changing_the_password_revokes_other_tokens(
    ann: Identity, players: PlayerStore, accounts: AccountStore
) -> None:
    """Only the device that changed the password stays signed in."""
    issued = await sign_in(accounts, "ann")
    revoked = await accounts.change_password(await find(accounts, "ann"), "new hash", ann.token)
    assert revoked == (digest(issued.token),)
    assert await players.find(issued.token) is None
    assert await players.find(ann.token) is not None
    assert (await find(accounts, "ann")).password_hash == "new hash"


async def test_signing_out(ann: Identity, players: PlayerStore, accounts: AccountStore) -> None:
    """Signing out revokes one token or all of them; the account stays."""
    token = (await sign_in(accounts, "ann")).token
    assert await accounts.sign_out(ann.player.id, token) == (digest(token),)
    assert await accounts.sign_out(ann.player.id, token) == ()
    assert await players.find(token) is None
    assert await accounts.check_token(ann.player.id, token) == (ann.player, False)
    assert await players.find(ann.token) is not None
    assert await accounts.sign_out(ann.player.id, None) == (digest(ann.token),)
    assert await players.find(ann.token) is None
    assert await accounts.find("ann") is not None


async def test_a_guest_signs_out(players: PlayerStore, accounts: AccountStore, redis: Redis) -> None:
    """Signing out deletes a guest completely, and the name is free at once."""
    guest = await create_guest(players, "Ben")
    assert await accounts.sign_out(guest.player.id, guest.token) == (digest(guest.token),)
    assert await contents(redis) == {}


async def test_the_token_of_another_player(ann: Identity, players: PlayerStore, accounts: AccountStore) -> None:
    """A token is valid for one player only, and no other player can revoke it."""
    guest = await create_guest(players, "Ben")
    assert await accounts.check_token(ann.player.id, guest.token) == (ann.player, False)
    assert await accounts.check_token("unknown", guest.token) is None
    assert await accounts.sign_out(ann.player.id, guest.token) == ()
    assert await players.find(guest.token) is not None


# -- bots


async def test_a_bot(ann: Identity, players: PlayerStore, accounts: AccountStore) -> None:
    """A bot is a player with an owner and a separate token."""
    bot = await create_bot(accounts, ann, "Robbie")
    assert (bot.name, bot.revoked) == ("Robbie", ())
    found = await players.find(bot.token)
    assert found is not None
    assert (found.id, found.name, found.kind, found.owner) == (bot.id, "Robbie", "bot", ann.player.id)
    assert await players.get([bot.id]) == [found]
    assert await players.bots(ann.player.id) == [bot.id]
    assert await players.bots(bot.id) == []


async def test_a_new_token_for_a_bot(ann: Identity, players: PlayerStore, accounts: AccountStore) -> None:
    """Creating an existing bot again replaces its token; the player stays the same."""
    bot, again = await create_bot(accounts, ann, "Robbie"), await create_bot(accounts, ann, "ROBBIE")
    assert (again.id, again.name, again.revoked) == (bot.id, "Robbie", (digest(bot.token),))
    assert await players.find(bot.token) is None
    found = await players.find(again.token)
    assert found is not None
    assert (found.id, found.name) == (bot.id, "Robbie")


async def test_who_can_have_bots(ann: Identity, players: PlayerStore, accounts: AccountStore) -> None:
    """Only accounts can have bots, and a bot cannot have the name of another player or another owner's bot."""
    guest = await create_guest(players, "Ben")
    bot = await create_bot(accounts, ann, "Robbie")
    assert await accounts.create_bot(guest.player.id, "Robot", "robot") == "not_an_account"
    assert await accounts.create_bot(bot.id, "Robot", "robot") == "not_an_account"
    assert await accounts.create_bot(ann.player.id, "ben", "ben") == "name_taken"
    assert await accounts.create_bot(ann.player.id, "Ann", "ann") == "name_taken"
    await accounts.register(guest.player.id, "Ben", "ben", HASH, "session 1")
    assert await accounts.create_bot(guest.player.id, "Robbie", "robbie") == "name_taken"


async def test_the_number_of_bots_is_limited(ann: Identity, players: PlayerStore, accounts: AccountStore) -> None:
    """Concurrent requests cannot exceed the limit; existing bots can still get new tokens."""
    names = [f"Robbie {number}" for number in range(MAX_BOTS + 5)]
    created = await asyncio.gather(*(accounts.create_bot(ann.player.id, name, name.lower()) for name in names))
    assert created.count("too_many") == 5
    assert len(await players.bots(ann.player.id)) == MAX_BOTS
    existing = next(bot for bot in created if isinstance(bot, NewBot))
    assert (await create_bot(accounts, ann, existing.name)).id == existing.id


# -- nodes that die


@pytest.mark.parametrize("death", deaths(8), ids=str)
async def test_a_node_dies_while_it_creates_a_bot(
    valkey: str, redis: Redis, ann: Identity, players: PlayerStore, accounts: AccountStore, death: Death
) -> None:
    """The same command on another node creates the same bot; until then, only a reservation blocks the name."""
    async with dying_node(valkey) as node:
        dying = AccountStore(node.pipeline)
        await node.die(death)
        with suppress(StoreUnavailable):
            await dying.create_bot(ann.player.id, "Robbie", "robbie")
    bot = await create_bot(accounts, ann, "Robbie")
    assert await players.bots(ann.player.id) == [bot.id]
    assert await players.id_of("robbie") == bot.id
    found = await players.find(bot.token)
    assert found is not None
    assert (found.id, found.kind, found.owner) == (bot.id, "bot", ann.player.id)
    assert await redis.pttl(keys.player_name("robbie")) == -1
    fields = {b"kind", b"name", b"folded", b"owner", b"created", f"token:{digest(bot.token)}".encode()}
    assert set(await redis.hkeys(keys.player(bot.id))) == fields


@pytest.mark.parametrize("death", deaths(8), ids=str)
async def test_another_player_takes_the_name_of_a_bot(
    valkey: str, redis: Redis, ann: Identity, players: PlayerStore, accounts: AccountStore, death: Death
) -> None:
    """If a node dies before the name is confirmed, another player can get it, and then the bot is not created."""
    async with dying_node(valkey) as node:
        dying = AccountStore(node.pipeline)
        await node.die(death)
        with suppress(StoreUnavailable):
            await dying.create_bot(ann.player.id, "Robbie", "robbie")
    if await redis.pttl(keys.player_name("robbie")) == -1:
        return  # the bot is complete
    await redis.delete(keys.player_name("robbie"), keys.look(skeleton("robbie")))  # a minute later
    other = await create_guest(players, "Robbie")
    assert await accounts.create_bot(ann.player.id, "Robbie", "robbie") == "name_taken"
    assert await players.bots(ann.player.id) == []
    assert await players.id_of("robbie") == other.player.id


@pytest.mark.parametrize("death", deaths(4), ids=str)
async def test_a_node_dies_while_a_guest_signs_out(
    valkey: str, players: PlayerStore, accounts: AccountStore, death: Death
) -> None:
    """The guest is either unchanged or gone; the name of one who is gone is free at once."""
    guest = await create_guest(players, "Ben")
    async with dying_node(valkey) as node:
        dying = AccountStore(node.pipeline)
        await node.die(death)
        with suppress(StoreUnavailable):
            await dying.sign_out(guest.player.id, guest.token)
    if await players.find(guest.token) is None:
        assert await players.create_guest("Ben", "ben") is not None
    else:
        assert await players.create_guest("Ben", "ben") is None
    await accounts.sign_out(guest.player.id, guest.token)
    assert await players.find(guest.token) is None


@pytest.mark.parametrize("death", deaths(4), ids=str)
async def test_a_node_dies_while_a_password_is_changed(
    valkey: str, ann: Identity, players: PlayerStore, accounts: AccountStore, death: Death
) -> None:
    """With the new password, no other token is valid any more."""
    account, issued = await find(accounts, "ann"), await sign_in(accounts, "ann")
    async with dying_node(valkey) as node:
        dying = AccountStore(node.pipeline)
        await node.die(death)
        with suppress(StoreUnavailable):
            await dying.change_password(account, "new hash", ann.token)
    is_changed = (await find(accounts, "ann")).password_hash == "new hash"
    assert (await players.find(issued.token) is None) == is_changed
    assert await players.find(ann.token) is not None


@pytest.mark.parametrize("death", deaths(4), ids=str)
async def test_a_node_dies_while_a_player_signs_in(
    valkey: str, ann: Identity, players: PlayerStore, accounts: AccountStore, death: Death
) -> None:
    """A token that the player did not receive harms none of the others, and another sign-in issues one."""
    async with dying_node(valkey) as node:
        dying = AccountStore(node.pipeline)
        await node.die(death)
        with suppress(StoreUnavailable):
            await dying.sign_in(await find(accounts, "ann"))
    issued = await sign_in(accounts, "ann")
    assert issued.revoked == ()
    assert await players.find(issued.token) == await players.find(ann.token) == ann.player


async def test_limited_tokens_are_counted_by_themselves(
    ann: Identity, players: PlayerStore, accounts: AccountStore
) -> None:
    """Too many revoke the oldest of them and no other, signing in revokes none, and their scopes are known."""
    issued = [await accounts.create_token(ann.player.id, ("play", "read")) for _ in range(MAX_LIMITED_TOKENS + 1)]
    made = [each for each in issued if each is not None]
    assert [len(each.revoked) for each in made] == [0] * MAX_LIMITED_TOKENS + [1]
    for _ in range(MAX_TOKENS + 1):
        await sign_in(accounts, "ann")
    found = [await players.find(each.token) for each in made]
    assert [player.scopes for player in found if player is not None] == [("play", "read")] * MAX_LIMITED_TOKENS
    guest = await create_guest(players, "Guest")
    assert await accounts.create_token(guest.player.id, ("play",)) is None
