"""Who plays here: guests, accounts and bots, their names and their tokens."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Literal

from msgspec import Struct
from redis.asyncio import Redis

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.store import keys
from parlour.server.store.friendly import friendly_name
from parlour.server.store.names import LONGEST, fold
from parlour.server.store.pipe import script

KEPT = 30 * 24 * 3600 * 1000  # milliseconds after the last use until a guest is forgotten

TRIES = 20  # with other numbers when a name is taken
FIELDS = ("name", "kind", "since", "owner")

Kind = Literal["guest", "account", "bot"]


class Player(Struct, frozen=True):
    """Somebody who was here before."""

    id: str
    name: str
    kind: Kind = "guest"


class Guest(Struct, frozen=True):
    """Somebody new. The token is given to the client, and only its digest is kept here."""

    id: str
    name: str
    token: str


class Card(Struct, frozen=True):
    """What everybody may know of a player, except what it takes games to know."""

    id: str
    name: str
    kind: Kind
    since: int  # milliseconds since 1970
    owner: str | None = None  # the id of a bot's owner


class Players:
    """All players. Names are unique in the sense of `fold`."""

    def __init__(self, redis: Redis, *, kept: int = KEPT) -> None:
        self._redis = redis
        self._make = redis.register_script(script("guest.lua").text)
        self._find = redis.register_script(script("find.lua").text)
        self._kept = kept

    async def new_guest(self, wish: str | None = None) -> Guest:
        """A new player, called as wished, or nearly so if somebody else is. The wish must be a tidy name."""
        id, token = new_id(), new_token()
        name = ""
        for attempt in range(TRIES):
            name = _name(wish, attempt)
            folded = fold(name)
            used = [keys.player_name(folded), keys.player(id), keys.player_token(digest(token))]
            if await self._make(used, [id, name, folded, digest(token), self._kept]):
                return Guest(id, name, token)
        raise Refusal(ErrorCode.NAME_TAKEN, f"Too many players are called {wish or name}: choose another name.")

    async def find(self, token: str) -> Player | None:
        """The player who was given this token; None when it is none of ours, or was not used for too long."""
        made = digest(token)
        args: list[str | int] = [made, self._kept, keys.PLAYER_PREFIX, keys.NAME_PREFIX]
        found = await self._find([keys.player_token(made)], args)
        return None if found is None else Player(*(part.decode() for part in found))

    async def named(self, name: str) -> str | None:
        """The id of the player who has that name."""
        found = await self._redis.get(keys.player_name(fold(name)))
        return found.decode() if isinstance(found, bytes) else found

    async def cards(self, ids: Sequence[str]) -> list[Card | None]:
        """What is known of each of some players, in one question; None of those who are forgotten."""
        if not ids:
            return []
        async with self._redis.pipeline(transaction=False) as asking:
            for id in ids:
                asking.hmget(keys.player(id), FIELDS)
            return [_card(id, found) for id, found in zip(ids, await asking.execute(), strict=True)]

    async def is_online(self, id: str) -> bool:
        """Whether some node has a connection of that player."""
        [(_, nodes)] = await self._redis.pubsub_numsub(keys.player_channel(id))
        return bool(nodes)

    async def bots(self, owner: str) -> list[str]:
        """The ids of the bots that an account has."""
        return sorted(id.decode() for id in await self._redis.smembers(keys.player_bots(owner)))  # type: ignore[union-attr]


def new_id() -> str:
    return secrets.token_hex(8)


def new_token() -> str:
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """What is kept of a token. It has more chance in it than can be tried, so a plain hash is enough."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


def _name(wish: str | None, attempt: int) -> str:
    if wish is None:
        return friendly_name(secrets.randbits(64))
    if attempt == 0:
        return wish
    number = str(secrets.randbelow(10 ** min(attempt + 1, 6)))
    return f"{wish[: LONGEST - 1 - len(number)].rstrip()} {number}"


def _card(id: str, found: list[bytes | None]) -> Card | None:
    name, kind, since, owner = (None if part is None else part.decode() for part in found)
    if name is None:
        return None
    return Card(id, name, kind or "guest", int(since or 0), owner)  # type: ignore[arg-type]  # written by our scripts
