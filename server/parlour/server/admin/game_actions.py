"""An operator's actions on games. They go through the room's log, like everything that happens in a room."""

from __future__ import annotations

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.admin.audit_writer import ActionContext, AuditWriter
from parlour.server.rooms.interventions import Intervention, adjudicate, cancel, close
from parlour.server.rooms.registry import RoomRegistry
from parlour.server.store.store import Store


class GameActions:
    """Ends games and closes rooms. The coroutines raise Refusal and StoreUnavailable."""

    def __init__(self, store: Store, registry: RoomRegistry, audit: AuditWriter) -> None:
        self._store = store
        self._registry = registry
        self._audit = audit

    async def adjudicate(self, context: ActionContext, room: str, winner: int | None) -> None:
        """End a game with a winner, given as a seat, or as a draw."""
        await self._act(context, "adjudicate", room, adjudicate(winner), "draw" if winner is None else f"seat {winner}")

    async def abort(self, context: ActionContext, room: str) -> None:
        """End a game without a result."""
        await self._act(context, "abort", room, cancel)

    async def close(self, context: ActionContext, room: str) -> None:
        """End a game without a result, if it is running, and close its room."""
        await self._act(context, "close", room, close)

    async def _act(self, context: ActionContext, action: str, id: str, change: Intervention, detail: str = "") -> None:
        room = await self._registry.open(id)
        change(room.state, self._store.clock.now())  # refused before it is written to the audit log
        await self._audit.write(context, action, id, detail=detail)
        await room.change(change)

    async def cancel_all(self, player: str) -> None:
        """Cancel the running games of a player."""
        for id in await self._store.seats.rooms(player):
            await self.cancel(id)

    async def cancel(self, id: str) -> None:
        """Cancel a game, unless it is over or does not exist."""
        try:
            await (await self._registry.open(id)).change(cancel)
        except Refusal as refusal:
            if refusal.code not in (ErrorCode.GAME_OVER, ErrorCode.ROOM_UNKNOWN):
                raise
