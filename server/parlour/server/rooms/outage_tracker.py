"""Outages as one room sees them: which of them to excuse, and whether one may still be unknown."""

from __future__ import annotations

from parlour.server.outages import UNKNOWN_NODES
from parlour.server.rooms.commands import Events, current_outages, deadline, excuse_outages
from parlour.server.rooms.effects import LearnOutages, ReadSeatNodes, Step
from parlour.server.rooms.state import RoomState
from parlour.server.rooms.work_queue import Services


class OutageTracker:
    """The outages of one room. Players are not charged for time in which they could not be served."""

    def __init__(self, services: Services) -> None:
        self._heartbeat = services.heartbeat
        self._node = services.seat_nodes.node
        self.considered_until = 0  # the end of the newest outage that has been considered

    def excuses(self, state: RoomState, now: int) -> Step[Events]:
        """Return the events to commit because of outages. Repeat this until all outages are considered."""
        if now > self._heartbeat.known_until:
            yield LearnOutages(now)
            return ()
        outages = current_outages(state, self._heartbeat.outages)
        nodes = (yield _seat_nodes(state)) if any(outage.node for outage in outages) else UNKNOWN_NODES
        events = excuse_outages(state, outages, nodes, now)
        if not events:
            self.considered_until = self._heartbeat.last_outage_end
        return events

    def is_settled(self, state: RoomState) -> Step[bool]:
        """Return whether it is certain that the player whose time is up could be served until then.

        The player may be on a node that has just been cut off from the store, which the other nodes notice only after
        some silence.
        """
        due_at = deadline(state)
        if state.to_move is None or due_at is None:
            return True
        nodes = yield _seat_nodes(state)
        player = nodes[state.to_move]
        return not player.may_be_hit(due_at - state.lag_cap, state.turn_began, self._node, self._heartbeat.beats)


def _seat_nodes(state: RoomState) -> ReadSeatNodes:
    first, second = state.players
    return ReadSeatNodes(first.id, second.id)
