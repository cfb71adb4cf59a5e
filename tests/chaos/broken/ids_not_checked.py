"""A wrong build: a command that is sent again is not recognised."""

from __future__ import annotations

import sys

from parlour.cli import main
from parlour.server.rooms.state import RoomState


def forget(room: RoomState, player: str, id: int) -> int | None:
    return None


if __name__ == "__main__":
    RoomState.processed_seq = forget  # type: ignore[assignment, method-assign]
    sys.exit(main())
