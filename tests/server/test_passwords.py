"""Passwords: which are refused, how they are kept, and that hashing them holds nobody up."""

from __future__ import annotations

import asyncio
import threading

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.low_level import Type

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server import passwords
from parlour.server.passwords import COMMON, LANES, MEMORY, MOST_WAITING, TIMES, Passwords, check_password

GOOD = "wooden bishop"


class Gate(PasswordHasher):
    """Hashes for real, once it is let through."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.open = threading.Event()

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        assert self.open.wait(60)
        return super().hash(password, salt=salt)


@pytest.mark.parametrize(
    "password", [GOOD, "x7$kQ2!m", "пароль мой", "        a b", "1234567890 and more", "🎲" * 6 + "ab"]
)
def test_passwords(password: str) -> None:
    """Anything of eight characters that is not easily guessed is a password."""
    check_password(password, "Ann")


@pytest.mark.parametrize(
    "password",
    ["", "short", "1234567", "aaaaaaaa", "abababab", "12345678", "Password", "password1", "PASSWORD123!", "qwerty12",
     "iloveyou", "Ann Lee-Smith", "annleesmith", "ANN LEE SMITH"],
)  # fmt: skip
def test_what_is_no_password(password: str) -> None:
    """What is short, common, one letter again and again, or the name, is refused with what would be right."""
    with pytest.raises(Refusal, match="A password has at least 8 characters") as refusal:
        check_password(password, "Ann Lee Smith")
    assert refusal.value.code is ErrorCode.PASSWORD_REFUSED


def test_the_list_is_written_as_it_is_compared() -> None:
    """A word with capitals, or with digits to be taken away, would be looked up in another form."""
    assert all(word == word.casefold() for word in COMMON)


async def test_kept_and_compared() -> None:
    """The hash is Argon2id with a salt of its own; it fits its password, however that is typed, and no other."""
    kept = Passwords()
    first, second = await kept.hash("café au lait"), await kept.hash("café au lait")
    assert first != second
    made = extract_parameters(first)
    assert (made.type, made.memory_cost, made.time_cost, made.parallelism) == (Type.ID, MEMORY, TIMES, LANES)
    assert "lait" not in first
    assert await kept.fits("café au lait", first)
    assert await kept.fits("cafe\u0301 au lait", first)
    for wrong in ("", "café au lai", "Café au lait", "x\ud800"):
        assert not await kept.fits(wrong, first)


async def test_nobody_has_no_password() -> None:
    """Without a hash there is as much to do, with the same settings, and the answer is no."""
    kept = Passwords()
    assert extract_parameters(kept._nobody) == extract_parameters(await kept.hash(GOOD))
    assert not await kept.fits(GOOD, None)
    assert not await kept.fits(GOOD, "no hash at all")


async def test_the_loop_goes_on_meanwhile() -> None:
    """While a password is hashed everything else happens."""
    gate = Gate()
    kept = Passwords(gate)
    hashing = asyncio.create_task(kept.hash(GOOD))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not hashing.done()
    gate.open.set()
    assert await kept.fits(GOOD, await hashing)


async def test_too_many_at_once() -> None:
    """Those who would have to wait for long are told to come again, and may when the others are done."""
    gate = Gate()
    kept = Passwords(gate)
    waiting = [asyncio.create_task(kept.hash(GOOD)) for _ in range(MOST_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(Refusal, match="try again") as refusal:
        await kept.hash(GOOD)
    assert refusal.value.code is ErrorCode.TRY_AGAIN
    names = {thread.name for thread in threading.enumerate() if thread.name.startswith("passwords")}
    assert 0 < len(names) <= passwords.AT_ONCE
    gate.open.set()
    await asyncio.gather(*waiting)
    assert await kept.hash(GOOD)
