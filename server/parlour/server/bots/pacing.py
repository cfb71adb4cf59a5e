"""How fast bots play: within what the clock allows, and slowly enough for people to follow. Pure."""

from __future__ import annotations

from msgspec import Struct

from parlour.server.rooms import clock as clocks
from parlour.server.rooms.state import RoomState

MIN_BUDGET, MAX_BUDGET = 0.05, 10.0  # seconds; with days for a move, the level decides how long it thinks
FULL_TIME = 2.0  # seconds that the strongest level takes when nothing else waits
# The share that one move may take of the time left, and of the time added after it.
MAIN_SHARE, STEP_SHARE = 1 / 25, 0.7


class Pace(Struct, frozen=True):
    """The minimum duration of a bot's turn, in milliseconds."""

    against_people: int = 350
    against_itself: int = 1_000  # slow enough for spectators

    def wait(self, room: RoomState, now: int) -> float:
        """Return the seconds to wait before playing a move, less if the clock is short."""
        least = self.against_people if room.people else self.against_itself
        spare = max(0, least - max(0, now - room.turn_began)) / 1000
        limit = time_budget(room, now)
        return spare if limit is None else min(spare, limit / 2)


def time_budget(room: RoomState, now: int) -> float | None:
    """Return the seconds that the bot to move may search, by its clock; None for no limit."""
    seat = room.to_move
    if room.clock.kind == "none" or seat is None:
        return None
    clock, left = room.clock, clocks.left_at(room.clock, room.times, seat, now)
    main, step = left.main / 1000, clock.step / 1000
    match clock.kind:
        case "move" | "days":
            seconds = main / 2
        case "byoyomi" if left.count > 0:
            seconds = main * MAIN_SHARE + step / 2
        case "byoyomi":
            seconds = main / 2
        case "canadian" if left.count > 0:
            seconds = main / (left.count + 1)
        case "canadian":
            seconds = main * MAIN_SHARE + step / (clock.count + 1)
        case _:
            seconds = min(main * MAIN_SHARE + step * STEP_SHARE, main * 0.8)
    return min(max(MIN_BUDGET, seconds), MAX_BUDGET)


def share(seconds: float | None, waiting: int, engines: int) -> float | None:
    """Return the seconds that a search may take while other jobs wait for engines; None for no limit."""
    if waiting == 0:
        return seconds
    fair = max(MIN_BUDGET, FULL_TIME / (1 + waiting / engines))
    return fair if seconds is None else min(seconds, fair)
