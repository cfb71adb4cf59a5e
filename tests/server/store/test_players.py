"""Players: names, tokens, how long guests are known, and what is told about them."""

from __future__ import annotations

import asyncio
from hashlib import sha256

import pytest
from redis.asyncio import Redis

from parlour.server.store import keys
from parlour.server.store.names import LONGEST, fold
from parlour.server.store.players import KEPT, Player, Players, digest


@pytest.fixture
def players(redis: Redis) -> Players:
    return Players(redis)


async def test_a_guest_is_found_again(players: Players) -> None:
    """Whoever has the token of a guest is that guest; nobody else is."""
    guest = await players.new_guest("Ann")
    assert guest.name == "Ann"
    assert await players.find(guest.token) == Player(guest.id, "Ann", "guest")
    for wrong in ("", "x", guest.token[:-1], guest.token + "A", guest.id, "é\ud800", "A" * 128):
        assert await players.find(wrong) is None


async def test_guests_without_a_wish(players: Players) -> None:
    """Guests who wish for nothing get names, ids and tokens that are all different."""
    guests = [await players.new_guest() for _ in range(50)]
    for part in ("id", "name", "token"):
        assert len({getattr(guest, part) for guest in guests}) == 50
    assert all(len(guest.token) == 43 for guest in guests)


async def test_the_token_is_not_stored(players: Players, redis: Redis) -> None:
    """Redis holds the digest of a token and nothing from which it could be used."""
    guest = await players.new_guest("Ann")
    assert await redis.exists(keys.player_token(sha256(guest.token.encode()).hexdigest()))
    for key in await redis.keys("*"):
        assert guest.token.encode() not in key
        value = await (redis.hgetall(key) if await redis.type(key) == b"hash" else redis.get(key))
        assert guest.token not in repr(value)


@pytest.mark.parametrize(("first", "second"), [("Ann", "ANN"), ("Straße", "STRASSE"), ("Ann Lee", "ann-lee")])
async def test_names_are_unique(players: Players, first: str, second: str) -> None:
    """A name that only looks different is taken; the second guest gets nearly the name wished for."""
    await players.new_guest(first)
    other = await players.new_guest(second)
    assert other.name.startswith(f"{second} ")
    assert other.name.removeprefix(f"{second} ").isdecimal()
    assert fold(other.name) != fold(first)


async def test_a_long_name_stays_within_its_bounds(players: Players) -> None:
    """When the longest name is taken the number still fits."""
    names = {(await players.new_guest("x" * LONGEST)).name for _ in range(15)}
    assert len(names) == 15
    assert max(len(name) for name in names) <= LONGEST


async def test_many_at_once_with_the_same_wish(players: Players) -> None:
    """Guests who come at the same time with the same wish get different names."""
    guests = await asyncio.gather(*(players.new_guest("Ann") for _ in range(20)))
    assert len({fold(guest.name) for guest in guests}) == 20
    assert [guest.name for guest in guests].count("Ann") == 1
    found = await asyncio.gather(*(players.find(guest.token) for guest in guests))
    assert found == [Player(guest.id, guest.name) for guest in guests]


async def test_found_by_name(players: Players) -> None:
    """A player is found by name, whatever its capitals."""
    guest = await players.new_guest("Ann Lee")
    assert await players.named("ann lee") == guest.id
    assert await players.named("bob") is None


async def test_unused_guests_are_forgotten(players: Players, redis: Redis) -> None:
    """A guest is kept for 30 days after the last use, name and all."""
    assert KEPT == 30 * 24 * 3600 * 1000
    guest = await players.new_guest("Ann")
    stored = await redis.keys("*")
    assert len(stored) == 3
    for key in stored:
        assert 0 < await redis.pttl(key) <= KEPT
        await redis.pexpire(key, KEPT // 2)
    assert await players.find(guest.token) is not None
    for key in stored:
        assert await redis.pttl(key) > KEPT * 0.99
        await redis.pexpire(key, 0)
    assert await players.find(guest.token) is None
    assert (await players.new_guest("Ann")).name == "Ann"


async def test_a_guest_half_gone_is_gone(players: Players, redis: Redis) -> None:
    """A token whose player is not there any more finds nobody."""
    guest = await players.new_guest("Ann")
    await redis.delete(keys.player(guest.id))
    assert await players.find(guest.token) is None


async def test_when_a_token_was_used(players: Players, redis: Redis) -> None:
    """To be found counts as use, at most once in an hour."""
    guest = await players.new_guest("Ann")
    key, field = keys.player(guest.id), f"token:{digest(guest.token)}"
    made = await redis.hget(key, field)
    assert await players.find(guest.token) is not None
    assert await redis.hget(key, field) == made
    await redis.hset(key, field, "1000 2000")
    assert await players.find(guest.token) is not None
    assert isinstance(made, bytes)
    first, last = map(int, (await redis.hget(key, field) or b"").split())
    assert first == 1000
    assert last >= int(made.split()[1])


async def test_cards(players: Players, redis: Redis) -> None:
    """Many players are described in one question, in order, with nothing for those who are not known."""
    ann, ben = await players.new_guest("Ann"), await players.new_guest("Ben")
    one, nobody, other, again = await players.cards([ben.id, "x", ann.id, ben.id])
    assert nobody is None
    assert one is not None
    assert other is not None
    assert (one.id, one.name, one.kind, one.owner) == (ben.id, "Ben", "guest", None)
    assert other.name == "Ann"
    assert again == one
    seconds, _ = await redis.time()
    assert abs(one.since / 1000 - seconds) < 3600
    assert await players.cards([]) == []
