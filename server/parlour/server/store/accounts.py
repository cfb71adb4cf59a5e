"""Accounts: a permanent name, a password, a token for each device, and bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from parlour.server.store.names import NameStore
from parlour.server.store.pipeline import Pipeline, script
from parlour.server.store.players import FIELDS, StoredPlayer, digest, new_id, new_token, read_player
from parlour.server.store.registrations import Outcome, Registrations

SCRIPTS = SIGN_IN, SIGN_OUT, CHANGE_PASSWORD, ADD_BOT, CREATE_BOT, CREATE_TOKEN = tuple(
    script(name) for name in ("sign_in", "sign_out", "change_password", "add_bot", "create_bot", "create_token")
)

MAX_TOKENS = 20  # of one player: one for each device
MAX_LIMITED_TOKENS = 10  # of one player, besides those of its devices
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

    The player, which has the password and the digests of the tokens, is the truth; it is changed first. If a reply is
    lost or the node dies before the keys of names and tokens are changed too, the same call completes that.
    """

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        self._names = NameStore(pipeline)
        self._registrations = Registrations(pipeline, self._names)
        for each in SCRIPTS:
            pipeline.load(each)

    async def register(self, id: str, name: str, folded: str, password_hash: str, command: str) -> Outcome:
        """Turn a guest into an account. `command` identifies the command: another call with it returns "repeated"."""
        return await self._registrations.register(id, name, folded, password_hash, command)

    async def find(self, folded: str) -> Account | None:
        """Return the account with this name; None if there is none, or the name is a guest's or a bot's."""
        id = await self._names.holder(folded)
        return None if id is None else await self.get(id)

    async def get(self, id: str) -> Account | None:
        """Return the account of a player; None for guests and bots."""
        name, password_hash = await self._pipeline.call(b"HMGET", self._keys.player(id), b"name", b"password")
        if name is None or password_hash is None:
            return None
        return Account(id, name.decode(), password_hash.decode())

    async def sign_in(self, account: Account, rehashed: str | None = None) -> NewToken | None:
        """Issue a token; None if the password has changed since the account was read.

        `rehashed` is a stronger hash of the same password, which replaces the stored one.
        """
        token = new_token()
        args = (digest(token), MAX_TOKENS, account.password_hash, rehashed or "")
        found = await self._pipeline.call_script(SIGN_IN, 1, self._keys.player(account.id), *args)
        if found is None:
            return None
        revoked = _decode(found)
        await self._store_token(account.id, token, revoked)
        return NewToken(token, revoked)

    async def sign_out(self, id: str, token: str | None) -> Digests:
        """Revoke one token, or all, and return the revoked ones. A guest without a token is deleted."""
        which = "" if token is None else digest(token)
        found, name_of_guest = await self._pipeline.call_script(SIGN_OUT, 1, self._keys.player(id), which)
        revoked = _decode(found)
        await self._delete_tokens(revoked)
        if name_of_guest:
            await self._names.release(name_of_guest.decode(), id)
        return revoked

    async def change_password(self, account: Account, password_hash: str, token: str) -> Digests | None:
        """Set a new password and revoke all tokens but this one; return the revoked ones.

        Return None if the password has changed since the account was read.
        """
        args = (account.password_hash, password_hash, digest(token))
        found = await self._pipeline.call_script(CHANGE_PASSWORD, 1, self._keys.player(account.id), *args)
        if found is None:
            return None
        revoked = _decode(found)
        await self._delete_tokens(revoked)
        return revoked

    async def create_bot(
        self, owner: str, name: str, folded: str
    ) -> NewBot | Literal["name_taken", "too_many", "not_an_account"]:
        """Create a bot. If the owner already has a bot of this name, replace its token.

        The bot is on the list of its owner first, so a repeated call continues with the same bot.
        """
        owner_keys = (self._keys.player(owner), self._keys.player_bots(owner))
        added = await self._pipeline.call_script(ADD_BOT, len(owner_keys), *owner_keys, folded, new_id(), MAX_BOTS)
        if isinstance(added, bytes):
            return added.decode()  # type: ignore[return-value]  # see the script
        id, token = added[0].decode(), new_token()
        if await self._names.reserve(folded, id) is not None:
            args = (owner, name, folded, digest(token))
            shown, found = await self._pipeline.call_script(CREATE_BOT, 1, self._keys.player(id), *args)
            revoked = _decode(found)
            await self._store_token(id, token, revoked)
            if await self._names.confirm(folded, id):
                return NewBot(id, shown.decode(), token, revoked)
            await self._pipeline.call(b"DEL", self._keys.player(id))
        await self._pipeline.call(b"HDEL", self._keys.player_bots(owner), folded)
        return "name_taken"

    async def create_token(self, id: str, scopes: Sequence[str]) -> NewToken | None:
        """Issue a token that is limited to some scopes; None if the player is neither an account nor a bot."""
        token = new_token()
        args = (digest(token), MAX_LIMITED_TOKENS, ",".join(scopes))
        found = await self._pipeline.call_script(CREATE_TOKEN, 1, self._keys.player(id), *args)
        if found is None:
            return None
        revoked = _decode(found)
        await self._store_token(id, token, revoked)
        return NewToken(token, revoked)

    async def devices(self, id: str) -> list[tuple[int, int]]:
        """Return when each token of a player was created and last used, in milliseconds since 1970."""
        found = await self._pipeline.call(b"HGETALL", self._keys.player(id))
        fields = zip(found[::2], found[1::2], strict=True)
        times = [value.decode().split()[:2] for field, value in fields if field.startswith(b"token:")]
        return sorted((int(created), int(used)) for created, used in times)

    async def remove_bot(self, owner: str, folded: str) -> None:
        """Take a bot that is deleted off the list of its owner."""
        await self._pipeline.call(b"HDEL", self._keys.player_bots(owner), folded)

    async def _store_token(self, id: str, token: str, revoked: Digests) -> None:
        await self._pipeline.call(b"SET", self._keys.player_token(digest(token)), id)
        await self._delete_tokens(revoked)

    async def _delete_tokens(self, digests: Digests) -> None:
        await self._pipeline.call_all(*((b"DEL", self._keys.player_token(each)) for each in digests))

    async def check_token(self, id: str, token: str) -> tuple[StoredPlayer, bool] | None:
        """Return the player with this id, and whether the token is valid for it; None if the player is unknown.

        One read only: after an outage, a node calls this for every session at once.
        """
        *fields, token_field = await self._pipeline.call(
            b"HMGET", self._keys.player(id), *FIELDS, f"token:{digest(token)}"
        )  # fmt: skip
        player = read_player(id, fields)
        return None if player is None else (player, token_field is not None)


def _decode(digests: list[bytes]) -> Digests:
    return tuple(each.decode() for each in digests)
