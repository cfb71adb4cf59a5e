"""Accounts: a permanent name, a password, a token for each device, and bots."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from parlour.server.store.pipeline import Pipeline, Script, script
from parlour.server.store.players import FIELDS, StoredPlayer, digest, new_id, new_token, read_player

SCRIPTS = REGISTER, SIGN_IN, SIGN_OUT, CHANGE_PASSWORD, CREATE_BOT = tuple(
    script(name) for name in ("register", "sign_in", "sign_out", "change_password", "create_bot")
)

MAX_TOKENS = 20  # of one player: one for each device
MAX_BOTS = 10  # of one owner

Digests = tuple[str, ...]


class Account(Struct, frozen=True):
    """A player with a password."""

    id: str
    name: str
    password_hash: str


class NewToken(Struct, frozen=True):
    """A token for one more device."""

    token: str
    revoked: Digests  # the tokens that were revoked to make room for it


class NewBot(Struct, frozen=True):
    """A bot and its new token."""

    id: str
    name: str
    token: str
    revoked: Digests  # the bot's previous tokens


class AccountStore:
    """All accounts. Names are compared in their folded form, which the caller passes.

    Every script is idempotent: if a reply is lost, running it again changes nothing more.
    """

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        for each in SCRIPTS:
            pipeline.load(each)

    async def register(
        self, id: str, name: str, folded: str, password_hash: str, command: str
    ) -> Literal["registered", "repeated", "name_taken", "already_registered", "player_unknown"]:
        """Turn a guest into an account. `command` identifies the command: another call with it returns "repeated"."""
        script_keys = (self._keys.player(id), self._keys.player_name(folded))
        args = (id, name, folded, password_hash, command, self._keys.name_prefix, self._keys.token_prefix)
        outcome: bytes = await self._call(REGISTER, script_keys, *args)
        return outcome.decode()  # type: ignore[return-value]  # see the script

    async def find(self, folded: str) -> Account | None:
        """Return the account with this name; None if there is none, or the name is a guest's or a bot's."""
        id = await self._pipeline.call(b"GET", self._keys.player_name(folded))
        return None if id is None else await self.get(id.decode())

    async def get(self, id: str) -> Account | None:
        """Return the account of a player; None for guests and bots."""
        name, password_hash = await self._pipeline.call(b"HMGET", self._keys.player(id), b"name", b"password")
        if name is None or password_hash is None:
            return None
        return Account(id, name.decode(), password_hash.decode())

    async def sign_in(self, account: Account) -> NewToken | None:
        """Issue a token; None if the password has changed since the account was read."""
        token = new_token()
        script_keys = (self._keys.player(account.id), self._keys.player_token(digest(token)))
        args = (account.id, digest(token), MAX_TOKENS, account.password_hash, self._keys.token_prefix)
        revoked = await self._call(SIGN_IN, script_keys, *args)
        return None if revoked is None else NewToken(token, _decode(revoked))

    async def sign_out(self, id: str, token: str | None) -> Digests:
        """Revoke one token, or all, and return the revoked ones. A guest without a token is deleted."""
        args = ("" if token is None else digest(token), self._keys.token_prefix, self._keys.name_prefix)
        return _decode(await self._call(SIGN_OUT, (self._keys.player(id),), *args))

    async def change_password(self, account: Account, password_hash: str, token: str) -> Digests | None:
        """Set a new password and revoke all tokens but this one; return the revoked ones.

        Return None if the password has changed since the account was read.
        """
        args = (account.password_hash, password_hash, digest(token), self._keys.token_prefix)
        revoked = await self._call(CHANGE_PASSWORD, (self._keys.player(account.id),), *args)
        return None if revoked is None else _decode(revoked)

    async def create_bot(
        self, owner: str, name: str, folded: str
    ) -> NewBot | Literal["name_taken", "too_many", "not_an_account"]:
        """Create a bot. If the owner already has a bot of this name, replace its token."""
        token = new_token()
        names = self._keys
        script_keys = (
            names.player_name(folded), names.player(owner), names.player_bots(owner), names.player_token(digest(token)),
        )  # fmt: skip
        bot = (owner, new_id(), name, folded, digest(token), MAX_BOTS)
        created = await self._call(CREATE_BOT, script_keys, *bot, self._keys.player_prefix, self._keys.token_prefix)
        if isinstance(created, bytes):
            return created.decode()  # type: ignore[return-value]  # see the script
        return NewBot(created[0].decode(), created[1].decode(), token, _decode(created[2]))

    async def check_token(self, id: str, token: str) -> tuple[StoredPlayer, bool] | None:
        """Return the player with this id, and whether the token is valid for it; None if the player is unknown.

        A single read: after an outage, a node calls this for every session at once.
        """
        *fields, token_field = await self._pipeline.call(
            b"HMGET", self._keys.player(id), *FIELDS, f"token:{digest(token)}"
        )  # fmt: skip
        player = read_player(id, fields)
        return None if player is None else (player, token_field is not None)

    async def _call(self, script: Script, script_keys: tuple[str, ...], *args: str | int) -> Any:
        return await self._pipeline.call_script(script, len(script_keys), *script_keys, *args)


def _decode(digests: list[bytes]) -> Digests:
    return tuple(each.decode() for each in digests)
