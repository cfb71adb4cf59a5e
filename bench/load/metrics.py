"""The metrics: from the measurements of single runs to medians, and to ratios between systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median

from msgspec import Struct

from bench.load.workloads import CHOICES, DELIVERIES, GAMES, LATENCY, MOVES, RATE, SPECTATORS


class Measurement(Struct, frozen=True):
    """What the load generator measured in one run: its line of JSON."""

    clients: int
    lost: int  # connections
    mismatched: int  # updates that were not about the next move
    refused: int  # commands
    stalled: int  # rooms where a client did not receive the last move
    late: int  # moves sent after they were due
    join_cpu_us: float  # of the server, per client
    join_seconds: float
    rss_before_kib: float  # of the server, before the spectators joined
    rss_after_kib: float
    seconds: float
    moves: int
    deliveries: int
    acknowledged: int  # commands
    server_cpu: float  # seconds
    store_cpu: float
    generator_cpu: float
    p50_ms: float  # from a move to the opponent's update; in a room with spectators, to any update
    p90_ms: float
    p99_ms: float
    p999_ms: float
    max_ms: float
    update_bytes: float  # of an update's frame, on average
    received_bytes: int
    received_frames: int
    sent_bytes: int


class Run(Struct, frozen=True):
    """One system under one workload in one round."""

    round: int
    system: str
    workload: str
    measurement: Measurement


class Metric(Struct, frozen=True):
    """A figure that is computed from the runs of one workload."""

    key: str
    title: str
    unit: str
    digits: int  # after the decimal point
    workload: str
    value: Callable[[Measurement], float]
    compared: bool = False  # whether ratios between systems are reported


class Spread(Struct, frozen=True):
    """The values of a metric over all rounds."""

    median: float
    low: float
    high: float


def _server_cpu_per_move(run: Measurement) -> float:
    return run.server_cpu / run.moves * 1e6


METRICS = (
    Metric("cpu_per_move", "server CPU per move", "µs", 1, MOVES, _server_cpu_per_move, compared=True),
    Metric("store_cpu_per_move", "store CPU per move", "µs", 1, MOVES, lambda run: run.store_cpu / run.moves * 1e6),
    Metric(
        "total_cpu_per_move", "server and store CPU per move", "µs", 1, MOVES,
        lambda run: (run.server_cpu + run.store_cpu) / run.moves * 1e6, compared=True,
    ),
    Metric("cpu_per_move_with_choices", "server CPU per move, with choices", "µs", 1, CHOICES, _server_cpu_per_move),
    Metric("cpu_per_move_in_games", "server CPU per move, with rematches", "µs", 1, GAMES, _server_cpu_per_move),
    Metric("moves_per_second", "maximum throughput", "moves/s", 0, MOVES, lambda run: run.moves / run.seconds),
    Metric("update_bytes", "size of an update", "bytes", 1, MOVES, lambda run: run.update_bytes),
    Metric("bytes_per_move", "sent to players per move", "bytes", 0, MOVES, lambda run: run.received_bytes / run.moves),
    Metric("latency_p50", f"p50 latency at {RATE:,} moves/s", "ms", 2, LATENCY, lambda run: run.p50_ms, compared=True),
    Metric("latency_p99", f"p99 latency at {RATE:,} moves/s", "ms", 2, LATENCY, lambda run: run.p99_ms, compared=True),
    Metric("latency_p999", f"p99.9 latency at {RATE:,} moves/s", "ms", 2, LATENCY, lambda run: run.p999_ms),
    Metric(
        "cpu_per_delivery", "server CPU per delivery", "µs", 2, DELIVERIES,
        lambda run: run.server_cpu / run.deliveries * 1e6, compared=True,
    ),
    Metric(
        "kib_per_connection", "memory per connection", "KiB", 1, DELIVERIES,
        lambda run: (run.rss_after_kib - run.rss_before_kib) / SPECTATORS,
    ),
    Metric("join_cpu", "server CPU per join", "µs", 0, DELIVERIES, lambda run: run.join_cpu_us),
)  # fmt: skip

BY_KEY = {metric.key: metric for metric in METRICS}


def spread(runs: Iterable[Run], system: str, metric: Metric) -> Spread | None:
    """Return a system's values of a metric, or None if it was not measured."""
    return _spread(list(_by_round(runs, system, metric).values()))


def ratio(runs: Sequence[Run], system: str, reference: str, metric: Metric) -> Spread | None:
    """Return a system's values relative to the reference's in the same round, or None without a common round."""
    values, references = _by_round(runs, system, metric), _by_round(runs, reference, metric)
    return _spread([values[number] / references[number] for number in values if references.get(number)])


def _by_round(runs: Iterable[Run], system: str, metric: Metric) -> Mapping[int, float]:
    return {
        run.round: metric.value(run.measurement)
        for run in runs
        if (run.system, run.workload) == (system, metric.workload)
    }


def _spread(values: Sequence[float]) -> Spread | None:
    return Spread(median(values), min(values), max(values)) if values else None
