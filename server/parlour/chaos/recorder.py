"""Collects observations during a run."""

from __future__ import annotations

from time import monotonic

from parlour.chaos.faults import Fault
from parlour.chaos.observations import Attempt, FaultRun, Observations, Placement, Stall, View
from parlour.protocol.messages import Moved
from parlour.protocol.replica import RoomReplica
from parlour.protocol.scene import scene_hash


class Recorder:
    """Knows the time of the run, and keeps what it is told."""

    def __init__(self) -> None:
        self.seen = Observations()
        self._start = monotonic()

    @property
    def now(self) -> float:
        return monotonic() - self._start

    def begin(self, player: str, room: str, ply: int) -> Attempt:
        """Note that a player has seen that it is to act."""
        attempt = Attempt(player, room, ply, self.now)
        self.seen.attempts.append(attempt)
        return attempt

    def show(self, moved: Moved) -> None:
        """Note that a client was shown a move."""
        self.seen.shown.setdefault((moved.room, moved.seq), set()).add(moved.move)

    def view(self, client: str, replica: RoomReplica) -> None:
        """Note how a client sees a game at the end."""
        room, scene = replica.room.room, scene_hash(replica.scene)
        self.seen.views.append(View(client, room, tuple(replica.moves), scene, replica.result))

    def place(self, client: str, address: str) -> None:
        """Note to which address a client is connected now."""
        self.seen.placements.append(Placement(client, self.now, address))

    def fault(self, fault: Fault, address: str) -> FaultRun:
        """Note that a fault begins."""
        run = FaultRun(fault, address, self.now)
        self.seen.faults.append(run)
        return run

    def stall(self, seconds: float) -> None:
        """Note that this process has not run for a while."""
        self.seen.stalls.append(Stall(self.now - seconds, self.now))

    def fail(self, sentence: str) -> None:
        """Note that a client or a node has ended by itself."""
        self.seen.failures.append(sentence)
