"""The node that serves the player in each seat of a room, so that an outage of that node can be excused."""

from __future__ import annotations

from parlour.server.outages import SeatNode, SeatNodes
from parlour.server.store.pipeline import Pipeline, script

SERVE_PLAYER = script("serve_player")


class SeatNodeStore:
    """Written by the node that a player connects to. If it is lost, a player is charged for an outage at worst."""

    def __init__(self, pipeline: Pipeline, node: str) -> None:
        self.node = node
        self._pipeline = pipeline
        self._keys = pipeline.keys
        pipeline.load(SERVE_PLAYER)

    def record(self, room: str, player: str, is_here: bool, now: int) -> None:
        """Record whether this node serves a player. A player who has left may already be on another node."""
        serving, only_after = (self.node, "") if is_here else ("", self.node)
        args = (2, self._keys.seat_nodes(room), self._keys.log(room), player, serving, only_after, now)
        self._pipeline.run(SERVE_PLAYER, args, _ignore)

    async def read(self, room: str, first: str, second: str) -> SeatNodes:
        """Return the nodes of both players. Raise StoreUnavailable."""
        found = await self._pipeline.call(b"HMGET", self._keys.seat_nodes(room), first, second)
        return _parse(found[0]), _parse(found[1])


def _parse(value: bytes | None) -> SeatNode:
    if value is None:
        return SeatNode()
    current, previous, left_at = value.decode().split(" ")
    return SeatNode(current, previous, int(left_at))


def _ignore(reply: object) -> None:
    """Discard the reply."""
