"""Accounts: registering, signing in and out on several devices, passwords, and bots."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from parlour import games
from parlour.protocol.command_digest import id_reused
from parlour.protocol.errors import CloseCode, ErrorCode, Refusal
from parlour.protocol.messages import (
    Announced,
    ChangePassword,
    Command,
    CreateBot,
    CreateToken,
    Hello,
    Message,
    Ok,
    Register,
    SignedIn,
    SignIn,
    SignOut,
)  # fmt: skip
from parlour.protocol.reply_cache import ReplyCache
from parlour.protocol.types import Player
from parlour.server import restrictions
from parlour.server.limits.accounting import Accounting
from parlour.server.limits.address_bans import AddressBans
from parlour.server.players.guests import create_guest
from parlour.server.players.names import fold_name, name_taken, tidy_name
from parlour.server.players.passwords import Passwords, check_password, no_password
from parlour.server.players.ratings import Ratings
from parlour.server.sessions.command_ids import Handler
from parlour.server.sessions.player_sessions import Renamed, TokensRevoked
from parlour.server.sessions.session import Session
from parlour.server.store.accounts import MAX_BOTS, Account, Digests
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.players import Identity, StoredPlayer
from parlour.server.store.store import Store

REFRESH_WITHIN = 5.0  # seconds


class Accounts:
    """Identifies players, and handles the commands about their accounts."""

    def __init__(
        self, store: Store, send: Callable[[str, Message], None], accounting: Accounting, address_bans: AddressBans
    ) -> None:
        """`send` sends a message to a player on every node."""
        self.passwords = Passwords()
        self._store = store
        self._ratings = Ratings(store.ratings)
        self._send = send
        self._accounting = accounting
        self._address_bans = address_bans
        self._reserved = game_names()
        self._replies = ReplyCache()
        self._signing_out: set[Session] = set()
        self._in_progress: dict[tuple[str, str, Command], asyncio.Future[SignedIn]] = {}
        self.handlers: dict[type[Any], Handler] = {
            Register: self.register,
            SignIn: self.sign_in,
            SignOut: self.sign_out,
            ChangePassword: self.change_password,
            CreateBot: self.create_bot,
            CreateToken: self.create_token,
        }

    # -- who is on a connection

    async def identify(self, session: Session, hello: Hello) -> Identity:
        """Return the player with the token in hello, or a new guest."""
        refusal = self._address_bans.refusal(session.connection.address)
        if refusal is not None:
            raise refusal
        if hello.token is not None:
            player = await self._store.players.find(hello.token)
            if player is None:
                sentence = "This token is not valid. Say hello without one; `parlour token` creates one for a bot."
                raise Refusal(ErrorCode.TOKEN_UNKNOWN, sentence)
            await self._check_not_suspended(player)
            return Identity(player, hello.token)
        name = None if hello.name is None else tidy_name(hello.name, self._reserved)
        await self._accounting.charge(session, hello)
        return await create_guest(self._store.players, name)

    async def refresh_session(self, session: Session) -> None:
        """Apply what this node may have missed about a session's player: a new name, or a revoked token."""
        try:
            async with asyncio.timeout(REFRESH_WITHIN):
                await self._store.pipeline.ready()
                found = await self._store.accounts.check_token(session.player, session.token)
        except (TimeoutError, StoreUnavailable):
            return  # called again when the store is back
        if found is None:
            return  # the store has lost the player, but the session's games can go on
        player, is_valid = found
        session.name, session.kind, session.muted = player.name, player.kind, player.muted
        try:
            await self._check_not_suspended(player)
        except Refusal:
            session.connection.close(CloseCode.SUSPENDED)  # the next hello is refused with the reason
            return
        if not is_valid and session not in self._signing_out:  # which gets its reply first
            text = "Your account was deleted." if player.kind == "deleted" else "You have signed out."
            session.connection.close(CloseCode.SIGNED_OUT, text)
        elif warning := await self._store.moderation.warning(player.id):
            session.send(Announced(text=warning, kind="warning", at=self._store.clock.now()))
            await self._store.moderation.warned(player.id)

    async def _check_not_suspended(self, player: StoredPlayer) -> None:
        """Refuse a player who is suspended, or whose owner is."""
        owners = [] if player.owner is None else await self._store.players.get([player.owner])
        for each in (player, *owners):
            suspension = None if each is None else each.suspended
            if suspension is not None and suspension.holds_at(self._store.clock.now()):
                raise restrictions.suspended(suspension)

    # -- commands

    async def register(self, session: Session, command: Register) -> None:
        """Turn the session's guest into an account."""
        name = tidy_name(command.name, self._reserved)
        check_password(command.password, name)
        hash = await self.passwords.hash(command.password)
        # Not its digest: one that covers a password must not be stored.
        key = f"{session.session_id} {command.id}"
        match await self._store.accounts.register(session.player, name, fold_name(name), hash, key):
            case "name_taken":
                raise name_taken(name)
            case "already_registered":
                sentence = "You already have an account. Sign out to create another one."
                raise Refusal(ErrorCode.ALREADY_REGISTERED, sentence)
            case "player_unknown":
                raise Refusal(ErrorCode.TOKEN_UNKNOWN, "You have signed out. Say hello without a token.")
            case "repeated":
                account = await self._store.accounts.get(session.player)
                if account is None or account.name != name or not await self._has_password(account, command.password):
                    raise id_reused()
        await self._ratings.keep(session.player)
        await self._store.block_lists.keep(session.player)
        self._send(session.player, Renamed(name))
        # The session's token now belongs to the account, so a repeated command gets the same reply.
        session.send(SignedIn(id=command.id, you=Player(name), token=session.token))

    async def sign_in(self, session: Session, command: SignIn) -> None:
        """Issue a token for an account."""
        await self.reply_once(session, command, lambda: self._sign_in(session, command))

    async def _sign_in(self, session: Session, command: SignIn) -> SignedIn:
        account = await self._store.accounts.find(fold_name(command.name))
        issued = None
        if await self._has_password(account, command.password) and account is not None:
            (player,) = await self._store.players.get([account.id])
            if player is not None:
                await self._check_not_suspended(player)
            rehashed = await self.passwords.rehash(command.password, account.password_hash)
            issued = await self._store.accounts.sign_in(account, rehashed)
        if account is None or issued is None:
            # One sentence for both, so that it does not reveal which names have accounts.
            sentence = "There is no account with this name and password. Check both."
            raise Refusal(ErrorCode.SIGN_IN_REFUSED, sentence)
        reason = "You signed in on too many devices, so the one unused for longest was signed out. Sign in again."
        await self.announce_revoked(account.id, issued.revoked, reason)
        return SignedIn(id=command.id, you=Player(account.name), token=issued.token)

    async def sign_out(self, session: Session, command: SignOut) -> None:
        """Revoke the session's token, or all tokens of its player."""
        self._signing_out.add(session)
        try:
            revoked = await self._store.accounts.sign_out(session.player, None if command.everywhere else session.token)
        finally:
            self._signing_out.discard(session)
        session.send(Ok(id=command.id))
        session.connection.close(CloseCode.SIGNED_OUT, "You have signed out.")
        await self.announce_revoked(session.player, revoked, "You have signed out.")

    async def change_password(self, session: Session, command: ChangePassword) -> None:
        """Change the password, and revoke all tokens but the session's."""
        account = await self._store.accounts.get(session.player)
        if account is None:
            raise no_password()
        check_password(command.new, account.name)
        revoked = None
        if await self._has_password(account, command.old):
            hash = await self.passwords.hash(command.new)
            revoked = await self._store.accounts.change_password(account, hash, session.token)
            await self.announce_revoked(session.player, revoked or (), "The password was changed. Sign in again.")
        # A repeated command finds the new password already set.
        if revoked is None:
            account = await self._store.accounts.get(session.player)
            if not await self._has_password(account, command.new):
                raise Refusal(ErrorCode.SIGN_IN_REFUSED, "The old password is wrong. Check it and try again.")
        session.send(Ok(id=command.id))

    async def create_bot(self, session: Session, command: CreateBot) -> None:
        """Create a bot for the session's player, or issue a new token for an existing one."""
        await self.reply_once(session, command, lambda: self._create_bot(session, command))

    async def _create_bot(self, session: Session, command: CreateBot) -> SignedIn:
        name = tidy_name(command.name, self._reserved)
        bot = await self._store.accounts.create_bot(session.player, name, fold_name(name))
        if bot == "name_taken":
            raise name_taken(name)
        if bot == "too_many":
            sentence = f"You have {MAX_BOTS} bots, which is the limit. Use one of them."
            raise Refusal(ErrorCode.LIMIT_REACHED, sentence)
        if bot == "not_an_account":
            raise Refusal(ErrorCode.ACCOUNT_NEEDED, "Only a person with an account can have bots. Register first.")
        await self.announce_revoked(bot.id, bot.revoked, "The owner of this bot has created a new token.")
        return SignedIn(id=command.id, you=Player(bot.name, bot=True), token=bot.token)

    async def create_token(self, session: Session, command: CreateToken) -> None:
        """Issue a token of the session's player that is limited to some scopes."""
        await self.reply_once(session, command, lambda: self._create_token(session, command))

    async def _create_token(self, session: Session, command: CreateToken) -> SignedIn:
        created = await self._store.accounts.create_token(session.player, sorted(set(command.scopes)))
        if created is None:
            sentence = "Guests cannot have limited tokens. Register first, or use the token that you have."
            raise Refusal(ErrorCode.ACCOUNT_NEEDED, sentence)
        reason = "The player has too many tokens, so the one unused for longest was revoked."
        await self.announce_revoked(session.player, created.revoked, reason)
        return SignedIn(id=command.id, you=session.as_player(), token=created.token)

    # -- shared by the commands

    async def _has_password(self, account: Account | None, password: str) -> bool:
        return await self.passwords.verify(password, None if account is None else account.password_hash)

    async def announce_revoked(self, player: str, digests: Digests, reason: str) -> None:
        """Close the sessions of revoked tokens, and end the push subscriptions that were made with them."""
        if digests:
            self._send(player, TokensRevoked(digests, reason))
            await self._store.push_subscriptions.revoke(player, digests)

    async def reply_once(self, session: Session, command: Command, work: Callable[[], Awaitable[SignedIn]]) -> None:
        """Do the work and reply. A repeated command gets the first reply: it never issues a second token."""
        sender = session.player, session.session_id
        reply = self._replies.get(sender, command)
        if reply is None:
            key = (*sender, command)
            if key not in self._in_progress:
                self._in_progress[key] = asyncio.ensure_future(work())
            try:
                reply = await asyncio.shield(self._in_progress[key])
            finally:
                self._in_progress.pop(key, None)
            self._replies.put(sender, command, reply)
        session.send(reply)


def game_names() -> set[str]:
    """Return the names of games, which players cannot have."""
    return {name for key in games.keys() for name in (key, games.find(key).info.name)}
