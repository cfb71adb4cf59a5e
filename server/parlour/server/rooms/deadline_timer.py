"""The local timer of a room's next deadline. The store remembers the deadline too, in case this node dies."""

from __future__ import annotations

from asyncio import TimerHandle
from collections.abc import Callable
from math import inf

from parlour.server.rooms.commands import BOT_MOVE_WITHIN
from parlour.server.rooms.context import RoomContext

MARGIN = 0.005  # seconds, so that the deadline has really passed when the timer fires


class DeadlineTimer:
    """Calls `on_due` when a deadline has passed.

    Setting a later deadline leaves the timer alone: when it fires too early, the check sets it again. That is cheaper
    than resetting it with every move.
    """

    def __init__(self, context: RoomContext, on_due: Callable[[], None]) -> None:
        self._context = context
        self._on_due = on_due
        self._handle: TimerHandle | None = None
        self.fires_at: float = inf  # milliseconds; infinite while the timer is not set

    def set(self, due_at: int | None, bot_to_move: bool) -> int | None:
        """Have the room checked at its deadline; return when. A bot's turn is checked periodically."""
        if due_at is None:
            return None
        now = self._context.now()
        if bot_to_move and not now < due_at <= now + BOT_MOVE_WITHIN:
            due_at = now + BOT_MOVE_WITHIN
        if due_at < self.fires_at:
            self.close()
            self.fires_at = due_at
            wait = max(0, due_at - self._context.now()) / 1000 + MARGIN
            self._handle = self._context.call_later(wait, self._fire)
        return due_at

    def close(self) -> None:
        """Cancel the timer."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
            self.fires_at = inf

    def end(self) -> None:
        """Cancel the timer for good, and drop the reference to the room, which would be a cycle."""
        self.close()
        self._on_due = _nothing

    def _fire(self) -> None:
        self._handle = None
        self.fires_at = inf
        self._on_due()


def _nothing() -> None:
    """Do nothing."""
