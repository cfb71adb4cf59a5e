"""Accounts in the store: one name for one player whatever races, tokens that end, bots."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from redis.asyncio import Redis

from parlour.server.store import keys
from parlour.server.store.accounts import MOST_BOTS, MOST_TOKENS, Account, Accounts, MadeBot
from parlour.server.store.connection import client
from parlour.server.store.pipe import Pipe
from parlour.server.store.players import Guest, Player, Players, digest

HASH = "hash of a password"


@pytest.fixture
def players(redis: Redis) -> Players:
    return Players(redis)


@pytest.fixture
def accounts(redis: Redis, pipe: Pipe) -> Accounts:
    return Accounts(redis, pipe)


@pytest.fixture
async def ann(players: Players, accounts: Accounts) -> Guest:
    """Somebody with an account: the guest who made it."""
    guest = await players.new_guest()
    assert await accounts.register(guest.id, "Ann", HASH, 7) == "done"
    return guest


async def account(accounts: Accounts, name: str) -> Account:
    found = await accounts.find(name)
    assert found is not None
    return found


async def everything(redis: Redis) -> dict[Any, Any]:
    """All that is stored, by key."""
    read: dict[Any, Any] = {b"hash": redis.hgetall, b"set": redis.smembers, b"string": redis.get}
    return {key: await read[await redis.type(key)](key) for key in await redis.keys("*")}


# -- names


async def test_a_guest_becomes_an_account(players: Players, accounts: Accounts, redis: Redis) -> None:
    """The player stays, the token too, nothing expires any more, and the old name is free."""
    guest = await players.new_guest("Ben")
    assert await accounts.register(guest.id, "Ann", HASH, 7) == "done"
    assert await players.find(guest.token) == Player(guest.id, "Ann", "account")
    assert await accounts.find("ANN") == Account(guest.id, "Ann", HASH)
    assert await players.named("Ben") is None
    assert {await redis.pttl(key) for key in await redis.keys("*")} == {-1}
    assert await players.find(guest.token) is not None
    assert {await redis.pttl(key) for key in await redis.keys("*")} == {-1}


async def test_the_own_name_can_be_kept(players: Players, accounts: Accounts) -> None:
    """A guest who likes the name keeps it, also with other capitals."""
    guest = await players.new_guest("ann")
    assert await accounts.register(guest.id, "Ann", HASH, 7) == "done"
    assert await players.find(guest.token) == Player(guest.id, "Ann", "account")
    assert await players.named("ann") == guest.id


async def test_the_same_command_finds_it_done(ann: Guest, accounts: Accounts, redis: Redis) -> None:
    """Registering again with the same command changes nothing; with another one it is refused."""
    before = await everything(redis)
    assert await accounts.register(ann.id, "Ann", "another hash", 7) == "done"
    assert await accounts.register(ann.id, "Ann", HASH, 8) == "already"
    assert await accounts.register(ann.id, "Berta", HASH, 7) == "already"
    assert await everything(redis) == before


async def test_a_name_is_taken(ann: Guest, players: Players, accounts: Accounts, redis: Redis) -> None:
    """Nobody gets the name of another player, guest or not, and whoever tries stays as he was."""
    other, third = await players.new_guest("Ben"), await players.new_guest("Carl")
    before = await everything(redis)
    assert await accounts.register(other.id, "ANN", HASH, 1) == "taken"
    assert await accounts.register(other.id, "carl", HASH, 2) == "taken"
    assert await everything(redis) == before
    assert await players.find(third.token) == Player(third.id, "Carl", "guest")


async def test_two_nodes_race_for_a_name(valkey: str, players: Players, accounts: Accounts, pipe: Pipe) -> None:
    """Of many who claim a name at once through two nodes, in whatever capitals, one gets it."""
    second = client(valkey)
    nodes = accounts, Accounts(second, pipe)
    guests = [await players.new_guest() for _ in range(20)]
    claims = [
        nodes[number % 2].register(guest.id, "ANN" if number % 3 else "Ann", HASH, number)
        for number, guest in enumerate(guests)
    ]
    answers = await asyncio.gather(*claims)
    assert sorted(set(answers)) == ["done", "taken"]
    assert answers.count("done") == 1
    winner = guests[answers.index("done")]
    assert (await account(accounts, "ann")).id == winner.id
    kinds = [card.kind for card in await players.cards([guest.id for guest in guests]) if card is not None]
    assert sorted(kinds) == ["account"] + ["guest"] * 19
    await second.aclose()


async def test_a_guest_who_is_gone_cannot_register(players: Players, accounts: Accounts, redis: Redis) -> None:
    """Nothing is made of somebody who has signed out."""
    guest = await players.new_guest()
    await accounts.sign_out(guest.id, None)
    assert await accounts.register(guest.id, "Ann", HASH, 1) == "gone"
    assert await everything(redis) == {}


async def test_only_accounts_are_found(ann: Guest, players: Players, accounts: Accounts) -> None:
    """Guests and bots have no password, so nobody can sign in as one of them."""
    guest = await players.new_guest("Ben")
    await accounts.make_bot(ann.id, "Robbie")
    assert await accounts.find("Ben") is None
    assert await accounts.find("Robbie") is None
    assert await accounts.find("nobody") is None
    assert await accounts.get(guest.id) is None
    assert await accounts.get(ann.id) == Account(ann.id, "Ann", HASH)


# -- tokens


async def test_several_devices(ann: Guest, players: Players, accounts: Accounts, redis: Redis) -> None:
    """Each sign-in gives another token for the same player, and none of them is stored."""
    signed_in = await accounts.sign_in(await account(accounts, "Ann"))
    assert signed_in is not None
    token, ended = signed_in
    assert ended == ()
    assert token != ann.token
    for each in (token, ann.token):
        assert await players.find(each) == Player(ann.id, "Ann", "account")
        assert await accounts.recheck(ann.id, each) == (Player(ann.id, "Ann", "account"), True)
        assert each not in repr(await everything(redis))


async def test_the_least_used_token_ends(ann: Guest, players: Players, accounts: Accounts, redis: Redis) -> None:
    """With too many devices the one that was not used for longest is signed out."""
    tokens = [ann.token]
    for number in range(MOST_TOKENS - 1):
        signed_in = await accounts.sign_in(await account(accounts, "Ann"))
        assert signed_in is not None
        assert signed_in[1] == ()
        tokens.append(signed_in[0])
        await redis.hset(keys.player(ann.id), f"token:{digest(signed_in[0])}", f"{number} {number + 5}")
    await redis.hset(keys.player(ann.id), f"token:{digest(tokens[7])}", "900 1")
    signed_in = await accounts.sign_in(await account(accounts, "Ann"))
    assert signed_in is not None
    assert signed_in[1] == (digest(tokens[7]),)
    valid = [token for token in (*tokens, signed_in[0]) if await players.find(token) is not None]
    assert valid == [*tokens[:7], *tokens[8:], signed_in[0]]


async def test_a_password_changed_meanwhile(ann: Guest, accounts: Accounts, redis: Redis) -> None:
    """Whoever gave the old password in the moment it was changed gets no token."""
    old = await account(accounts, "Ann")
    await accounts.change_password(old, "new hash", ann.token)
    before = await everything(redis)
    assert await accounts.sign_in(old) is None
    assert await accounts.change_password(old, "other hash", ann.token) is None
    assert await everything(redis) == before


async def test_changing_the_password_ends_the_other_tokens(ann: Guest, players: Players, accounts: Accounts) -> None:
    """The device that changed it stays signed in, and no other."""
    signed_in = await accounts.sign_in(await account(accounts, "Ann"))
    assert signed_in is not None
    assert await accounts.change_password(await account(accounts, "Ann"), "new hash", ann.token) == (
        digest(signed_in[0]),
    )
    assert await players.find(signed_in[0]) is None
    assert await players.find(ann.token) is not None
    assert (await account(accounts, "Ann")).password == "new hash"


async def test_signing_out(ann: Guest, players: Players, accounts: Accounts) -> None:
    """One token ends, or all of them; the account stays."""
    signed_in = await accounts.sign_in(await account(accounts, "Ann"))
    assert signed_in is not None
    assert await accounts.sign_out(ann.id, signed_in[0]) == (digest(signed_in[0]),)
    assert await accounts.sign_out(ann.id, signed_in[0]) == ()
    assert await players.find(signed_in[0]) is None
    assert await accounts.recheck(ann.id, signed_in[0]) == (Player(ann.id, "Ann", "account"), False)
    assert await players.find(ann.token) is not None
    assert await accounts.sign_out(ann.id, None) == (digest(ann.token),)
    assert await players.find(ann.token) is None
    assert await accounts.find("Ann") is not None


async def test_a_guest_signs_out(players: Players, accounts: Accounts, redis: Redis) -> None:
    """A guest leaves nothing behind, and the name is free at once."""
    guest = await players.new_guest("Ben")
    assert await accounts.sign_out(guest.id, guest.token) == (digest(guest.token),)
    assert await everything(redis) == {}


async def test_the_token_of_another(ann: Guest, players: Players, accounts: Accounts) -> None:
    """A token is that of one player only."""
    guest = await players.new_guest("Ben")
    assert await accounts.recheck(ann.id, guest.token) == (Player(ann.id, "Ann", "account"), False)
    assert await accounts.recheck("nobody", guest.token) is None
    assert await accounts.sign_out(ann.id, guest.token) == ()
    assert await players.find(guest.token) is not None


# -- bots


async def test_a_bot(ann: Guest, players: Players, accounts: Accounts) -> None:
    """A bot is a player with an owner and a token of its own."""
    bot = await accounts.make_bot(ann.id, "Robbie")
    assert isinstance(bot, MadeBot)
    assert (bot.name, bot.ended) == ("Robbie", ())
    assert await players.find(bot.token) == Player(bot.id, "Robbie", "bot")
    (card,) = await players.cards([bot.id])
    assert card is not None
    assert (card.kind, card.owner) == ("bot", ann.id)
    assert await players.bots(ann.id) == [bot.id]
    assert await players.bots(bot.id) == []


async def test_a_new_token_for_a_bot(ann: Guest, players: Players, accounts: Accounts) -> None:
    """To make a bot again ends the token it had; it stays the same player."""
    bot, again = await accounts.make_bot(ann.id, "Robbie"), await accounts.make_bot(ann.id, "ROBBIE")
    assert isinstance(bot, MadeBot)
    assert isinstance(again, MadeBot)
    assert (again.id, again.name, again.ended) == (bot.id, "Robbie", (digest(bot.token),))
    assert await players.find(bot.token) is None
    assert await players.find(again.token) == Player(bot.id, "Robbie", "bot")


async def test_who_can_have_bots(ann: Guest, players: Players, accounts: Accounts) -> None:
    """Accounts of people, up to a number; the names of others, and of others' bots, are taken."""
    guest = await players.new_guest("Ben")
    bot = await accounts.make_bot(ann.id, "Robbie")
    assert isinstance(bot, MadeBot)
    assert await accounts.make_bot(guest.id, "Robot") == "guest"
    assert await accounts.make_bot(bot.id, "Robot") == "guest"
    assert await accounts.make_bot(ann.id, "ben") == "taken"
    assert await accounts.make_bot(ann.id, "Ann") == "taken"
    await accounts.register(guest.id, "Ben", HASH, 1)
    assert await accounts.make_bot(guest.id, "Robbie") == "taken"


async def test_most_bots(ann: Guest, players: Players, accounts: Accounts) -> None:
    """Many who make bots at once do not make more than allowed; those there are can still get tokens."""
    made = await asyncio.gather(*(accounts.make_bot(ann.id, f"Robbie {number}") for number in range(MOST_BOTS + 5)))
    assert made.count("full") == 5
    assert len(await players.bots(ann.id)) == MOST_BOTS
    names = [bot.name for bot in made if isinstance(bot, MadeBot)]
    assert isinstance(await accounts.make_bot(ann.id, names[0]), MadeBot)
