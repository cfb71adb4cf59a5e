"""Digests of the recovery codes of accounts."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.server.store.accounts import Account, Digests, NewToken
from parlour.server.store.pipeline import Pipeline, script
from parlour.server.store.players import digest, new_token

SCRIPTS = SET, RECOVER = script("set_recovery_codes"), script("recover_account")

FIELD = b"recovery:"


class RecoveryCodeStore:
    """The codes of all accounts. The coroutines raise StoreUnavailable."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        for each in SCRIPTS:
            pipeline.load(each)

    async def replace(self, account: Account, salt: str, digests: Sequence[str]) -> bool:
        """Replace the codes of an account; return False if its password has changed since it was read."""
        args = (account.password_hash, salt, *digests)
        return bool(await self._pipeline.call_script(SET, 1, self._keys.player(account.id), *args))

    async def salt(self, id: str) -> str:
        """Return the salt of an account's codes; empty if it has none."""
        found = await self._pipeline.call(b"HGET", self._keys.player(id), b"recovery_salt")
        return "" if found is None else found.decode()

    async def left(self, id: str) -> int:
        """Return how many codes an account has left."""
        fields: list[bytes] = await self._pipeline.call(b"HKEYS", self._keys.player(id))
        return sum(field.startswith(FIELD) for field in fields)

    async def recover(self, id: str, code: str, password_hash: str) -> NewToken | None:
        """Use up the code with this digest: set a password, replace all tokens with a new one; None if it is wrong."""
        token = new_token()
        args = (code, password_hash, digest(token))
        found = await self._pipeline.call_script(RECOVER, 1, self._keys.player(id), *args)
        if found is None:
            return None
        revoked: Digests = tuple(each.decode() for each in found)
        await self._pipeline.call(b"SET", self._keys.player_token(digest(token)), id)
        await self._pipeline.call_all(*((b"DEL", self._keys.player_token(each)) for each in revoked))
        return NewToken(token, revoked)
