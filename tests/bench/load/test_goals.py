"""The goals of the load benchmark."""

from __future__ import annotations

from bench.load.goals import GOALS, Goal, judge
from bench.load.metrics import BY_KEY
from bench.load.systems import SYSTEMS
from bench.load.workloads import DELIVERIES, LATENCY
from tests.bench.load.measurements import RUNS, moves, run


def test_the_median_ratio_decides() -> None:
    """A median of 0.6 meets the goal of 1.0 even though rounds differ; 1.5 misses it."""
    [met] = judge(RUNS)
    [missed] = judge([moves(1, "parlour", 0.03), moves(1, "durable-colyseus", 0.02)])

    assert (met.goal, met.met) == (Goal("cpu_per_move", 1.0, "durable-colyseus"), True)
    assert (missed.goal, missed.met) == (met.goal, False)


def test_each_goal_has_its_own_reference() -> None:
    """Latency is compared with durable Colyseus, deliveries with Colyseus; memory is absolute."""
    runs = [
        run(1, "parlour", LATENCY, p99_ms=4), run(1, "durable-colyseus", LATENCY, p99_ms=10),
        run(1, "colyseus", LATENCY, p99_ms=1),
        run(1, "parlour", DELIVERIES, deliveries=10, server_cpu=8, rss_after_kib=25_000),
        run(1, "colyseus", DELIVERIES, deliveries=10, server_cpu=10),
        run(1, "durable-colyseus", DELIVERIES, deliveries=10, server_cpu=100),
    ]  # fmt: skip

    assert [(each.goal.metric, each.measured.median, each.met) for each in judge(runs)] == [
        ("latency_p99", 0.4, True),
        ("cpu_per_delivery", 0.8, False),
        ("kib_per_connection", 25, False),
    ]


def test_goals_refer_to_known_metrics_and_systems() -> None:
    """A goal that could never be measured would be left out silently."""
    for goal in GOALS:
        assert goal.metric in BY_KEY
        assert goal.relative_to is None or goal.relative_to in SYSTEMS
