"""A visit to a server: who you are there, kept for the next time, and whoever sits beside you at the same screen."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

from parlour.client.identity import Identities
from parlour.client.parlour import Parlour, SeatWish, connect
from parlour.client.table import Table
from parlour.client.visit.sitting import Seat, Sitting
from parlour.protocol.tables import Terms

CLIENT = "parlour play"


class Visit:
    """Use it as an async context manager: you are connected inside."""

    def __init__(
        self,
        addresses: str | Sequence[str],
        *,
        known_as: str = "",
        name: str = "",
        identities: Identities | None = None,
        within: float | None = 20.0,
    ) -> None:
        """`known_as`: under which name of the server you are remembered, if not under its address."""
        self.addresses = [addresses] if isinstance(addresses, str) else list(addresses)
        self.server = known_as or self.addresses[0]
        self.identities = identities or Identities()
        self._name = name
        self._within = within
        self._parts = AsyncExitStack()
        self._parlour: Parlour | None = None
        self._companion: Parlour | None = None

    async def __aenter__(self) -> Self:
        await self._parts.__aenter__()
        try:
            self._parlour = await self._enter(self.server, self._name)
        except BaseException:
            await self._parts.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._parts.aclose()

    @property
    def parlour(self) -> Parlour:
        assert self._parlour is not None, "enter the visit first"
        return self._parlour

    async def _enter(self, known_as: str, name: str = "") -> Parlour:
        token = self.identities.token(known_as)
        entered = connect(self.addresses, token=token, name=name or None, client=CLIENT, within=self._within)
        parlour = await self._parts.enter_async_context(entered)
        self.identities.keep(known_as, parlour.token)
        return parlour

    # -- accounts

    async def register(self, name: str, password: str) -> None:
        """Keep a name, with everything played so far."""
        done = await self.parlour.register(name, password)
        self.identities.keep(self.server, done.token)

    async def sign_in(self, name: str, password: str) -> None:
        """Be somebody who has an account, from now on."""
        before = self.parlour
        done = await before.sign_in(name, password)
        self.identities.keep(self.server, done.token)
        self._parlour = await self._enter(self.server)
        await before.__aexit__(None, None, None)

    async def sign_out(self) -> None:
        """Be a new guest."""
        await self.parlour.sign_out()
        self.identities.forget(self.server)
        self._parlour = await self._enter(self.server)

    # -- tables

    async def companion(self) -> Parlour:
        """The second person at this screen: a guest of their own."""
        if self._companion is None or self._companion.state == "ended":
            self._companion = await self._enter(f"{self.server} (second person)")
        return self._companion

    async def share(self, terms: Terms, seat: SeatWish = "first", position: str | None = None) -> Sitting:
        """A table for two people at this screen; `seat` is that of the one who has been here before."""
        companion = await self.companion()
        theirs: SeatWish = "second" if seat == "first" else "first" if seat == "second" else "any"
        waiting = await companion.challenge(terms, seat=theirs, position=position)
        table = await self.parlour.accept(waiting.seek)
        return Sitting(Seat(self.parlour, table), Seat(companion, await waiting.table()))

    async def sit(self, table: Table) -> Sitting:
        """You at a table, together with the second person if the other seat is theirs."""
        other = table.opponent
        if other is not None and other.guest and self.identities.token(f"{self.server} (second person)"):
            companion = await self.companion()
            if companion.you.name == other.name:
                return Sitting(Seat(self.parlour, table), Seat(companion, await companion.join(table.room)))
        return Sitting(Seat(self.parlour, table))

    async def open(self, room: str) -> Sitting:
        """Go to a table by the name of its room."""
        return await self.sit(await self.parlour.join(room))
