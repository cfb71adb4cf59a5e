"""Effects: what a room asks of the outside world.

A room's work is a generator. It yields one of these effects when it has to wait, and is resumed with the outcome
documented here; an effect that fails raises StoreUnavailable inside the generator.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, TypeVar

from msgspec import Struct

T = TypeVar("T")


class Append(Struct, frozen=True, gc=False):
    """Append entries to the room's log, all or none. The outcome is an `Appended`; this effect never raises."""

    first_seq: int
    entries: Sequence[bytes]  # encoded events
    wake_at: int | None  # when a node has to check the room, if that has to be stored
    update: bytes = b""  # the frame of the update, if other nodes need not compute it


class ReadLog(Struct, frozen=True):
    """Read the log's entries after a number. The outcome is a list of (seq, bytes)."""

    after_seq: int


class Reload(Struct, frozen=True):
    """Load the room from its log or record. The outcome is a `RoomState`, or None if there is none."""


class ReadSeatNodes(Struct, frozen=True):
    """Read which nodes serve the players. The outcome is a `SeatNodes`."""

    first: str  # the player in that seat
    second: str


class LearnOutages(Struct, frozen=True):
    """Wait until this node knows every outage up to a time. The outcome is None."""

    until: int


class Sleep(Struct, frozen=True):
    """Wait. The outcome is None."""

    seconds: float


Effect = Append | ReadLog | Reload | ReadSeatNodes | LearnOutages | Sleep

Step = Generator[Effect, Any, T]  # part of a room's work, with a result
Work = Step[None]
