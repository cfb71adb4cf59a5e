"""A place where somebody waits for an opponent: in a queue, with a seek, or with an invitation."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parlour.client.table import Table


class Waiting:
    """Lasts over cuts of the connection: the place is taken again by itself."""

    def __init__(
        self, seek: str, join: Callable[[str], Awaitable[Table]], withdraw: Callable[[Waiting], Awaitable[None]]
    ) -> None:
        self.seek = seek  # its name; of an invitation, the code to pass on
        self._join = join
        self._withdraw = withdraw
        self._room: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    @property
    def over(self) -> bool:
        """Whether there is nothing to wait for any more: a game was found, or none will be."""
        return self._room.done()

    async def room(self) -> str:
        """The room of the game, once there is one. Raises a `Refusal` if the place is lost."""
        return await asyncio.shield(self._room)

    async def table(self) -> Table:
        """The table, once there is one, with you at it. Raises a `Refusal` if the place is lost."""
        return await self._join(await self.room())

    async def cancel(self) -> None:
        """Do not wait any longer. Refused with `seek_gone` if somebody was found in this very moment."""
        await self._withdraw(self)

    # -- told by the connection

    def paired(self, room: str) -> None:
        if not self._room.done():
            self._room.set_result(room)

    def lost(self, fault: Exception) -> None:
        if not self._room.done():
            self._room.set_exception(fault)
            self._room.exception()  # nobody has to look at it
