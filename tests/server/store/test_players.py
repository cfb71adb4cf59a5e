"""Guests: names, tokens, and how long they are known."""

from __future__ import annotations

import asyncio
from hashlib import sha256

import pytest
from redis.asyncio import Redis

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.store import keys
from parlour.server.store.players import KEPT, Player, Players, fold


@pytest.fixture
def players(redis: Redis) -> Players:
    return Players(redis)


async def test_a_guest_is_found_again(players: Players) -> None:
    """Whoever has the token of a guest is that guest; nobody else is."""
    guest = await players.new_guest("Ann")
    assert guest.name == "Ann"
    assert await players.find(guest.token) == Player(guest.id, "Ann")
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


@pytest.mark.parametrize(
    ("first", "second"),
    [("Ann", "ANN"), ("Straße", "STRASSE"), ("Jose\u0301", "José"), ("Ann Lee", "ann  lee"), ("Ａｎｎ", "ann")],
)
async def test_names_are_unique(players: Players, first: str, second: str) -> None:
    """A name that only looks different is taken; the second guest gets nearly the name wished for."""
    await players.new_guest(first)
    other = await players.new_guest(second)
    wished = " ".join(second.split())
    assert other.name.startswith(f"{wished} ")
    assert other.name.removeprefix(f"{wished} ").isdecimal()
    assert fold(other.name) != fold(first)


async def test_a_long_name_stays_within_its_bounds(players: Players) -> None:
    """When the longest name is taken the number still fits."""
    names = {(await players.new_guest("x" * 32)).name for _ in range(15)}
    assert len(names) == 15
    assert max(len(name) for name in names) <= 32


async def test_many_at_once_with_the_same_wish(players: Players) -> None:
    """Guests who come at the same time with the same wish get different names."""
    guests = await asyncio.gather(*(players.new_guest("Ann") for _ in range(20)))
    assert len({fold(guest.name) for guest in guests}) == 20
    assert [guest.name for guest in guests].count("Ann") == 1
    found = await asyncio.gather(*(players.find(guest.token) for guest in guests))
    assert found == [Player(guest.id, guest.name) for guest in guests]


@pytest.mark.parametrize("wish", ["", " ", "\n", "a\u200bb", "a\u202eb", "a\x00b", "\u2066", "x" * 33, "a\ud800"])
async def test_a_wish_that_is_no_name(players: Players, redis: Redis, wish: str) -> None:
    """What cannot be seen, or is empty or too long, is refused, and nothing is stored."""
    with pytest.raises(Refusal, match="A name has 1 to 32 characters") as refusal:
        await players.new_guest(wish)
    assert refusal.value.code is ErrorCode.TEXT_REFUSED
    assert await redis.dbsize() == 0


async def test_names_in_other_scripts(players: Players) -> None:
    """Names may be written in any script, with spaces tidied."""
    for wish in ("Žofie", "祝你好运", "محمد", "Анна  К.", " 🎲 "):
        guest = await players.new_guest(wish)
        assert guest.name == " ".join(wish.split())
        assert await players.find(guest.token) == Player(guest.id, guest.name)


async def test_found_by_name(players: Players) -> None:
    """A player is found by name, whatever its capitals."""
    guest = await players.new_guest("Ann Lee")
    assert await players.named("ann lee") == guest.id
    assert await players.named("bob") is None


async def test_unused_guests_are_forgotten(players: Players, redis: Redis) -> None:
    """A guest is kept for 30 days after the last use, name and all."""
    guest = await players.new_guest("Ann")
    stored = await redis.keys("*")
    assert len(stored) == 3
    for key in stored:
        assert 0 < await redis.pttl(key) <= KEPT
        await redis.pexpire(key, KEPT // 2)
    assert await players.find(guest.token) is not None
    for key in stored:
        assert await redis.pttl(key) > KEPT * 0.99
        await redis.pexpire(key, 1)
    await asyncio.sleep(0.01)
    assert await players.find(guest.token) is None
    assert (await players.new_guest("Ann")).name == "Ann"


async def test_a_guest_half_gone_is_gone(players: Players, redis: Redis) -> None:
    """A token whose player is not there any more finds nobody."""
    guest = await players.new_guest("Ann")
    await redis.delete(keys.player(guest.id))
    assert await players.find(guest.token) is None
