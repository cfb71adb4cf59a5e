"""Collects observations during a run."""

from __future__ import annotations

from time import monotonic

from parlour.chaos.faults import Fault
from parlour.chaos.observations import Attempt, FaultRun, Observations, Placement, Stall, View
from parlour.protocol.messages import Moved
from parlour.protocol.replica import RoomReplica
from parlour.protocol.scene import scene_hash


class Recorder:
    """Records observations with the time of the run."""

    def __init__(self) -> None:
        self.seen = Observations()
        self._start = monotonic()

    @property
    def now(self) -> float:
        return monotonic() - self._start

    def begin(self, player: str, room: str, ply: int) -> Attempt:
        """Record that a player has seen that it is to act."""
        attempt = Attempt(player, room, ply, self.now)
        self.seen.attempts.append(attempt)
        return attempt

    def show(self, moved: Moved) -> None:
        """Record that a client was shown a move."""
        self.seen.shown.setdefault((moved.room, moved.seq), set()).add(moved.move)

    def view(self, client: str, replica: RoomReplica) -> None:
        """Record a client's view of a game at the end."""
        room, scene = replica.room.room, scene_hash(replica.scene)
        self.seen.views.append(View(client, room, tuple(replica.moves), scene, replica.result))

    def place(self, client: str, address: str) -> None:
        """Record the address to which a client is connected now."""
        self.seen.placements.append(Placement(client, self.now, address))

    def fault(self, fault: Fault, address: str) -> FaultRun:
        """Record the beginning of a fault."""
        run = FaultRun(fault, address, self.now)
        self.seen.faults.append(run)
        return run

    def stall(self, seconds: float) -> None:
        """Record that this process has not run for a while."""
        self.seen.stalls.append(Stall(self.now - seconds, self.now))

    def fail(self, sentence: str) -> None:
        """Record that a client or a node has exited by itself."""
        self.seen.failures.append(sentence)
