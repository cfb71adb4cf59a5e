"""The user's session on a server: signed in with a stored token, with a second player for hotseat games."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

from parlour.client.client import Client, SeatPreference, connect
from parlour.client.table import Table
from parlour.client.tokens import TokenFile
from parlour.client.ui.table_view import LocalSeat, TableView
from parlour.protocol.types import Terms

PROGRAM = "parlour play"


class PlayerSession:
    """An async context manager that is connected while it is entered."""

    def __init__(
        self,
        addresses: str | Sequence[str],
        *,
        token_key: str = "",
        name: str = "",
        tokens: TokenFile | None = None,
        timeout: float | None = 20.0,
    ) -> None:
        """`token_key`: the key of this server in the token file, if it is not the address."""
        self.addresses = [addresses] if isinstance(addresses, str) else list(addresses)
        self.server = token_key or self.addresses[0]
        self.tokens = tokens or TokenFile()
        self._name = name
        self._timeout = timeout
        self._exit_stack = AsyncExitStack()
        self._client: Client | None = None
        self._second_client: Client | None = None

    async def __aenter__(self) -> Self:
        await self._exit_stack.__aenter__()
        try:
            self._client = await self._connect(self.server, self._name)
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

    async def _connect(self, token_key: str, name: str = "") -> Client:
        token = self.tokens.get(token_key)
        connecting = connect(self.addresses, token=token, name=name or None, program=PROGRAM, timeout=self._timeout)
        client = await self._exit_stack.enter_async_context(connecting)
        self.tokens.save(token_key, client.token)
        return client

    # -- accounts

    async def register(self, name: str, password: str) -> None:
        """Turn the guest into an account, which keeps the games played so far."""
        signed_in = await self.client.register(name, password)
        self.tokens.save(self.server, signed_in.token)

    async def sign_in(self, name: str, password: str) -> None:
        """Switch to an account."""
        previous = self.client
        signed_in = await previous.sign_in(name, password)
        self.tokens.save(self.server, signed_in.token)
        self._client = await self._connect(self.server)
        await previous.__aexit__(None, None, None)

    async def sign_out(self) -> None:
        """Sign out and continue as a new guest."""
        await self.client.sign_out()
        self.tokens.remove(self.server)
        self._client = await self._connect(self.server)

    # -- tables

    async def second_client(self) -> Client:
        """Return the client of the second player at this screen, who is another guest."""
        if self._second_client is None or self._second_client.state == "ended":
            self._second_client = await self._connect(f"{self.server} (second player)")
        return self._second_client

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
        if other is not None and other.guest and self.tokens.get(f"{self.server} (second player)"):
            second_client = await self.second_client()
            if second_client.you.name == other.name:
                theirs = await second_client.join(table.room)
                return TableView(LocalSeat(self.client, table), LocalSeat(second_client, theirs))
        return TableView(LocalSeat(self.client, table))

    async def open(self, room: str) -> TableView:
        """Join a room and return the view of its table."""
        return await self.view(await self.client.join(room))
