"""The tables of the load benchmark."""

from __future__ import annotations

from bench.load import report
from bench.load.goals import judge
from bench.load.systems import find_system
from bench.load.workloads import DELIVERIES
from tests.bench.load.measurements import RUNS, run

SYSTEMS = [find_system("parlour"), find_system("durable-colyseus")]


def cells(table: str) -> list[list[str]]:
    """Return the rows of a Markdown table without its padding and its rule."""
    header, _, *rows = table.splitlines()
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in (header, *rows)]


def test_metrics_have_a_row_each() -> None:
    """The table has the median, the minimum and the maximum, and no row for what was not measured."""
    header, *rows = cells(report.metrics_table(RUNS, SYSTEMS))

    assert header == ["median [min–max]", "Parlour", "durable Colyseus"]
    assert ["server CPU per move (µs)", "30.0 [20.0–90.0]", "50.0 [40.0–100.0]"] in rows
    assert ["store CPU per move (µs)", "10.0", "10.0"] in rows
    assert ["maximum throughput (moves/s)", "500", "500"] in rows
    assert not any("memory" in title for title, *_ in rows)


def test_a_system_without_a_value_has_an_empty_cell() -> None:
    """A workload that only one system ran leaves the others' cells empty."""
    runs = [*RUNS, run(1, "parlour", DELIVERIES, deliveries=1, rss_after_kib=13_000)]

    assert ["memory per connection (KiB)", "13.0", ""] in cells(report.metrics_table(runs, SYSTEMS))


def test_ratios_are_those_of_parlour() -> None:
    """The other systems are the columns; a metric that is not compared has no row."""
    header, *rows = cells(report.ratios_table(RUNS, SYSTEMS))

    assert header == ["Parlour relative to", "durable Colyseus"]
    assert ["server CPU per move", "0.60× [0.50–0.90]"] in rows
    assert not any("throughput" in title for title, *_ in rows)


def test_goals_are_beside_the_measured_values() -> None:
    """Each goal has its limit, the measured value and the verdict in one row."""
    runs = [*RUNS, run(1, "parlour", DELIVERIES, deliveries=1, rss_after_kib=25_000)]

    assert cells(report.goals_table(judge(runs), SYSTEMS))[1:] == [
        ["server CPU per move, relative to durable Colyseus", "≤ 1.00×", "0.60× [0.50–0.90]", "met"],
        ["memory per connection (KiB)", "≤ 14", "25.0", "MISSED"],
    ]


def test_columns_are_aligned() -> None:
    """All lines of a table have the same width, so that it can also be read as plain text."""
    assert len({len(line) for line in report.metrics_table(RUNS, SYSTEMS).splitlines()}) == 1
