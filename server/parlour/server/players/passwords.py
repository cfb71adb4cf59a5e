"""Passwords: which are allowed, and their hashes. Hashing is slow on purpose: guesses are expensive."""

from __future__ import annotations

import asyncio
import secrets
import unicodedata
from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import hash_secret_raw

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.players.names import fold_name

# Argon2id with the parameters that OWASP recommends for little memory: about 30 ms of CPU time per hash.
MEMORY, ROUNDS, LANES = 19 * 1024, 2, 1  # kibibytes, iterations, threads
DIGEST_SIZE = 16  # bytes
THREADS = 2
MAX_QUEUED = 100  # a few seconds' worth; further requests are refused

MIN_LENGTH = 8
RULE = f"A password has at least {MIN_LENGTH} characters, differs from your name, and is not a very common one."

# The most common passwords of at least eight characters. Digits and punctuation at the end are removed where a word
# remains; see `_is_common`.
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


def _dummy_hash() -> str:
    salt, tag = (b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in (16, 32))
    return f"$argon2id$v=19$m={MEMORY},t={ROUNDS},p={LANES}${salt}${tag}"


DUMMY_HASH = _dummy_hash()  # the hash of no password; verifying it takes as long as any other


def no_password() -> Refusal:
    """Return the refusal of a command about a password by a player without an account."""
    return Refusal(ErrorCode.ACCOUNT_NEEDED, "You have no account and therefore no password. Register first.")


def wrong_password() -> Refusal:
    """Return the refusal of a command with a wrong password."""
    return Refusal(ErrorCode.SIGN_IN_REFUSED, "The password is wrong. Check it and try again.")


def password_changed() -> Refusal:
    """Return the refusal of a command during which another one has changed the password."""
    return Refusal(ErrorCode.SIGN_IN_REFUSED, "The password has just been changed. Try again with the new one.")


def check_password(password: str, name: str) -> None:
    """Refuse a password that is easy to guess for the player with this name."""
    is_trivial = len(password) < MIN_LENGTH or len(set(password)) < 3
    if is_trivial or fold_name(password) == fold_name(name) or _is_common(password):
        raise Refusal(ErrorCode.PASSWORD_REFUSED, RULE)


def _is_common(password: str) -> bool:
    plain = password.casefold()
    return plain in COMMON or plain.rstrip("0123456789!?.*#$@+-_ ") in COMMON


class Passwords:
    """Computes and checks hashes in separate threads, so that the event loop stays free."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher(time_cost=ROUNDS, memory_cost=MEMORY, parallelism=LANES)
        self._threads = ThreadPoolExecutor(THREADS, "passwords")
        self._queued = 0

    async def hash(self, password: str) -> str:
        """Return the hash under which a password is stored."""
        return await self._in_thread(lambda: self._hasher.hash(_normalized(password)))

    async def verify(self, password: str, hash: str | None) -> bool:
        """Return whether a hash belongs to a password. Without a hash this takes equally long, to reveal nothing."""
        return await self._in_thread(lambda: self._verify(password, hash or DUMMY_HASH))

    async def digest(self, secret: str, salt: str) -> str:
        """Return a digest of a secret that is as slow to guess as a password. The salt is in hexadecimal digits."""

        def compute() -> str:
            raw = hash_secret_raw(
                secret.encode(errors="surrogatepass"), bytes.fromhex(salt),
                time_cost=ROUNDS, memory_cost=MEMORY, parallelism=LANES, hash_len=DIGEST_SIZE, type=Type.ID,
            )  # fmt: skip
            return raw.hex()

        return await self._in_thread(compute)

    async def rehash(self, password: str, hash: str) -> str | None:
        """Return a new hash of a verified password if its hash was made with other parameters than today's."""
        if not self._hasher.check_needs_rehash(hash):
            return None
        return await self.hash(password)

    def _verify(self, password: str, hash: str) -> bool:
        try:
            return self._hasher.verify(hash, _normalized(password))
        except (VerificationError, InvalidHashError):
            return False

    async def _in_thread(self, work: Callable[[], T]) -> T:
        if self._queued >= MAX_QUEUED:
            raise Refusal(ErrorCode.TRY_AGAIN, "Too many players are signing in. Try again in a few seconds.")
        self._queued += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._queued -= 1


def _normalized(password: str) -> bytes:
    """Return the same bytes for the same text, whether its accents are composed or not."""
    return unicodedata.normalize("NFKC", password).encode(errors="surrogatepass")
