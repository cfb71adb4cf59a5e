"""Operators' changes to players. Each change is atomic, or can be repeated until it is complete."""

from __future__ import annotations

import msgspec

from parlour.server.restrictions import Restriction
from parlour.server.store.names import NameStore
from parlour.server.store.pipeline import Pipeline, script

SCRIPTS = RESTRICT, RENAME, RESET_PASSWORD, DELETE = tuple(
    script(name) for name in ("restrict_player", "rename_player", "reset_password", "delete_player")
)

DELETED = "Deleted player"  # the name under which others see a deleted player
DELETED_TTL = 100 * 24 * 3600 * 1000  # milliseconds; longer than a room's log lives, so no log brings the name back

Digests = tuple[str, ...]


class ModerationStore:
    """Changes players by their ids. The coroutines raise StoreUnavailable."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        self._names = NameStore(pipeline)
        for each in SCRIPTS:
            pipeline.load(each)

    async def suspend(self, id: str, restriction: Restriction | None) -> bool:
        """Suspend a player, or lift the suspension; return False if there is no such player."""
        return await self._restrict(id, "suspended", restriction)

    async def mute(self, id: str, restriction: Restriction | None) -> bool:
        """Mute or unmute a player; return False if there is no such player."""
        return await self._restrict(id, "muted", restriction)

    async def _restrict(self, id: str, field: str, restriction: Restriction | None) -> bool:
        value = b"" if restriction is None else msgspec.json.encode(restriction)
        return bool(await self._pipeline.call_script(RESTRICT, 1, self._keys.player(id), field, value))

    async def warn(self, id: str, text: str) -> bool:
        """Store a warning until the player has seen it; return False if there is no such player."""
        return bool(await self._pipeline.call_script(RESTRICT, 1, self._keys.player(id), "warning", text))

    async def warning(self, id: str) -> str:
        """Return the warning that a player has not seen yet; empty if there is none."""
        found = await self._pipeline.call(b"HGET", self._keys.player(id), b"warning")
        return "" if found is None else found.decode()

    async def warned(self, id: str) -> None:
        """Forget a warning, because the player has seen it."""
        await self._pipeline.call(b"HDEL", self._keys.player(id), b"warning")

    async def rename(self, id: str, name: str, folded: str) -> bool:
        """Give a player another name; return False if it is taken, or if there is no such player."""
        if await self._names.reserve(folded, id) is None:
            return False
        found = await self._pipeline.call_script(RENAME, 1, self._keys.player(id), name, folded)
        if found is None:
            await self._names.release(folded, id)
            return False
        former, kind, owner, ttl = found[0].decode(), found[1], found[2].decode(), found[3]
        await self._names.confirm(folded, id, ttl if kind == b"guest" and ttl > 0 else 0)
        if former != folded:
            await self._names.release(former, id, new=folded)
            if owner:
                bots = self._keys.player_bots(owner)
                await self._pipeline.call_all((b"HDEL", bots, former), (b"HSET", bots, folded, id))
        return True

    async def reset_password(self, id: str, password_hash: str) -> Digests | None:
        """Set a password for one sign-in, and revoke all tokens; return None if the player has no account."""
        found = await self._pipeline.call_script(RESET_PASSWORD, 1, self._keys.player(id), password_hash)
        if found is None:
            return None
        await self._delete_tokens(found)
        return tuple(digest.decode() for digest in found)

    async def delete(self, id: str) -> None:
        """Delete what is stored about a player, except games and ratings.

        For a while, the id leads to a marker. If a node dies halfway, the name leads to a player that does not have it
        and is therefore free, and the tokens lead to a player that does not have them.
        """
        keys = self._keys
        folded, digests = await self._pipeline.call_script(DELETE, 1, keys.player(id), DELETED, DELETED_TTL)
        await self._delete_tokens(digests)
        if folded:
            await self._names.release(folded.decode(), id)
        for key in (
            keys.player_bots(id), keys.playing(id), keys.first_seats(id), keys.invitations(id), keys.blocked(id),
            keys.muted(id),
        ):  # fmt: skip
            await self._pipeline.call(b"DEL", key)

    async def _delete_tokens(self, digests: list[bytes]) -> None:
        keys = [self._keys.player_token(digest.decode()) for digest in digests]
        await self._pipeline.call_all(*((b"DEL", key) for key in keys))
