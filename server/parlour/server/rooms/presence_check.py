"""Finds players that are not connected to any node, and limits log entries for a player who comes and goes.

A node notices when one of its own connections is lost, but no node notices when another node dies with all of its
connections. So every node that has a room open asks the others, from time to time, for players it does not see itself.
If none answers, the player is offline.
"""

from __future__ import annotations

from asyncio import TimerHandle
from collections import defaultdict, deque
from collections.abc import Callable
from functools import partial

from parlour.server.rooms.context import RoomContext, WhoHasPlayer
from parlour.server.rooms.subscribers import Subscribers

CHECK_EVERY = 15.0  # seconds
ANSWER_WITHIN = 3.0  # seconds
RECORDED_AT_ONCE = 4  # changes of one player's presence; further ones wait
RECORDED_FOR = 4.0  # seconds for which each of them counts


class PresenceCheck:
    """The presence of the players of one room on one node."""

    def __init__(self, subscribers: Subscribers, context: RoomContext, record: Callable[[int], None]) -> None:
        """`record` is called with a seat to commit whether its player is connected, if the log says otherwise."""
        self._subscribers = subscribers
        self._context = context
        self._record = record
        self._unanswered: set[int] = set()
        self._timer = context.call_later(CHECK_EVERY, self._ask)
        self._waiting: set[int] = set()  # seats that have changed since they were recorded
        self._recorded: defaultdict[int, deque[TimerHandle]] = defaultdict(deque)  # by seat, oldest first

    def changed(self, seat: int) -> None:
        """Record a change: at once, or later together with others if the player keeps coming and going."""
        recorded = self._recorded[seat]
        if len(recorded) == RECORDED_AT_ONCE:
            self._waiting.add(seat)
            return
        recorded.append(self._context.call_later(RECORDED_FOR, partial(self._forget, seat)))
        self._record(seat)

    def _forget(self, seat: int) -> None:
        self._recorded[seat].popleft()
        if seat in self._waiting:
            self._waiting.discard(seat)
            self.changed(seat)

    def answered(self, seat: int) -> None:
        """Note that another node has this player."""
        self._unanswered.discard(seat)

    def close(self) -> None:
        """Stop checking, and drop the reference to the room, which would be a cycle."""
        self._record = _nothing
        self._timer.cancel()
        for recorded in self._recorded.values():
            for timer in recorded:
                timer.cancel()

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
            self._record(seat)
        self._timer = self._context.call_later(CHECK_EVERY, self._ask)


def _nothing(_: int) -> None:
    """Do nothing."""
