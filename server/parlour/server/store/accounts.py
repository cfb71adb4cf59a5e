"""What makes an account of a player: a name that stays, a password, tokens for several devices, bots."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from redis.asyncio import Redis

from parlour.server.store import keys
from parlour.server.store.names import fold
from parlour.server.store.pipe import Pipe, script
from parlour.server.store.players import Player, digest, new_id, new_token

MOST_TOKENS = 20  # devices of one player
MOST_BOTS = 10  # of one owner

Digests = tuple[str, ...]


class Account(Struct, frozen=True):
    """Somebody who can sign in."""

    id: str
    name: str
    password: str  # its hash


class MadeBot(Struct, frozen=True):
    """A bot and its new token."""

    id: str
    name: str
    token: str
    ended: Digests  # the tokens that it had before


class Accounts:
    """All accounts. A script that runs a second time, because its answer was lost, changes nothing more."""

    def __init__(self, redis: Redis, pipe: Pipe) -> None:
        self._redis = redis
        self._pipe = pipe
        self._register = redis.register_script(script("register.lua").text)
        self._token = redis.register_script(script("token.lua").text)
        self._signout = redis.register_script(script("signout.lua").text)
        self._password = redis.register_script(script("password.lua").text)
        self._bot = redis.register_script(script("bot.lua").text)

    async def register(
        self, id: str, name: str, password: str, command: int
    ) -> Literal["done", "taken", "already", "gone"]:
        """Make an account of a guest; `password` is the hash of it. The same command finds it done."""
        folded = fold(name)
        args: list[str | int] = [id, name, folded, password, command, keys.NAME_PREFIX, keys.TOKEN_PREFIX]
        done: bytes = await self._register([keys.player(id), keys.player_name(folded)], args)
        return done.decode()  # type: ignore[return-value]  # as the script says

    async def find(self, name: str) -> Account | None:
        """The account of that name; None if there is none, or it is that of a guest or a bot."""
        id = await self._redis.get(keys.player_name(fold(name)))
        return None if id is None else await self.get(id.decode())  # type: ignore[union-attr]

    async def get(self, id: str) -> Account | None:
        """The account of a player, if he has one."""
        shown, password = await self._redis.hmget(keys.player(id), ("name", "password"))
        if shown is None or password is None:
            return None
        return Account(id, shown.decode(), password.decode())  # type: ignore[union-attr]

    async def sign_in(self, account: Account) -> tuple[str, Digests] | None:
        """A new token, and those that had to end for it; None when the password was changed in this moment."""
        token = new_token()
        used = [keys.player(account.id), keys.player_token(digest(token))]
        args: list[str | int] = [account.id, digest(token), MOST_TOKENS, account.password, keys.TOKEN_PREFIX]
        ended = await self._token(used, args)
        return None if ended is None else (token, _texts(ended))

    async def sign_out(self, id: str, token: str | None) -> Digests:
        """End one token, or all; which those were. A guest is gone then."""
        args = ["" if token is None else digest(token), keys.TOKEN_PREFIX, keys.NAME_PREFIX]
        return _texts(await self._signout([keys.player(id)], args))

    async def change_password(self, account: Account, password: str, token: str) -> Digests | None:
        """Set a new one, by its hash, and end all tokens but this one; None when somebody else was faster."""
        args = [account.password, password, digest(token), keys.TOKEN_PREFIX]
        ended = await self._password([keys.player(account.id)], args)
        return None if ended is None else _texts(ended)

    async def make_bot(self, owner: str, name: str) -> MadeBot | Literal["taken", "full", "guest"]:
        """A bot of that name with a new token: one that the owner has already, or a new one."""
        folded, token = fold(name), new_token()
        used = [keys.player_name(folded), keys.player(owner), keys.player_bots(owner), keys.player_token(digest(token))]
        bot: list[str | int] = [owner, new_id(), name, folded, digest(token), MOST_BOTS]
        made = await self._bot(used, [*bot, keys.PLAYER_PREFIX, keys.TOKEN_PREFIX])
        if isinstance(made, bytes):
            return made.decode()  # type: ignore[return-value]  # as the script says
        return MadeBot(made[0].decode(), made[1].decode(), token, _texts(made[2]))

    async def recheck(self, id: str, token: str) -> tuple[Player, bool] | None:
        """A player as he is called now, and whether the token is still one of his; None if nobody knows him.

        Quick, for many who ask at once.
        """
        fields = ("name", "kind", f"token:{digest(token)}")
        name, kind, used = await self._pipe.call("HMGET", keys.player(id), *fields)
        return None if name is None else (Player(id, name.decode(), kind.decode()), used is not None)


def _texts(parts: list[bytes]) -> Digests:
    return tuple(part.decode() for part in parts)
