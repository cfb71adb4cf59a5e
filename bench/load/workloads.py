"""What the load generator has the clients of a server do."""

from __future__ import annotations

from msgspec import Struct


class Workload(Struct, frozen=True):
    """One way to load a server."""

    key: str
    title: str
    options: tuple[str, ...]  # of the generator
    only: str = ""  # the one system that knows what it asks for; empty: all do


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
ENDLESS = ("--rounds", "100")  # of 60 moves: no game ends, as there are no games in the other systems
ROUNDS = 3  # a long game; then the same two play again, in a new room
HOLD = 1.0  # seconds in which 1,000 watchers sit still before memory is measured

MOVES, CHOICES, GAMES, DELIVERIES, STEADY = "moves", "choices", "games", "deliveries", "steady"
WORKLOADS = (MOVES, CHOICES, GAMES, DELIVERIES, STEADY)


def workload(key: str, effort: Effort) -> Workload:
    """The workload of that name."""
    times = ("--seconds", str(effort.seconds), "--warm", str(effort.warm))
    match key:
        case "moves":
            title = f"{TABLES} rooms, each move as soon as the last one was seen"
            return Workload(key, title, ("--tables", str(TABLES), *times, *ENDLESS))
        case "choices":
            title = "the same with what may be picked told to each player, as to people"
            return Workload(key, title, ("--tables", str(TABLES), *times, *ENDLESS, "--choices", "1"), only="parlour")
        case "games":
            title = f"the same as moves in games of {60 * ROUNDS} moves, each followed by a rematch"
            return Workload(key, title, ("--tables", str(TABLES), *times, "--rounds", str(ROUNDS)), only="parlour")
        case "deliveries":
            title = f"1 room with {WATCHERS:,} watchers, as fast as they are told"
            return Workload(
                key, title, ("--tables", "1", "--watchers", str(WATCHERS), "--hold", str(HOLD), *times, *ENDLESS)
            )
        case "steady":
            title = f"{effort.tables} rooms, {RATE:,} moves a second together"
            enough = ("--warm-updates", str(int(2 * RATE * effort.warm)))
            options = ("--tables", str(effort.tables), "--rate", str(RATE), *times, *ENDLESS, *enough)
            return Workload(key, title, options)
    raise ValueError(key)
