"""The workloads: what the load generator has its clients do."""

from __future__ import annotations

from msgspec import Struct

MOVES, CHOICES, GAMES, DELIVERIES, LATENCY = "moves", "choices", "games", "deliveries", "latency"
WORKLOADS = (MOVES, CHOICES, GAMES, DELIVERIES, LATENCY)

ROOMS = 50
SPECTATORS = 1000
RATE = 1000  # moves per second
HOLD = 1.0  # seconds for which the spectators are idle before memory is measured

MOVES_PER_ROUND = 60  # after which the board of the benchmark game is cleared
ROUNDS_PER_GAME = 3
ENDLESS = ("--rounds", "100")  # longer than any run, because games do not end on the other systems


class Workload(Struct, frozen=True):
    """One kind of load."""

    key: str
    title: str
    options: tuple[str, ...]  # of the load generator
    parlour_only: bool = False  # because no other system has what it measures


class Effort(Struct, frozen=True):
    """How long to measure."""

    rounds: int
    warmup: float  # seconds of play before the measurement
    seconds: float  # of play to measure in each run
    latency_seconds: float  # likewise, but at a fixed rate, where moves are fewer
    latency_rooms: int


FULL = Effort(rounds=5, warmup=1.0, seconds=3.0, latency_seconds=6.0, latency_rooms=200)
QUICK = Effort(rounds=1, warmup=0.5, seconds=1.5, latency_seconds=1.5, latency_rooms=50)


def find_workload(key: str, effort: Effort) -> Workload:
    """Return the workload with that key."""
    rooms = ("--rooms", str(ROOMS))
    times = ("--warmup", str(effort.warmup), "--seconds", str(effort.seconds))
    match key:
        case "moves":
            return Workload(key, f"{ROOMS} rooms; each player moves at once", (*rooms, *times, *ENDLESS))
        case "choices":
            title = "like moves, but Parlour sends each player the available choices, as human players need them"
            return Workload(key, title, (*rooms, *times, *ENDLESS, "--choices", "1"), parlour_only=True)
        case "games":
            title = f"like moves, but in games of {MOVES_PER_ROUND * ROUNDS_PER_GAME} moves, each followed by a rematch"
            return Workload(key, title, (*rooms, *times, "--rounds", str(ROUNDS_PER_GAME)), parlour_only=True)
        case "deliveries":
            title = f"1 room with {SPECTATORS:,} spectators; moves as fast as all of them receive the updates"
            spectators = ("--rooms", "1", "--spectators", str(SPECTATORS), "--hold", str(HOLD))
            return Workload(key, title, (*spectators, *times, *ENDLESS))
        case "latency":
            title = f"{effort.latency_rooms} rooms; {RATE:,} moves per second in all of them together"
            fixed = ("--rooms", str(effort.latency_rooms), "--rate", str(RATE))
            warmup = ("--warmup", str(effort.warmup), "--warmup-updates", str(int(2 * RATE * effort.warmup)))
            return Workload(key, title, (*fixed, *warmup, "--seconds", str(effort.latency_seconds), *ENDLESS))
    raise ValueError(key)
