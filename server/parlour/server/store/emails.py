"""The e-mail addresses of accounts, and digests of the codes that are sent there."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from parlour.server.store.accounts import Account
from parlour.server.store.pipeline import Pipeline, script
from parlour.server.store.players import digest

SET = script("set_email")

CODE_TTL = 3_600_000  # milliseconds


class MailedCode(Struct, frozen=True):
    """The purpose of a code. A code is invalid once the password has changed."""

    purpose: Literal["confirm", "recover"]
    player: str
    address: str
    password: str  # digest of the hash of the password

    @classmethod
    def of(cls, purpose: Literal["confirm", "recover"], account: Account, address: str) -> MailedCode:
        """Return the purpose of a new code for an account."""
        return cls(purpose, account.id, address, digest(account.password_hash))

    def belongs_to(self, account: Account) -> bool:
        """Return whether the code is for this account, and its password has not changed since."""
        return self.player == account.id and self.password == digest(account.password_hash)


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(MailedCode).decode


class EmailStore:
    """All addresses and codes. The coroutines raise StoreUnavailable."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        pipeline.load(SET)

    async def address(self, id: str) -> str:
        """Return the confirmed address of an account; empty if there is none."""
        found = await self._pipeline.call(b"HGET", self._keys.player(id), b"email")
        return "" if found is None else found.decode()

    async def set(self, account: Account, address: str) -> str | None:
        """Set an address, or remove it if it is empty; return the previous one.

        Return None if the password has changed since the account was read.
        """
        args = (account.password_hash, address)
        before = await self._pipeline.call_script(SET, 1, self._keys.player(account.id), *args)
        return None if before is None else before.decode()

    async def add_code(self, code: str, meaning: MailedCode) -> None:
        """Store a code with its purpose, for an hour."""
        await self._pipeline.call(b"SET", self._keys.mailed_code(digest(code)), encode(meaning), b"PX", CODE_TTL)

    async def find_code(self, code: str) -> MailedCode | None:
        """Return the purpose of a code; None if the code is wrong, used or expired."""
        found = await self._pipeline.call(b"GET", self._keys.mailed_code(digest(code)))
        return None if found is None else decode(found)

    async def use_code(self, code: str) -> bool:
        """Use a code up; return False if another command was faster."""
        return bool(await self._pipeline.call(b"DEL", self._keys.mailed_code(digest(code))))
