"""The observations of the clients and of the fault injector. All times are in seconds since the run began."""

from __future__ import annotations

from msgspec import Struct, field

from parlour.chaos.faults import Fault
from parlour.protocol.types import Result


class Attempt(Struct):
    """A player's attempt to act in a game, from the moment the player was asked to."""

    player: str
    room: str
    ply: int
    began: float  # when the player saw that it was to act
    sent: float | None = None  # when it sent its command
    dropped: float | None = None  # when it noticed instead that the game was over
    answered: float | None = None
    id: int | None = None  # of the command; known once it is answered
    seq: int | None = None  # where the log has it, if it was acknowledged
    refusal: str | None = None  # the code, if it was refused

    @property
    def command(self) -> tuple[str, int | None]:
        """The player and the id of the command."""
        return self.player, self.id


class View(Struct, frozen=True):
    """A game as a client saw it last."""

    client: str
    room: str
    moves: tuple[str, ...]
    hash: int  # of the scene
    result: Result | None


class Placement(Struct, frozen=True):
    """A client was connected to an address from this time on."""

    client: str
    at: float
    address: str


class FaultRun(Struct):
    """A fault that was executed."""

    fault: Fault
    address: str  # of the node that it hits; empty: the store
    began: float
    ended: float | None = None  # including the recovery, such as the restart of a node


class Stall(Struct, frozen=True):
    """A period in which this process did not run, so that its players could not act."""

    began: float
    ended: float


class Observations(Struct):
    """All observations of a run."""

    attempts: list[Attempt] = field(default_factory=list)
    views: list[View] = field(default_factory=list)
    placements: list[Placement] = field(default_factory=list)
    faults: list[FaultRun] = field(default_factory=list)
    stalls: list[Stall] = field(default_factory=list)
    shown: dict[tuple[str, int], set[str]] = field(default_factory=dict)  # room and seq -> the moves clients were shown
    failures: list[str] = field(default_factory=list)  # clients and nodes that ended by themselves
    ended: float = 0.0
