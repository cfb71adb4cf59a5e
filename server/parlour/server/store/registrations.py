"""Turns a guest into an account, in steps that another node can complete.

The player, the name and the tokens are in different slots of a cluster. The player is changed between the reservation
and the confirmation of the name (see `names.py`) and stays marked as unconfirmed until the end. A repeated command
completes the registration, and so does the next use of the player's token. If that takes longer than the reservation
and another player gets the name, the account becomes a guest again.
"""

from __future__ import annotations

from typing import Literal

from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.names import STORE_WITHIN, NameStore
from parlour.server.store.pipeline import Pipeline, script

REGISTER, UNDO = script("register"), script("undo_registration")

GUEST_TTL = 30 * 24 * 3600 * 1000  # milliseconds after the last use until a guest is deleted

Outcome = Literal["registered", "repeated", "name_taken", "already_registered", "player_unknown"]


class Registrations:
    """Registers players, on any node. The coroutines raise StoreUnavailable."""

    def __init__(self, pipeline: Pipeline, names: NameStore, *, guest_ttl: int = GUEST_TTL) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        self._names = names
        self._guest_ttl = guest_ttl
        pipeline.load(REGISTER)
        pipeline.load(UNDO)

    async def register(self, id: str, name: str, folded: str, password_hash: str, command: str) -> Outcome:
        """Turn a guest into an account. `command` identifies the command: another call with it returns "repeated"."""
        reserved_at: int | None = 0
        if await self._pipeline.call(b"HGET", self._keys.player(id), b"kind") == b"guest":
            reserved_at = await self._names.reserve(folded, id)
        if reserved_at is None:
            return "name_taken"
        args = (name, folded, password_hash, command, reserved_at, STORE_WITHIN)
        reply = await self._pipeline.call_script(REGISTER, 1, self._keys.player(id), *args)
        outcome: Outcome | Literal["too_late"] = reply.decode()
        if outcome == "too_late":
            raise StoreUnavailable("the store was too slow to register a player")
        if outcome in ("registered", "repeated") and not await self.complete(id):
            return "name_taken"
        return outcome

    async def complete(self, id: str) -> bool:
        """Complete the registration of an account; return False if another player has the name by now."""
        found = await self._pipeline.call(b"HGETALL", self._keys.player(id))
        fields = {field.decode(): value.decode() for field, value in zip(found[::2], found[1::2], strict=True)}
        if "unconfirmed" not in fields:
            return True
        if not await self._names.confirm(fields["folded"], id):
            await self._pipeline.call_script(UNDO, 1, self._keys.player(id), self._guest_ttl)
            return False
        digests = [field.removeprefix("token:") for field in fields if field.startswith("token:")]
        await self._pipeline.call_all(*((b"PERSIST", self._keys.player_token(digest)) for digest in digests))
        former, _, _ = fields["unconfirmed"].partition(" ")
        if former != fields["folded"]:
            await self._names.release(former, id, new=fields["folded"])
        await self._pipeline.call(b"HDEL", self._keys.player(id), b"unconfirmed")
        return True
