"""The goals for Parlour, and whether a benchmark meets them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from bench.load import metrics
from bench.load.metrics import Run, Spread
from bench.load.systems import COLYSEUS, DURABLE_COLYSEUS, PARLOUR


class Goal(Struct, frozen=True):
    """An upper limit for the median of a metric."""

    metric: str
    limit: float
    relative_to: str | None = None  # the system whose value the limit is a multiple of


class Verdict(Struct, frozen=True):
    """A goal and what was measured."""

    goal: Goal
    measured: Spread
    met: bool


GOALS = (
    Goal("cpu_per_move", 1.0, DURABLE_COLYSEUS),
    Goal("latency_p99", 0.5, DURABLE_COLYSEUS),
    Goal("cpu_per_delivery", 0.75, COLYSEUS),
    Goal("kib_per_connection", 14),
)


def judge(runs: Sequence[Run]) -> list[Verdict]:
    """Return the verdicts on all goals that the runs allow."""
    verdicts = []
    for goal in GOALS:
        metric = metrics.BY_KEY[goal.metric]
        if goal.relative_to is None:
            measured = metrics.spread(runs, PARLOUR, metric)
        else:
            measured = metrics.ratio(runs, PARLOUR, goal.relative_to, metric)
        if measured is not None:
            verdicts.append(Verdict(goal, measured, measured.median <= goal.limit))
    return verdicts
