"""From what the generator counted to what a move, a delivery and a connection cost, and how systems compare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from msgspec import Struct

from bench.load.workloads import CHOICES, DELIVERIES, GAMES, MOVES, STEADY, WATCHERS


class Counted(Struct, frozen=True):
    """What the generator says about one run: its line of JSON."""

    clients: int
    lost: int  # connections
    wrong: int  # updates that were not about the next move
    refused: int  # commands
    stalled: int  # tables where somebody was not told of the last move
    late: int  # moves that could not be made when they were due
    join_cpu_us: float  # of the server, for one client to come in
    join_seconds: float
    kib_before: float  # resident, before the watchers came
    kib_after: float
    seconds: float
    moves: int
    deliveries: int
    answered: int  # commands that were acknowledged
    server_cpu: float  # seconds
    store_cpu: float
    generator_cpu: float
    p50_ms: float
    p90_ms: float
    p99_ms: float
    p999_ms: float
    max_ms: float
    update_bytes: float  # of the frame of one update
    received_bytes: int
    received_frames: int
    sent_bytes: int


class Run(Struct, frozen=True):
    """One system under one workload in one round."""

    round: int
    system: str
    workload: str
    counted: Counted


class Spread(Struct, frozen=True):
    """A figure over all rounds."""

    median: float
    low: float
    high: float


class Target(Struct, frozen=True):
    """What Parlour has to reach, and whether it does."""

    what: str
    wanted: float
    measured: float
    met: bool


def faults(run: Run) -> list[str]:
    """What went wrong in a run; its figures mean nothing then."""
    counted = run.counted
    found = {
        "connections were lost": counted.lost,
        "updates were not about the next move": counted.wrong,
        "commands were refused": counted.refused,
        "tables did not hear of the last move": counted.stalled,
    }
    words = [f"{number} {what}" for what, number in found.items() if number]
    return words if counted.moves else [*words, "nobody moved"]


# -- the figures of a run, by name


def cpu_per_move(counted: Counted) -> float:
    """Microseconds of the server for each move."""
    return counted.server_cpu / counted.moves * 1e6


def cpu_per_move_with_store(counted: Counted) -> float:
    """The same with what the store took."""
    return (counted.server_cpu + counted.store_cpu) / counted.moves * 1e6


def cpu_per_delivery(counted: Counted) -> float:
    """Microseconds of the server for each update that somebody got."""
    return counted.server_cpu / counted.deliveries * 1e6


def cpu_per_delivery_with_store(counted: Counted) -> float:
    return (counted.server_cpu + counted.store_cpu) / counted.deliveries * 1e6


def kib_per_connection(counted: Counted) -> float:
    """Resident memory of the server for each watcher that sits still."""
    return (counted.kib_after - counted.kib_before) / WATCHERS


def bytes_per_move(counted: Counted) -> float:
    """All that the two players get for a move, also what is no update."""
    return counted.received_bytes / counted.moves


def moves_per_second(counted: Counted) -> float:
    return counted.moves / counted.seconds


FIGURES = {
    "cpu_per_move": (MOVES, cpu_per_move),
    "cpu_per_move_with_store": (MOVES, cpu_per_move_with_store),
    "cpu_per_move_with_choices": (CHOICES, cpu_per_move),
    "cpu_per_move_in_games": (GAMES, cpu_per_move),
    "moves_per_second": (MOVES, moves_per_second),
    "closed_p50": (MOVES, lambda counted: counted.p50_ms),
    "closed_p99": (MOVES, lambda counted: counted.p99_ms),
    "update_bytes": (MOVES, lambda counted: counted.update_bytes),
    "bytes_per_move": (MOVES, bytes_per_move),
    "cpu_per_delivery": (DELIVERIES, cpu_per_delivery),
    "cpu_per_delivery_with_store": (DELIVERIES, cpu_per_delivery_with_store),
    "kib_per_connection": (DELIVERIES, kib_per_connection),
    "join_cpu": (DELIVERIES, lambda counted: counted.join_cpu_us),
    "steady_p50": (STEADY, lambda counted: counted.p50_ms),
    "steady_p90": (STEADY, lambda counted: counted.p90_ms),
    "steady_p99": (STEADY, lambda counted: counted.p99_ms),
    "steady_p999": (STEADY, lambda counted: counted.p999_ms),
}


# -- over the rounds


def spread(values: Sequence[float]) -> Spread:
    return Spread(median(values), min(values), max(values))


def figure(runs: Iterable[Run], system: str, name: str) -> Spread | None:
    """A figure of a system; None if it was not measured."""
    values = list(_by_round(runs, system, name).values())
    return spread(values) if values else None


def ratio(runs: Sequence[Run], system: str, other: str, name: str) -> Spread | None:
    """How a figure of one system compares with the other's, taken within each round; None without a common round."""
    own, others = _by_round(runs, system, name), _by_round(runs, other, name)
    values = [own[number] / others[number] for number in own.keys() & others.keys()]
    return spread(values) if values else None


def _by_round(runs: Iterable[Run], system: str, name: str) -> Mapping[int, float]:
    workload, of = FIGURES[name]
    return {run.round: of(run.counted) for run in runs if (run.system, run.workload) == (system, workload)}
