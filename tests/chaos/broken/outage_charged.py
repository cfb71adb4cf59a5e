"""A wrong build: players are charged with the time in which no node could serve them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from parlour.cli import main
from parlour.server.outages import Outage, SeatNodes
from parlour.server.rooms import outage_tracker
from parlour.server.rooms.commands import Events
from parlour.server.rooms.state import RoomState


def excuse_nothing(state: RoomState, outages: Sequence[Outage], nodes: SeatNodes, now: int) -> Events:
    return ()


if __name__ == "__main__":
    outage_tracker.excuse_outages = excuse_nothing  # type: ignore[assignment, attr-defined]
    sys.exit(main())
