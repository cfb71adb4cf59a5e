"""The lobby of a node: its parts, and what happens in all of them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from parlour.protocol.feed import Ledger
from parlour.protocol.messages import Accept, Cancel, Challenge, Message, Ok, Queue, Seek, WatchLobby
from parlour.server.allowance import Allowance
from parlour.server.config import Settings
from parlour.server.house import House
from parlour.server.lobby.live import LiveGames
from parlour.server.lobby.onlookers import Onlookers
from parlour.server.lobby.quick_match import QuickMatch
from parlour.server.lobby.seeks import Seeks
from parlour.server.lobby.tables import Tables, paired
from parlour.server.store.store import Store
from parlour.server.visitor import Visitor

Handler = Callable[[Visitor, Any], Coroutine[Any, Any, None]]


class Lobby:
    """Brings players together, and shows who is looking for a game and what is played."""

    def __init__(
        self,
        store: Store,
        house: House,
        allowance: Allowance,
        settings: Settings,
        *,
        tell: Callable[[str, Message], None],
        run: Callable[[Coroutine[Any, Any, None]], None],
        connections: Callable[[], int],
    ) -> None:
        self.tables = Tables(store, house, settings)
        self._live = LiveGames(store, house, connections)
        self.onlookers = Onlookers(store, self._live, run)
        self._quick_match = QuickMatch(store, self.tables, allowance, tell)
        self._seeks = Seeks(store, self.tables, allowance, tell)
        self._withdrawn = Ledger()
        self.handlers: dict[type[Any], Handler] = {
            Queue: self._quick_match.queue,
            Seek: self._seeks.seek,
            Challenge: self._seeks.challenge,
            Accept: self._seeks.accept,
            Cancel: self.cancel,
            WatchLobby: self.onlookers.watch,
        }

    async def cancel(self, visitor: Visitor, command: Cancel) -> None:
        answer = self._withdrawn.find(visitor.player, command.id)
        if answer is None:
            if not await self._quick_match.withdraw(visitor, command.seek):
                await self._seeks.withdraw(visitor, command.seek)
            answer = Ok(id=command.id)
            self._withdrawn.note(visitor.player, command.id, answer)
        visitor.send(answer)

    def paired(self, seek: str) -> None:
        """Somebody who waits here has a game now."""
        self._quick_match.forget(seek)
        self._seeks.forget(seek)

    async def left(self, visitor: Visitor) -> None:
        """A connection is gone, and with it its seeks and its places in queues."""
        await self._quick_match.left(visitor)
        await self._seeks.left(visitor)

    async def remind(self, visitor: Visitor) -> None:
        """Tell somebody who came back which games are still on, and who has invited him."""
        for room in await self.tables.running(visitor.player):
            visitor.send(paired(room, visitor.player))
        await self._seeks.remind(visitor)

    async def refresh(self) -> None:
        """Keep what belongs to those who are here, and tell of the games here. Call this every second."""
        await self._quick_match.refresh()
        await self._seeks.refresh()
        await self._live.report()
        await self.onlookers.refresh()
