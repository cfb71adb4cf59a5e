"""The metrics of the load benchmark."""

from __future__ import annotations

from bench.load.metrics import BY_KEY, METRICS, Spread, ratio, spread
from bench.load.workloads import DELIVERIES
from tests.bench.load.measurements import RUNS, run

CPU_PER_MOVE = BY_KEY["cpu_per_move"]


def rounded(values: Spread | None) -> tuple[float, ...]:
    """Return the values without the error of binary fractions."""
    assert values is not None
    return tuple(round(value, 6) for value in (values.median, values.low, values.high))


def test_a_cost_is_the_median_of_the_rounds() -> None:
    """20, 90 and 30 µs per move have the median 30; the store's 10 µs are a separate metric, and part of the total."""
    assert rounded(spread(RUNS, "parlour", CPU_PER_MOVE)) == (30, 20, 90)
    assert rounded(spread(RUNS, "parlour", BY_KEY["store_cpu_per_move"])) == (10, 10, 10)
    assert rounded(spread(RUNS, "parlour", BY_KEY["total_cpu_per_move"])) == (40, 30, 100)


def test_a_ratio_is_taken_within_each_round() -> None:
    """The median of 0.5, 0.9 and 0.6 is 0.6, which is also the result if the runs are in another order."""
    assert rounded(ratio(RUNS, "parlour", "durable-colyseus", CPU_PER_MOVE)) == (0.6, 0.5, 0.9)
    assert rounded(ratio(RUNS[::-1], "parlour", "durable-colyseus", CPU_PER_MOVE)) == (0.6, 0.5, 0.9)


def test_a_missing_measurement_has_no_value() -> None:
    """Another workload, another system and runs without a common round have neither values nor ratios."""
    assert spread(RUNS, "parlour", BY_KEY["cpu_per_delivery"]) is None
    assert ratio(RUNS, "parlour", "floor", CPU_PER_MOVE) is None
    assert ratio([RUNS[0], RUNS[3]], "parlour", "durable-colyseus", CPU_PER_MOVE) is None


def test_a_reference_of_zero_has_no_ratio() -> None:
    """A round in which the reference used no measurable CPU time is left out."""
    idle = run(1, "floor", "moves", moves=10)

    assert ratio([RUNS[0], idle], "parlour", "floor", CPU_PER_MOVE) is None


def test_memory_is_per_spectator() -> None:
    """1,000 spectators that take 20,000 KiB take 20 KiB each."""
    runs = [run(1, "parlour", DELIVERIES, rss_before_kib=50_000, rss_after_kib=70_000)]

    assert spread(runs, "parlour", BY_KEY["kib_per_connection"]) == Spread(20, 20, 20)


def test_metric_keys_are_unique() -> None:
    """Every metric can be found by its key."""
    assert len(BY_KEY) == len(METRICS)
