"""Players: guests, accounts and bots, with their names and tokens."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Literal

from msgspec import Struct

from parlour.server.store.pipeline import Pipeline, script

CREATE_GUEST, FIND = script("create_guest"), script("find_player")

GUEST_TTL = 30 * 24 * 3600 * 1000  # milliseconds after the last use until a guest is deleted

FIELDS = ("name", "kind", "created", "owner")

PlayerKind = Literal["guest", "account", "bot"]


class StoredPlayer(Struct, frozen=True):
    """A player, without ratings."""

    id: str
    name: str
    kind: PlayerKind = "guest"
    created: int = 0  # when the player was created, in milliseconds since 1970
    owner: str | None = None  # the id of a bot's owner


class Identity(Struct, frozen=True):
    """A player and a token that proves it. Only the token's digest is stored."""

    player: StoredPlayer
    token: str


class PlayerStore:
    """All players. A name is unique in its folded form, which the caller passes."""

    def __init__(self, pipeline: Pipeline, *, guest_ttl: int = GUEST_TTL) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        self._guest_ttl = guest_ttl
        pipeline.load(CREATE_GUEST)
        pipeline.load(FIND)

    async def create_guest(self, name: str, folded: str) -> Identity | None:
        """Create a guest; None if the name is taken."""
        id, token = new_id(), new_token()
        script_keys = (self._keys.player_name(folded), self._keys.player(id), self._keys.player_token(digest(token)))
        args = (id, name, folded, digest(token), self._guest_ttl)
        created = await self._pipeline.call_script(CREATE_GUEST, len(script_keys), *script_keys, *args)
        return Identity(StoredPlayer(id, name, created=created), token) if created else None

    async def find(self, token: str) -> StoredPlayer | None:
        """Return the player with this token, which counts as use; None if it is unknown, revoked or expired."""
        args = (digest(token), self._guest_ttl, self._keys.player_prefix, self._keys.name_prefix)
        found = await self._pipeline.call_script(FIND, 1, self._keys.player_token(digest(token)), *args)
        return None if found is None else read_player(found[0].decode(), found[1:])

    async def id_of(self, folded: str) -> str | None:
        """Return the id of the player with this name."""
        found = await self._pipeline.call(b"GET", self._keys.player_name(folded))
        return None if found is None else found.decode()

    async def get(self, ids: Sequence[str]) -> list[StoredPlayer | None]:
        """Return players by their ids, in one round trip; None for those that do not exist."""
        found = await self._pipeline.call_all(*((b"HMGET", self._keys.player(id), *FIELDS) for id in ids))
        return [read_player(id, fields) for id, fields in zip(ids, found, strict=True)]

    async def is_online(self, id: str) -> bool:
        """Return whether the player is connected to any node."""
        _, nodes = await self._pipeline.call(b"PUBSUB", b"SHARDNUMSUB", self._keys.player_channel(id))
        return bool(nodes)

    async def bots(self, owner: str) -> list[str]:
        """Return the ids of an account's bots."""
        return sorted(id.decode() for id in await self._pipeline.call(b"SMEMBERS", self._keys.player_bots(owner)))


def new_id() -> str:
    return secrets.token_hex(8)


def new_token() -> str:
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """Return the digest under which a token is stored. Tokens are random, so a plain hash is enough."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


def read_player(id: str, fields: Sequence[bytes | None]) -> StoredPlayer | None:
    """Return the player with these FIELDS; None if they are empty."""
    name, kind, created, owner = (None if field is None else field.decode() for field in fields)
    if name is None:
        return None
    return StoredPlayer(id, name, kind, int(created or 0), owner)  # type: ignore[arg-type]  # written by our scripts
