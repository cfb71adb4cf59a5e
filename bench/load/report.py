"""The results as Markdown tables."""

from __future__ import annotations

from collections.abc import Sequence

from bench.load import metrics
from bench.load.goals import Verdict
from bench.load.metrics import METRICS, Metric, Run, Spread
from bench.load.systems import PARLOUR, System


def metrics_table(runs: Sequence[Run], systems: Sequence[System]) -> str:
    """Return all metrics of all systems."""
    rows = []
    for metric in METRICS:
        spreads = [metrics.spread(runs, system.key, metric) for system in systems]
        if any(spreads):
            rows.append([_label(metric), *(_format(spread, metric.digits) for spread in spreads)])
    return _table(["median [min–max]", *(system.title for system in systems)], rows)


def ratios_table(runs: Sequence[Run], systems: Sequence[System]) -> str:
    """Return Parlour's metrics relative to those of the other systems."""
    others = [system for system in systems if system.key != PARLOUR]
    rows = []
    for metric in METRICS:
        ratios = [metrics.ratio(runs, PARLOUR, other.key, metric) for other in others if metric.compared]
        if any(ratios):
            rows.append([metric.title, *(_format(ratio, 2, "×") for ratio in ratios)])
    return _table(["Parlour relative to", *(other.title for other in others)], rows)


def goals_table(verdicts: Sequence[Verdict], systems: Sequence[System]) -> str:
    """Return the goals with the measured values beside them."""
    titles = {system.key: system.title for system in systems}
    rows = []
    for verdict in verdicts:
        goal, metric = verdict.goal, metrics.BY_KEY[verdict.goal.metric]
        if goal.relative_to is None:
            cells = [_label(metric), f"≤ {goal.limit:g}", _format(verdict.measured, metric.digits)]
        else:
            label = f"{metric.title}, relative to {titles[goal.relative_to]}"
            cells = [label, f"≤ {goal.limit:.2f}×", _format(verdict.measured, 2, "×")]
        rows.append([*cells, "met" if verdict.met else "MISSED"])
    return _table(["goal for Parlour", "limit", "measured", "verdict"], rows)


def _label(metric: Metric) -> str:
    return f"{metric.title} ({metric.unit})"


def _format(spread: Spread | None, digits: int, unit: str = "") -> str:
    if spread is None:
        return ""
    median = f"{spread.median:,.{digits}f}{unit}"
    low, high = (f"{value:,.{digits}f}" for value in (spread.low, spread.high))
    return median if low == high else f"{median} [{low}–{high}]"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table whose columns are also aligned as plain text."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        first, *others = cells
        aligned = [first.ljust(widths[0]), *map(str.rjust, others, widths[1:])]
        return f"| {' | '.join(aligned)} |"

    rule = "|".join([":" + "-" * (widths[0] + 1), *("-" * (width + 1) + ":" for width in widths[1:])])
    return "\n".join([line(header), f"|{rule}|", *map(line, rows)])
