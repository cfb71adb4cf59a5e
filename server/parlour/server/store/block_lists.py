"""Block lists: the players whom each player has blocked or muted."""

from __future__ import annotations

from msgspec import Struct

from parlour.server.store.pipeline import Pipeline, script
from parlour.server.store.registrations import GUEST_TTL

ADD = script("add_to_list")

MAX_LISTED = 100  # players on one list


class BlockLists(Struct, frozen=True):
    """The ids of the players whom a player has blocked, and muted."""

    blocked: frozenset[str] = frozenset()
    muted: frozenset[str] = frozenset()

    @property
    def hidden(self) -> frozenset[str]:
        """The players whose chat the player does not get."""
        return self.blocked | self.muted


NO_BLOCK_LISTS = BlockLists()


class BlockListStore:
    """The lists of all players. The coroutines raise StoreUnavailable."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        pipeline.load(ADD)

    async def block(self, player: str, other: str, *, on: bool) -> bool:
        """Block or unblock a player; return False if the list is full."""
        return await self._change(player, self._keys.blocked(player), other, on)

    async def mute(self, player: str, other: str, *, on: bool) -> bool:
        """Mute or unmute a player; return False if the list is full."""
        return await self._change(player, self._keys.muted(player), other, on)

    async def _change(self, player: str, key: str, other: str, on: bool) -> bool:
        if not on:
            await self._pipeline.call(b"SREM", key, other)
            return True
        args = (other, MAX_LISTED, GUEST_TTL)
        return bool(await self._pipeline.call_script(ADD, 2, self._keys.player(player), key, *args))

    async def read(self, player: str, *, is_guest: bool = False) -> BlockLists:
        """Return the lists of a player. This renews those of a guest, which expire with the guest."""
        names = (self._keys.blocked(player), self._keys.muted(player))
        blocked, muted = await self._pipeline.call_all(*((b"SMEMBERS", name) for name in names))
        if is_guest and (blocked or muted):
            for name in names:
                self._pipeline.send_and_forget(b"PEXPIRE", name, GUEST_TTL)
        return BlockLists(_ids(blocked), _ids(muted))

    async def is_blocked(self, player: str, by: str) -> bool:
        """Return whether a player has been blocked by another one."""
        return bool(await self._pipeline.call(b"SISMEMBER", self._keys.blocked(by), player))

    async def forget(self, player: str, gone: frozenset[str]) -> None:
        """Take players who no longer exist off the lists of a player."""
        for name in (self._keys.blocked(player), self._keys.muted(player)):
            await self._pipeline.call(b"SREM", name, *sorted(gone))

    async def keep(self, player: str) -> None:
        """Keep the lists of a guest who has become an account."""
        names = (self._keys.blocked(player), self._keys.muted(player))
        await self._pipeline.call_all(*((b"PERSIST", name) for name in names))


def _ids(found: list[bytes]) -> frozenset[str]:
    return frozenset(id.decode() for id in found)
