"""Passwords: which may be used, and their hashes, which take long to make so that nobody can try many."""

from __future__ import annotations

import asyncio
import secrets
import unicodedata
from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.store.names import fold

# Argon2id with what OWASP recommends where memory is dear: some 30 ms of one core for each.
MEMORY, TIMES, LANES = 19 * 1024, 2, 1  # kibibytes, rounds, threads
AT_ONCE = 2
MOST_WAITING = 100  # a few seconds' worth; more are refused

SHORTEST = 8
RULE = (
    f"A password has at least {SHORTEST} characters, is not your name, and is none of those that everybody tries first."
)

# The commonest ones of at least eight characters, after digits and signs at their ends are taken away where that
# leaves a word; see `_is_common`.
COMMON = frozenset({
    "1234567890", "0123456789", "123456789", "12345678", "987654321", "9876543210", "87654321", "11223344", "12341234",
    "123123123", "147258369", "789456123", "1q2w3e4r", "1qaz2wsx", "qazwsxedc", "q1w2e3r4", "qwertyuiop", "qwertzuiop",
    "qwertyui", "asdfghjkl", "asdfghjk", "zxcvbnm", "azertyuiop", "abcdefgh", "abcdefghi", "abcd1234", "a1b2c3d4",
    "abc12345", "qwer1234", "qwerty", "qwertz", "azerty", "letmein", "iloveyou", "welcome", "password", "passwort",
    "passw0rd", "p@ssw0rd", "p@ssword", "motdepasse", "contraseña", "football", "baseball", "basketball", "superman",
    "batman", "pokemon", "starwars", "princess", "sunshine", "trustno", "whatever", "computer", "internet", "samsung",
    "michelle", "jennifer", "michael", "jordan", "charlie", "dragon", "monkey", "shadow", "master", "killer", "secret",
    "changeme", "default", "test", "testtest", "admin", "adminadmin", "parlour",
})  # fmt: skip

T = TypeVar("T")


def check_password(password: str, name: str) -> None:
    """Refuse a password that is too easy to guess for the player of that name."""
    if len(password) < SHORTEST or len(set(password)) < 3 or fold(password) == fold(name) or _is_common(password):
        raise Refusal(ErrorCode.PASSWORD_REFUSED, RULE)


def _is_common(password: str) -> bool:
    plain = password.casefold()
    return plain in COMMON or plain.rstrip("0123456789!?.*#$@+-_ ") in COMMON


class Passwords:
    """Makes and checks hashes in threads of its own, so that nobody else has to wait meanwhile."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher(time_cost=TIMES, memory_cost=MEMORY, parallelism=LANES)
        self._threads = ThreadPoolExecutor(AT_ONCE, "passwords")
        self._waiting = 0
        # It fits no password, and to find that out takes as long as with any other hash.
        salt, tag = (b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in (16, 32))
        self._nobody = f"$argon2id$v=19$m={MEMORY},t={TIMES},p={LANES}${salt}${tag}"

    async def hash(self, password: str) -> str:
        """What is kept of a password."""
        return await self._in_a_thread(lambda: self._hasher.hash(_settled(password)))

    async def fits(self, password: str, hash: str | None) -> bool:
        """Whether a hash is that of the password. Without a hash it takes as long, so that time tells nothing."""
        return await self._in_a_thread(lambda: self._verify(password, hash or self._nobody))

    def _verify(self, password: str, hash: str) -> bool:
        try:
            return self._hasher.verify(hash, _settled(password))
        except (VerificationError, InvalidHashError):
            return False

    async def _in_a_thread(self, work: Callable[[], T]) -> T:
        if self._waiting >= MOST_WAITING:
            raise Refusal(ErrorCode.TRY_AGAIN, "Too many people sign in at this moment: try again in a few seconds.")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def _settled(password: str) -> bytes:
    """The same bytes, whichever keyboard wrote the letters."""
    return unicodedata.normalize("NFKC", password).encode(errors="surrogatepass")
