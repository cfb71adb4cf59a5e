"""How fast the computer plays: not longer than its clock allows, and not so fast that nobody can follow. Pure."""

from __future__ import annotations

from msgspec import Struct

from parlour.server.rooms import clock as clocks
from parlour.server.rooms.core import Room

LEAST = 0.05  # seconds that are always spent
# The share of the time left that one move may take, and of what is added after it.
SHARE, OF_STEP = 1 / 25, 0.7


class Pace(Struct, frozen=True):
    """How long a turn of the computer lasts at least, in milliseconds."""

    against_people: int = 350
    by_itself: int = 1_000  # both sides are the computer's: people want to watch

    def wait(self, room: Room, now: int) -> float:
        """Seconds to wait before a move that has been found. A clock that is short is not kept waiting."""
        alone = all(chair is not None and chair.level is not None for chair in room.chairs)
        least = self.by_itself if alone else self.against_people
        spare = max(0, least - max(0, now - room.turn_began)) / 1000
        limit = thinking_time(room, now)
        return spare if limit is None else min(spare, limit / 2)


def thinking_time(room: Room, now: int) -> float | None:
    """Seconds that the seat to move may think at most, by its clock; None: as long as it likes."""
    seat = room.to_move
    if room.clock.kind == "none" or seat is None:
        return None
    clock, left = room.clock, clocks.left_at(room.clock, room.times, seat, now)
    main, step = left.main / 1000, clock.step / 1000
    match clock.kind:
        case "move" | "days":
            seconds = main / 2
        case "byoyomi" if left.count > 0:
            seconds = main * SHARE + step / 2
        case "byoyomi":
            seconds = main / 2
        case "canadian" if left.count > 0:
            seconds = main / (left.count + 1)
        case "canadian":
            seconds = main * SHARE + step / (clock.count + 1)
        case _:
            seconds = min(main * SHARE + step * OF_STEP, main * 0.8)
    return max(LEAST, seconds)
