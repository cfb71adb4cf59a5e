"""The user's session on a server: signed in with a stored token, with a second player for hotseat games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

from parlour.client.client import Client, connect
from parlour.client.connection import RefusedError
from parlour.client.pending_seek import SeatPreference
from parlour.client.table import Table
from parlour.client.tokens import TokenFile
from parlour.protocol.errors import ErrorCode
from parlour.protocol.types import Terms
from parlour.terminal.ui.table_view import LocalSeat, TableView

PROGRAM = "parlour play"


class PlayerSession:
    """An async context manager that is connected while it is entered."""

    def __init__(
        self,
        addresses: str | Sequence[str],
        *,
        token_key: str = "",
        name: str = "",
        preferred_name: str = "",
        second_name: str = "",
        tokens: TokenFile | None = None,
        timeout: float | None = 20.0,
        wait: bool = False,
        on_problem: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`token_key`: the key of this server in the token file, if it is not the address.

        `name`: play as the player of this name. If the stored token is that of another player, this is a second
        identity, whose token is stored beside the first. `second_name` is the same for the second player of hotseat
        games. `preferred_name`: the name of a new guest without `name`. `wait` and `on_problem` are those of `connect`.
        """
        self.addresses = [addresses] if isinstance(addresses, str) else list(addresses)
        self.server = token_key or self.addresses[0]
        self.is_offline = bool(token_key)  # whether the server is the user's private one, where only terminals can meet
        self.tokens = tokens or TokenFile()
        self.preferred_name = preferred_name
        self.notices: list[str] = []  # sentences for the user about this session
        self._token_key = self.server  # of the player
        self._second_key = f"{self.server} (second player)"
        self._name = name
        self._second_name = second_name
        self._timeout = timeout
        self._wait = wait
        self._on_problem = on_problem
        self._exit_stack = AsyncExitStack()
        self._client: Client | None = None
        self._second_client: Client | None = None

    async def __aenter__(self) -> Self:
        await self._exit_stack.__aenter__()
        try:
            self._client, self._token_key = await self._identify(self._token_key, self._name)
            if self._exit_stack.enter_context(self.tokens.used(self._token_key)):
                self.notices.append(
                    f"Another terminal plays as {self._client.you.name}, too, and you cannot be paired with yourself."
                    " To play against it, start this one with --profile NAME."
                )
        except BaseException:
            await self._exit_stack.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._exit_stack.aclose()

    @property
    def client(self) -> Client:
        assert self._client is not None, "enter the session first"
        return self._client

    async def _identify(self, token_key: str, name: str) -> tuple[Client, str]:
        """Connect as the player of this name, or as the stored one without a name. Return also the key of its token."""
        stored = self.tokens.get(token_key)
        client = await self._connect(token_key, name)
        if not name or client.you.name.casefold() == name.casefold():
            return client, token_key
        if client.token != stored:
            self.notices.append(f"The name {name} is taken here. You are {client.you.name}.")
            return client, token_key
        other_key = f"{token_key} as {name.casefold()}"
        other = await self._connect(other_key, name)
        self.notices.append(f"You play as {other.you.name}. Without a name, you are {client.you.name}.")
        await client.__aexit__(None, None, None)
        return other, other_key

    async def _connect(self, token_key: str, name: str = "") -> Client:
        """Connect with the stored token, or else as a new guest."""
        token = self.tokens.get(token_key)
        preferred = name or (self.preferred_name if token_key == self._token_key else "")
        try:
            client = await self._exit_stack.enter_async_context(self._connecting(token, preferred))
        except RefusedError as refused:
            if refused.code != ErrorCode.NAME_REFUSED or name:
                raise
            self.notices.append(f"You cannot be called {preferred} here. {refused.sentence}")
            client = await self._exit_stack.enter_async_context(self._connecting(token, ""))
        if token is None and not name and self.tokens.get(token_key) is not None:
            await client.__aexit__(None, None, None)  # another terminal was first: both are the same player
            return await self._connect(token_key)
        self.tokens.save(token_key, client.token)
        return client

    def _connecting(self, token: str | None, name: str) -> Client:
        return connect(
            self.addresses,
            token=token,
            name=name or None,
            program=PROGRAM,
            timeout=self._timeout,
            wait=self._wait,
            on_problem=self._on_problem,
        )

    # -- accounts

    async def register(self, name: str, password: str) -> None:
        """Turn the guest into an account, which keeps the games played so far."""
        signed_in = await self.client.register(name, password)
        self.tokens.save(self._token_key, signed_in.token)

    async def sign_in(self, name: str, password: str) -> None:
        """Switch to an account."""
        previous = self.client
        signed_in = await previous.sign_in(name, password)
        self.tokens.save(self._token_key, signed_in.token)
        self._client = await self._connect(self._token_key)
        await previous.__aexit__(None, None, None)

    async def sign_out(self) -> None:
        """Sign out and continue as a new guest, with the preferred name if it is free."""
        await self.client.sign_out()
        self.tokens.remove(self._token_key)
        self._client = await self._connect(self._token_key)

    # -- tables

    async def second_client(self) -> Client:
        """Return the client of the second player at this screen, who is another guest."""
        if self._second_client is None or self._second_client.state == "ended":
            self._second_client, self._second_key = await self._identify(self._second_key, self._second_name)
        return self._second_client

    async def name_second_player(self, name: str) -> None:
        """Let the player of this name be the second one at this screen. Without a name, nothing changes."""
        second_client = self._second_client
        if name and (second_client is None or second_client.you.name.casefold() != name.casefold()):
            self._second_name, self._second_client = name, None
            if second_client is not None:
                await second_client.__aexit__(None, None, None)

    async def hotseat(self, terms: Terms, seat: SeatPreference = "first", position: str | None = None) -> TableView:
        """Start a game between two players at this screen; `seat` is the one of the signed-in player."""
        second_client = await self.second_client()
        theirs: SeatPreference = "second" if seat == "first" else "first" if seat == "second" else "any"
        pending = await second_client.challenge(terms, seat=theirs, position=position)
        table = await self.client.accept(pending.seek)
        return TableView(LocalSeat(self.client, table), LocalSeat(second_client, await pending.table()))

    async def view(self, table: Table) -> TableView:
        """Return the view of a table. It includes the second player if the other seat is theirs."""
        other = table.opponent
        if other is not None and other.guest and self.tokens.get(self._second_key):
            second_client = await self.second_client()
            if second_client.you.name == other.name:
                theirs = await second_client.join(table.room)
                return TableView(LocalSeat(self.client, table), LocalSeat(second_client, theirs))
        return TableView(LocalSeat(self.client, table))

    async def open(self, room: str) -> TableView:
        """Join a room and return the view of its table."""
        return await self.view(await self.client.join(room))
