"""Seeks and invitations, shared by all nodes: each is accepted at most once."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from msgspec import Struct

from parlour.server.store.pipeline import Pipeline, Script, script
from parlour.server.store.pubsub import ORIGIN_SIZE
from parlour.server.store.resp import Arg

SCRIPTS = POST, ACCEPT, WITHDRAW, RENEW, LIST = tuple(
    script(name) for name in ("post_seek", "accept_seek", "withdraw_seek", "renew_seeks", "list_seeks")
)

SEEK_TTL = 5_000  # milliseconds after the last `renew`, so that the seeks of a dead node expire
CLOSED_TTL = 120_000  # milliseconds for which the store knows who accepted a seek, or that it was withdrawn
MAX_LISTED = 500  # seeks

# The scripts publish the changes in the store's name, so that the node that caused one receives it too.
STORE_ORIGIN = bytes(ORIGIN_SIZE)


class SeekStatus(Enum):
    """The state of a seek that has not been accepted."""

    OPEN = 1
    CLOSED = 0  # withdrawn, expired or unknown
    LIST_FULL = -1  # not posted: there are too many seeks
    PLAYER_LIMIT = -2  # not posted: its player has too many
    ADDRESS_LIMIT = -3  # not posted: its address has too many


class Owner(Struct, frozen=True):
    """The owner of a seek, with the number of seeks that the player and the address may have open."""

    player: str
    address: str
    per_player: int = MAX_LISTED
    per_address: int = MAX_LISTED


class Acceptance(Struct, frozen=True):
    """The acceptance of a seek by a player."""

    player: str
    payload: bytes  # opaque to the store


class SeekStore:
    """Seeks are on a public list and have to be renewed; invitations are not listed and have a fixed TTL.

    The content of both is opaque to the store. An accepted seek is remembered for a while, so that any node can
    complete what a dead node has begun.
    """

    def __init__(self, pipeline: Pipeline, *, ttl: int = SEEK_TTL, max_listed: int = MAX_LISTED) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        keys = self._keys
        self._list_keys = (keys.seek_list, keys.seek_list_version, keys.seek_list_data, keys.seek_list_owners)
        self._channel = (self._keys.seek_list_changes, STORE_ORIGIN)
        self._ttl = ttl
        self._max_listed = max_listed
        for each in SCRIPTS:
            pipeline.load(each)

    async def post(self, id: str, data: bytes, owner: Owner) -> SeekStatus | Acceptance:
        """Put a seek on the list, unless that or its owner has too many."""
        limits = (owner.player, owner.address, owner.per_player, owner.per_address)
        return _status(await self._call(POST, id, data, self._ttl, self._max_listed, *self._channel, *limits))

    async def invite(self, id: str, data: bytes, ttl: int, to: str | None = None) -> SeekStatus | Acceptance:
        """Create an invitation. If it is addressed to a player, `invitations` finds it."""
        if to is not None:
            self._pipeline.send_and_forget(b"SADD", self._keys.invitations(to), id)
            self._pipeline.send_and_forget(b"PEXPIRE", self._keys.invitations(to), ttl)
        return _status(await self._call(POST, id, data, ttl, 0, *self._channel))

    async def invitations(self, to: str) -> dict[str, bytes]:
        """Return the open invitations addressed to a player, by id."""
        found = {}
        members = await self._pipeline.call(b"SMEMBERS", self._keys.invitations(to))
        for id in sorted(each.decode() for each in members):
            data = await self.get(id) if await self.is_open(id) else None
            if data is None:
                self._pipeline.send_and_forget(b"SREM", self._keys.invitations(to), id)
            else:
                found[id] = data
        return found

    async def get(self, id: str) -> bytes | None:
        """Return the content of a seek or invitation, accepted or not; None if it does not exist."""
        found: bytes | None = await self._pipeline.call(b"HGET", self._keys.seek(id), b"data")
        return found

    async def is_open(self, id: str) -> bool:
        """Return whether a seek can still be accepted."""
        data, taker, closed = await self._pipeline.call(b"HMGET", self._keys.seek(id), b"data", b"taker", b"closed")
        return data is not None and taker is None and closed is None

    async def accept(self, id: str, player: str, payload: bytes) -> tuple[bytes, Acceptance] | SeekStatus | None:
        """Accept a seek for a player and return its content with the acceptance.

        The player who already accepted it gets the first acceptance again. Return CLOSED if another player was faster
        or it was withdrawn, None if it does not exist.
        """
        found = await self._call(ACCEPT, id, player, payload, CLOSED_TTL, *self._channel)
        if isinstance(found, list):
            return found[0], Acceptance(player, found[1])
        return None if found is None else SeekStatus.CLOSED

    async def withdraw(self, id: str) -> SeekStatus | Acceptance:
        """Close a seek for good. OPEN means that it was open until now."""
        return _status(await self._call(WITHDRAW, id, "withdrawn", CLOSED_TTL, *self._channel))

    async def suspend(self, id: str) -> SeekStatus | Acceptance:
        """Close a seek because its owner has disconnected; the owner may post it again."""
        return _status(await self._call(WITHDRAW, id, "suspended", CLOSED_TTL, *self._channel))

    async def renew(self, ids: Sequence[str]) -> list[SeekStatus | Acceptance]:
        """Keep seeks on the list, and remove all expired ones from it. Call this about every second."""
        script_keys = (*self._list_keys, *(self._keys.seek(id) for id in ids))
        args: tuple[Arg, ...] = (self._ttl, *self._channel, *ids)
        found = await self._pipeline.call_script(RENEW, len(script_keys), *script_keys, *args)
        return [_status(each) for each in found]

    async def load_list(self) -> tuple[int, dict[str, bytes]]:
        """Return the version of the list and its seeks by id."""
        version, *found = await self._pipeline.call_script(LIST, len(self._list_keys), *self._list_keys)
        return int(version), {id.decode(): data for id, data in zip(found[::2], found[1::2], strict=True)}

    async def _call(self, script: Script, id: str, *args: bytes | str | int) -> Any:
        script_keys = (self._keys.seek(id), *self._list_keys)
        return await self._pipeline.call_script(script, len(script_keys), *script_keys, id, *args)


class ListChange(Struct, frozen=True):
    """One change to the list of seeks, as it is published."""

    version: int  # of the list after the change: consecutive, from 1
    id: str
    data: bytes | None  # None: the seek was removed


def read_change(message: bytes) -> ListChange:
    """Return the change in a message from the channel."""
    header, _, data = message.partition(b"\n")
    version, operation, id = header.split()
    return ListChange(int(version), id.decode(), data if operation == b"+" else None)


def _status(found: Any) -> SeekStatus | Acceptance:
    return Acceptance(found[0].decode(), found[1]) if isinstance(found, list) else SeekStatus(found)
