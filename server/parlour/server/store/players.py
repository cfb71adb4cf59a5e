"""Who plays here: guests, their names and their tokens."""

from __future__ import annotations

import secrets
import unicodedata
from hashlib import sha256

from msgspec import Struct
from redis.asyncio import Redis

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.store import keys
from parlour.server.store.names import friendly_name
from parlour.server.store.pipe import script

KEPT = 30 * 24 * 3600 * 1000  # milliseconds after the last use until a guest is forgotten

LONGEST_NAME = 32
TRIES = 20  # with other numbers when a name is taken


class Player(Struct, frozen=True):
    """Somebody who was here before."""

    id: str
    name: str


class Guest(Struct, frozen=True):
    """Somebody new. The token is given to the client, and only its digest is kept here."""

    id: str
    name: str
    token: str


class Players:
    """All players. Names are unique, whatever their capitals."""

    def __init__(self, redis: Redis, *, kept: int = KEPT) -> None:
        self._redis = redis
        self._make = redis.register_script(script("guest.lua").text)
        self._find = redis.register_script(script("find.lua").text)
        self._kept = kept

    async def new_guest(self, wish: str | None = None) -> Guest:
        """A new player, called as wished, or nearly so if somebody else is. Refuses a wish that is no name."""
        wanted = None if wish is None else tidy_name(wish)
        id, token = secrets.token_hex(8), secrets.token_urlsafe(32)
        for attempt in range(TRIES):
            name = _name(wanted, attempt)
            folded = fold(name)
            used = [keys.player_name(folded), keys.player(id), keys.player_token(_digest(token))]
            if await self._make(used, [id, name, folded, self._kept]):
                return Guest(id, name, token)
        raise Refusal(ErrorCode.TEXT_REFUSED, f"Too many players are called {wanted or name}: choose another name.")

    async def named(self, name: str) -> str | None:
        """The id of the player who has that name."""
        found = await self._redis.get(keys.player_name(fold(name)))
        return found.decode() if isinstance(found, bytes) else found

    async def find(self, token: str) -> Player | None:
        """The player who was given this token; None when it is none of ours, or was not used for too long."""
        used = [keys.player_token(_digest(token))]
        found = await self._find(used, [self._kept, keys.PLAYER_PREFIX, keys.NAME_PREFIX])
        return None if found is None else Player(found[0].decode(), found[1].decode())


def tidy_name(text: str) -> str:
    """A name as it will be shown: one line of characters that can be seen."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        sentence = f"A name has 1 to {LONGEST_NAME} characters that can be seen, such as letters, digits and spaces."
        raise Refusal(ErrorCode.TEXT_REFUSED, sentence)
    return name


def fold(name: str) -> str:
    """What must differ for two names to be two: not the capitals, the spaces, or another way to write a letter."""
    return unicodedata.normalize("NFKC", name).casefold().replace(" ", "")


def _name(wanted: str | None, attempt: int) -> str:
    if wanted is None:
        return friendly_name(secrets.randbits(64))
    if attempt == 0:
        return wanted
    number = str(secrets.randbelow(10 ** min(attempt + 1, 6)))
    return f"{wanted[: LONGEST_NAME - 1 - len(number)].rstrip()} {number}"


def _digest(token: str) -> str:
    return sha256(token.encode(errors="surrogatepass")).hexdigest()
