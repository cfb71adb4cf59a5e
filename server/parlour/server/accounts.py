"""Accounts: a name to keep, a password, signing in and out on several devices, bots."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from msgspec import Struct

from parlour import games
from parlour.protocol.errors import CloseCode, ErrorCode, Refusal
from parlour.protocol.feed import Ledger
from parlour.protocol.messages import (
    ChangePassword,
    Command,
    Hello,
    MakeBot,
    Message,
    Ok,
    Register,
    SignedIn,
    SignIn,
    SignOut,
)  # fmt: skip
from parlour.protocol.tables import Player
from parlour.server.allowance import Allowance, Kind
from parlour.server.passwords import Passwords, check_password
from parlour.server.store.accounts import MOST_BOTS, Account
from parlour.server.store.names import fold, tidy_name
from parlour.server.store.players import Player as Known
from parlour.server.store.players import digest
from parlour.server.store.store import Store
from parlour.server.visitor import Visitor

RECHECK_WITHIN = 5.0  # seconds

WRONG = "There is no account with this name and this password."


class Renamed(Message, frozen=True, tag="renamed"):
    """Among nodes: a guest has an account now. His connections go on under the new name."""

    name: str

    def reach(self, visitor: Visitor) -> None:
        visitor.name, visitor.kind = self.name, "account"


class Ended(Message, frozen=True, tag="ended"):
    """Among nodes: these tokens are no good any more. Their connections are closed."""

    digests: tuple[str, ...]
    text: str

    def reach(self, visitor: Visitor) -> None:
        if digest(visitor.token) in self.digests:
            visitor.peer.close(CloseCode.SIGNED_OUT, self.text)


class Identity(Struct, frozen=True):
    """Whom a connection speaks for."""

    player: Known
    token: str
    is_new: bool = False


class Accounts:
    """What players do about who they are."""

    def __init__(self, store: Store, tell: Callable[[str, Message], None], allowance: Allowance) -> None:
        self.passwords = Passwords()
        self._store = store
        self._tell = tell  # a player, wherever he is connected
        self._allowance = allowance
        self._reserved = game_names()
        self._answers = Ledger()
        self._under_way: dict[tuple[str, int], asyncio.Future[SignedIn]] = {}

    async def register(self, visitor: Visitor, command: Register) -> None:
        name = tidy_name(command.name, self._reserved)
        check_password(command.password, name)
        await self._allowance.check(Kind.NAME, visitor)
        hash = await self.passwords.hash(command.password)
        match await self._store.accounts.register(visitor.player, name, hash, command.id):
            case "taken":
                raise Refusal(ErrorCode.NAME_TAKEN, f"Somebody is called {name} already: choose another name.")
            case "already":
                raise Refusal(ErrorCode.ALREADY_REGISTERED, "You have an account already.")
            case "gone":
                raise Refusal(ErrorCode.TOKEN_UNKNOWN, "You have signed out. Say hello again without the token.")
            case "done":
                await self._store.ratings.enlist(visitor.player)
                self._tell(visitor.player, Renamed(name))
                # The token of this connection stands for the account now, so it is the answer however often one asks.
                visitor.send(SignedIn(id=command.id, you=Player(name), token=visitor.token))

    async def sign_in(self, visitor: Visitor, command: SignIn) -> None:
        await self._once(visitor, command, lambda: self._sign_in(visitor, command))

    async def _sign_in(self, visitor: Visitor, command: SignIn) -> SignedIn:
        await self._allowance.check(Kind.SIGN_IN, visitor, fold(command.name))
        account = await self._store.accounts.find(command.name)
        signed_in = None
        if await self._is_right(account, command.password) and account is not None:
            signed_in = await self._store.accounts.sign_in(account)
        if account is None or signed_in is None:
            raise Refusal(ErrorCode.SIGN_IN_REFUSED, WRONG)
        token, ended = signed_in
        self._end(account.id, ended, "Too many devices are signed in, and this one was not used for longest.")
        return SignedIn(id=command.id, you=Player(account.name), token=token)

    async def sign_out(self, visitor: Visitor, command: SignOut) -> None:
        ended = await self._store.accounts.sign_out(visitor.player, None if command.everywhere else visitor.token)
        visitor.send(Ok(id=command.id))
        self._end(visitor.player, ended, "You have signed out.")

    async def change_password(self, visitor: Visitor, command: ChangePassword) -> None:
        account = await self._store.accounts.get(visitor.player)
        if account is None:
            raise Refusal(ErrorCode.ACCOUNT_NEEDED, "Only accounts have a password: keep your name first.")
        check_password(command.new, account.name)
        await self._allowance.check(Kind.SIGN_IN, visitor, fold(account.name))
        ended = None
        if await self._is_right(account, command.old):
            hash = await self.passwords.hash(command.new)
            ended = await self._store.accounts.change_password(account, hash, visitor.token)
            self._end(visitor.player, ended or (), "The password was changed: sign in again.")
        # The same command sent again finds it done.
        if ended is None and not await self._is_right(await self._store.accounts.get(visitor.player), command.new):
            raise Refusal(ErrorCode.SIGN_IN_REFUSED, "The old password is not right.")
        visitor.send(Ok(id=command.id))

    async def make_bot(self, visitor: Visitor, command: MakeBot) -> None:
        await self._once(visitor, command, lambda: self._make_bot(visitor, command))

    async def _make_bot(self, visitor: Visitor, command: MakeBot) -> SignedIn:
        name = tidy_name(command.name, self._reserved)
        await self._allowance.check(Kind.NAME, visitor)
        made = await self._store.accounts.make_bot(visitor.player, name)
        if made == "taken":
            raise Refusal(ErrorCode.NAME_TAKEN, f"Somebody is called {name} already: choose another name.")
        if made == "full":
            raise Refusal(ErrorCode.LIMIT_REACHED, f"You have {MOST_BOTS} bots, which is as many as one may have.")
        if made == "guest":
            raise Refusal(ErrorCode.ACCOUNT_NEEDED, "Only accounts of people have bots: keep your name first.")
        self._end(made.id, made.ended, "The owner has made a new token.")
        return SignedIn(id=command.id, you=Player(made.name, bot=True), token=made.token)

    # -- who is there

    async def identify(self, visitor: Visitor, hello: Hello) -> Identity:
        """Who says hello: somebody known by his token, or a new guest."""
        if hello.token is not None:
            known = await self._store.players.find(hello.token)
            if known is None:
                raise Refusal(ErrorCode.TOKEN_UNKNOWN, "Nobody is known under this token. Say hello without it.")
            return Identity(known, hello.token)
        wish = None if hello.name is None else tidy_name(hello.name, self._reserved)
        await self._allowance.check(Kind.GUEST, visitor)
        guest = await self._store.players.new_guest(wish)
        return Identity(Known(guest.id, guest.name), guest.token, is_new=True)

    async def recheck(self, visitor: Visitor) -> None:
        """Learn what we may have missed about somebody who is connected: a new name, or the end of his token."""
        try:
            async with asyncio.timeout(RECHECK_WITHIN):
                await self._store.pipe.ready()
                found = await self._store.accounts.recheck(visitor.player, visitor.token)
        except (TimeoutError, ConnectionError):
            return  # when the store is back we are asked again
        if found is None:
            return  # the store has lost something; no reason to throw anybody out of a game
        known, is_valid = found
        visitor.name, visitor.kind = known.name, known.kind
        if not is_valid:
            visitor.peer.close(CloseCode.SIGNED_OUT, "You have signed out.")

    # -- inside

    async def _is_right(self, account: Account | None, password: str) -> bool:
        return await self.passwords.fits(password, None if account is None else account.password)

    def _end(self, player: str, digests: tuple[str, ...], text: str) -> None:
        if digests:
            self._tell(player, Ended(digests, text))

    async def _once(self, visitor: Visitor, command: Command, work: Callable[[], Awaitable[SignedIn]]) -> None:
        """Answer with what is done now, is under way, or was done before: a command gives one token."""
        key = visitor.player, command.id
        answer = self._answers.find(*key)
        if answer is None:
            if key not in self._under_way:
                self._under_way[key] = asyncio.ensure_future(work())
            try:
                answer = await asyncio.shield(self._under_way[key])
            finally:
                self._under_way.pop(key, None)
            self._answers.note(*key, answer)
        visitor.send(answer)


def game_names() -> set[str]:
    """Nobody is called like a game."""
    return {name for key in games.keys() for name in (key, games.find(key).info.name)}
