"""A wrong build: a command that is sent again is not recognised."""

from __future__ import annotations

import sys

from parlour.cli import main
from parlour.server.rooms.state import ProcessedCommand, RoomState


def forget(room: RoomState, player: str, session: str, id: int) -> ProcessedCommand | None:
    return None


if __name__ == "__main__":
    RoomState.find_processed = forget  # type: ignore[assignment, method-assign]
    sys.exit(main())
