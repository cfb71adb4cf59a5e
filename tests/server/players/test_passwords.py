"""Passwords: which are refused, how they are stored, and that hashing does not block the event loop."""

from __future__ import annotations

import asyncio
import threading

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.low_level import Type

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.players.passwords import (
    COMMON,
    DUMMY_HASH,
    LANES,
    MAX_QUEUED,
    MEMORY,
    ROUNDS,
    THREADS,
    Passwords,
    check_password,
)

GOOD = "wooden bishop"


class GatedHasher(PasswordHasher):
    """A real hasher that waits until it is let through."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.open = threading.Event()

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        assert self.open.wait(60)
        return super().hash(password, salt=salt)


@pytest.mark.parametrize(
    "password", [GOOD, "x7$kQ2!m", "пароль мой", "        a b", "1234567890 and more", "🎲" * 6 + "ab"]
)
def test_valid_passwords(password: str) -> None:
    """Any text of eight characters that is not easily guessed is a password."""
    check_password(password, "Ann")


@pytest.mark.parametrize(
    "password",
    ["", "short", "1234567", "aaaaaaaa", "abababab", "12345678", "Password", "password1", "PASSWORD123!", "qwerty12",
     "iloveyou", "Ann Lee-Smith", "annleesmith", "ANN LEE SMITH"],
)  # fmt: skip
def test_weak_passwords(password: str) -> None:
    """Short, common and repetitive passwords, and the player's name, are refused with the rule."""
    with pytest.raises(Refusal, match="A password has at least 8 characters") as refusal:
        check_password(password, "Ann Lee Smith")
    assert refusal.value.code is ErrorCode.PASSWORD_REFUSED


def test_the_list_is_written_as_it_is_compared() -> None:
    """Every common password is in lower case; otherwise it would never match."""
    assert all(word == word.casefold() for word in COMMON)


async def test_hashing_and_verifying() -> None:
    """A hash is Argon2id with a random salt; it matches its password, however that is typed, and no other."""
    passwords = Passwords()
    first, second = await passwords.hash("café au lait"), await passwords.hash("café au lait")
    assert first != second
    made = extract_parameters(first)
    assert (made.type, made.memory_cost, made.time_cost, made.parallelism) == (Type.ID, MEMORY, ROUNDS, LANES)
    assert "lait" not in first
    assert await passwords.verify("café au lait", first)
    assert await passwords.verify("cafe\u0301 au lait", first)
    for wrong in ("", "café au lai", "Café au lait", "x\ud800"):
        assert not await passwords.verify(wrong, first)


async def test_without_a_hash() -> None:
    """Without a hash, verifying takes as much work, with the same parameters, and fails."""
    passwords = Passwords()
    assert extract_parameters(DUMMY_HASH) == extract_parameters(await passwords.hash(GOOD))
    assert not await passwords.verify(GOOD, None)
    assert not await passwords.verify(GOOD, "no hash at all")


async def test_the_event_loop_is_not_blocked() -> None:
    """While a password is hashed, the event loop goes on."""
    hasher = GatedHasher()
    passwords = Passwords(hasher)
    hashing = asyncio.create_task(passwords.hash(GOOD))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not hashing.done()
    hasher.open.set()
    assert await passwords.verify(GOOD, await hashing)


async def test_the_queue_is_limited() -> None:
    """When too many passwords are queued, further ones are refused until the others are done."""
    hasher = GatedHasher()
    passwords = Passwords(hasher)
    waiting = [asyncio.create_task(passwords.hash(GOOD)) for _ in range(MAX_QUEUED)]
    await asyncio.sleep(0)
    with pytest.raises(Refusal, match="Try again") as refusal:
        await passwords.hash(GOOD)
    assert refusal.value.code is ErrorCode.TRY_AGAIN
    names = {thread.name for thread in threading.enumerate() if thread.name.startswith("passwords")}
    assert 0 < len(names) <= THREADS
    hasher.open.set()
    await asyncio.gather(*waiting)
    assert await passwords.hash(GOOD)


async def test_an_old_hash_is_renewed() -> None:
    """Only if it was made with other parameters than today's."""
    passwords = Passwords()
    old = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash("correct horse")
    renewed = await passwords.rehash("correct horse", old)

    assert renewed is not None
    assert await passwords.verify("correct horse", renewed)
    assert await passwords.rehash("correct horse", renewed) is None
