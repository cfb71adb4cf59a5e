"""Finds players that are connected to no node.

A node notices when one of its own connections is lost, but no node notices when another node dies with all of its
connections. So every node that has a room open asks the others, from time to time, for players it does not see itself.
If none answers, the player is offline.
"""

from __future__ import annotations

from collections.abc import Callable

from parlour.server.rooms.context import RoomContext, WhoHasPlayer
from parlour.server.rooms.subscribers import Subscribers

CHECK_EVERY = 15.0  # seconds
ANSWER_WITHIN = 3.0  # seconds


class PresenceCheck:
    """The presence check of one room on one node."""

    def __init__(self, subscribers: Subscribers, context: RoomContext, on_missing: Callable[[int], None]) -> None:
        """`on_missing` is called with the seat of a player that no node has."""
        self._subscribers = subscribers
        self._context = context
        self._on_missing = on_missing
        self._unanswered: set[int] = set()
        self._timer = context.call_later(CHECK_EVERY, self._ask)

    def answered(self, seat: int) -> None:
        """Note that another node has this player."""
        self._unanswered.discard(seat)

    def close(self) -> None:
        """Stop checking."""
        self._timer.cancel()

    def _ask(self) -> None:
        state = self._subscribers.state
        for seat, since in enumerate(state.offline_since):
            if since is None and not self._subscribers.of_seat(seat):
                self._unanswered.add(seat)
                self._context.tell_nodes(WhoHasPlayer(room=state.id, seat=seat))
        self._timer = self._context.call_later(ANSWER_WITHIN, self._conclude)

    def _conclude(self) -> None:
        missing, self._unanswered = self._unanswered, set()
        for seat in missing:
            self._on_missing(seat)
        self._timer = self._context.call_later(CHECK_EVERY, self._ask)
