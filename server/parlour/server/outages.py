"""Outages: periods in which players could not be served, and the players that they affect. Pure values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

SILENCE = 3_000  # milliseconds without a heartbeat that count as an outage


class Outage(NamedTuple):
    """A period in which players were not served: a node was dead or could not reach the store, or all were."""

    since: int
    until: int  # when it ended, or when the other nodes noticed that a node was silent
    node: str = ""  # empty: no node was alive


class SeatNode(Struct, frozen=True):
    """The node that serves the player in a seat, and the one before. Empty: none."""

    current: str = ""
    previous: str = ""
    left_at: int = 0  # when `current` followed `previous`

    def was_hit_by(self, outage: Outage) -> bool:
        """Return whether an outage kept this player from being served.

        A player who reached another node before the outage was noticed has lost little time, and is charged for it.
        """
        if outage.node in ("", self.current):
            return not outage.node or self.left_at < outage.until
        return outage.node == self.previous and self.left_at - outage.since > SILENCE

    def may_be_hit(self, at: int, turn_began: int, own_node: str, beats: Mapping[str, int]) -> bool:
        """Return whether an outage that is not known yet may have kept this player from moving until `at`.

        `beats` are the last known heartbeats of live nodes; `own_node` is alive because it asks. A node that is not
        listed has stopped, or its outage is known.
        """
        if self.current not in ("", own_node) and beats.get(self.current, at) < at:
            return True
        return self.left_at > turn_began and beats.get(self.previous, at) < min(at, self.left_at)


SeatNodes = tuple[SeatNode, SeatNode]  # by seat

UNKNOWN_NODES: SeatNodes = (SeatNode(), SeatNode())
