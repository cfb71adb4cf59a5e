"""What the load generator has the clients of a server do."""

from __future__ import annotations

from msgspec import Struct


class Workload(Struct, frozen=True):
    """One way to load a server."""

    key: str
    title: str
    options: tuple[str, ...]  # of the generator


class Effort(Struct, frozen=True):
    """How long to measure."""

    rounds: int
    seconds: float  # of play that count, in each run
    warm: float  # of play before
    tables: int  # at a fixed rate


FULL = Effort(rounds=5, seconds=3.0, warm=1.0, tables=200)
QUICK = Effort(rounds=1, seconds=1.5, warm=0.5, tables=50)

TABLES = 50
WATCHERS = 1000
RATE = 1000  # moves a second
ROUNDS = 3  # of 60 moves in a game of Parlour, a long one; then the same two play again, in a new room
HOLD = 1.0  # seconds in which 1,000 watchers sit still before memory is measured

MOVES, DELIVERIES, STEADY = "moves", "deliveries", "steady"
WORKLOADS = (MOVES, DELIVERIES, STEADY)


def workload(key: str, effort: Effort) -> Workload:
    """The workload of that name."""
    times = ("--seconds", str(effort.seconds), "--warm", str(effort.warm), "--rounds", str(ROUNDS))
    match key:
        case "moves":
            title = f"{TABLES} rooms, each move as soon as the last one was seen"
            return Workload(key, title, ("--tables", str(TABLES), *times))
        case "deliveries":
            title = f"1 room with {WATCHERS:,} watchers, as fast as they are told"
            # A game that ends would have all watchers move to the next room, which the other systems do not have.
            endless = ("--rounds", "100")
            return Workload(
                key, title, ("--tables", "1", "--watchers", str(WATCHERS), "--hold", str(HOLD), *times, *endless)
            )
        case "steady":
            title = f"{effort.tables} rooms, {RATE:,} moves a second together"
            enough = ("--warm-updates", str(int(2 * RATE * effort.warm)))
            return Workload(key, title, ("--tables", str(effort.tables), "--rate", str(RATE), *times, *enough))
    raise ValueError(key)
