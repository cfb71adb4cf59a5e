"""A request for a game that still needs an opponent: a place in a queue, an open seek, or a challenge."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from parlour.client.table import Table


SeatPreference = Literal["any", "first", "second"]
"""Which seat a player wants to have; the first one moves first."""


class PendingSeek:
    """A wait for an opponent. It survives reconnects: the client repeats the request by itself."""

    def __init__(
        self, seek: str, join: Callable[[str], Awaitable[Table]], cancel: Callable[[PendingSeek], Awaitable[None]]
    ) -> None:
        self.seek = seek  # its id; for a challenge without a name, the code to pass on
        self._join = join
        self._cancel = cancel
        self._room: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def __repr__(self) -> str:
        return f"<PendingSeek {self.seek}: {'done' if self.done else 'waiting'}>"

    @property
    def done(self) -> bool:
        """Whether the wait is over: an opponent was found, or the seek was cancelled or lost."""
        return self._room.done()

    async def room(self) -> str:
        """Wait for an opponent and return the room. Raise `Refusal` if the seek is cancelled or lost."""
        return await asyncio.shield(self._room)

    async def table(self) -> Table:
        """Wait for an opponent, join the room and return the table. Raise `Refusal` like `room`."""
        return await self._join(await self.room())

    async def cancel(self) -> None:
        """Stop waiting. The server refuses with `seek_gone` if an opponent was found at the same moment."""
        await self._cancel(self)

    # -- called by the client

    def resolve(self, room: str) -> None:
        """An opponent was found."""
        if not self._room.done():
            self._room.set_result(room)

    def fail(self, error: Exception) -> None:
        """There will be no opponent."""
        if not self._room.done():
            self._room.set_exception(error)
            self._room.exception()  # marks it as retrieved: a caller need not await it
