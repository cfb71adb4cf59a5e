"""Players: guests, accounts and bots, with their names and tokens."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour.server.restrictions import Restriction
from parlour.server.store.names import NameStore
from parlour.server.store.pipeline import Pipeline, script
from parlour.server.store.registrations import GUEST_TTL, Registrations

CREATE_GUEST, USE_TOKEN = script("create_guest"), script("use_token")

FIELDS = ("name", "kind", "created", "owner", "suspended", "muted")

PlayerKind = Literal["guest", "account", "bot", "deleted"]


class StoredPlayer(Struct, frozen=True):
    """A player, without ratings."""

    id: str
    name: str
    kind: PlayerKind = "guest"
    created: int = 0  # time of creation, in milliseconds since 1970
    owner: str | None = None  # the id of a bot's owner
    suspended: Restriction | None = None
    muted: Restriction | None = None
    scopes: tuple[str, ...] | None = None  # of the token by which it was found; None: the token is not limited


class Identity(Struct, frozen=True):
    """A player and a token that proves it. Only the token's digest is stored."""

    player: StoredPlayer
    token: str


class PlayerStore:
    """All players. Names are compared in their folded form, which the caller passes.

    A player, a name and a token are in different slots of a cluster, and are written one after the other. A token is
    valid if the player has it; the key of the token only leads there. A token never outlives the name, so no guest can
    use a name that another player may have taken.
    """

    def __init__(self, pipeline: Pipeline, *, guest_ttl: int = GUEST_TTL) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        self._names = NameStore(pipeline)
        self._registrations = Registrations(pipeline, self._names, guest_ttl=guest_ttl)
        self._guest_ttl = guest_ttl
        pipeline.load(CREATE_GUEST)
        pipeline.load(USE_TOKEN)

    async def create_guest(self, name: str, folded: str) -> Identity | None:
        """Create a guest; None if the name is taken."""
        id, token = new_id(), new_token()
        if await self._names.reserve(folded, id) is None:
            return None
        args = (name, folded, digest(token), self._guest_ttl)
        created = await self._pipeline.call_script(CREATE_GUEST, 1, self._keys.player(id), *args)
        await self._pipeline.call(b"SET", self._keys.player_token(digest(token)), id, b"PX", self._guest_ttl)
        if not await self._names.confirm(folded, id, self._guest_ttl):
            await self._pipeline.call(b"DEL", self._keys.player(id))
            return None
        return Identity(StoredPlayer(id, name, created=created), token)

    async def find(self, token: str) -> StoredPlayer | None:
        """Return the player with this token, which counts as use; None if it is unknown, revoked or expired."""
        token_key = self._keys.player_token(digest(token))
        holder, expires_in = await self._pipeline.call_all((b"GET", token_key), (b"PTTL", token_key))
        if holder is None:
            return None
        id = holder.decode()
        is_ageing = 0 <= expires_in < 0.9 * self._guest_ttl
        found = await self._use(id, token, self._guest_ttl if is_ageing else 0)
        if found is None:
            self._pipeline.send_and_forget(b"DEL", token_key)  # the node that revoked it may have died before that
            return None
        *fields, folded, is_unconfirmed, scopes = found
        if is_unconfirmed == b"1":
            await self._registrations.complete(id)
            found = await self._use(id, token, 0)
            return None if found is None else read_player(id, found[: len(FIELDS)])
        player = read_player(id, fields)
        if scopes and player is not None:
            return replace(player, scopes=tuple(scopes.decode().strip().split(",")))
        if is_ageing and player is not None and player.kind == "guest":
            # Its own time is renewed last: if the node dies before that, the next use renews everything.
            await self._names.confirm(folded.decode(), id, self._guest_ttl)
            await self._pipeline.call(b"PEXPIRE", token_key, self._guest_ttl, b"GT")  # not the token of an account
        return player

    async def _use(self, id: str, token: str, ttl: int) -> list[bytes] | None:
        args = (digest(token), ttl)
        found: list[bytes] | None = await self._pipeline.call_script(USE_TOKEN, 1, self._keys.player(id), *args)
        return found

    async def id_of(self, folded: str) -> str | None:
        """Return the id of the player with this name."""
        return await self._names.holder(folded)

    async def is_taken(self, folded: str, id: str) -> bool:
        """Return whether a player other than this one has the name, or one that looks like it."""
        return await self._names.is_taken(folded, id)

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
        return sorted(id.decode() for id in await self._pipeline.call(b"HVALS", self._keys.player_bots(owner)))


def new_id() -> str:
    return secrets.token_hex(8)


def new_token() -> str:
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """Return the digest under which a token is stored. Tokens are random, so a plain hash is enough."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


def read_player(id: str, fields: Sequence[bytes | None]) -> StoredPlayer | None:
    """Return the player with these FIELDS; None if they are empty."""
    name, kind, created, owner, suspended, muted = (None if field is None else field.decode() for field in fields)
    if name is None:
        return None
    limits = (_read_restriction(suspended), _read_restriction(muted))
    return StoredPlayer(id, name, kind, int(created or 0), owner, *limits)  # type: ignore[arg-type]  # by our scripts


def _read_restriction(text: str | None) -> Restriction | None:
    return None if text is None else msgspec.json.decode(text, type=Restriction)
