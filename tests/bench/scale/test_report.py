"""The tables and the plot of docs/scale.md."""

from __future__ import annotations

from pathlib import Path

from bench.scale import report, runs
from bench.scale.costs import derive
from tests.bench.scale import synthetic

DOCUMENT = Path(__file__).parents[3] / "docs" / "scale.md"


def test_the_document_has_the_current_tables() -> None:
    """They come from the measurements that are in the repository: run `python -m bench.scale` and copy them."""
    text = DOCUMENT.read_text("utf-8")
    measured = runs.read()
    costs = derive(measured)
    for table in (
        report.costs_table(costs),
        report.needs_table(costs),
        report.limits_table(costs),
        report.crowd_table(costs),
        report.validation_table(measured, costs),
    ):
        assert table in text


def test_predictions_are_compared_with_measurements() -> None:
    """On a machine that follows the model exactly, they differ only by the spread of the rounds."""
    once = synthetic.runs()
    exact = type(once)(once.moves[:5], once.spectators, once.beats, once.worker_kib, once.idle_store_cpu)
    rows = report.validation_table(exact, derive(exact)).splitlines()[2:]
    assert len(rows) == 5
    assert all(row.count("+0%") + row.count("-0%") == 2 for row in rows)
    assert [row.rstrip("| ").rpartition("| ")[2] for row in rows].count("checked") == 2


def test_the_plot_covers_all_sizes() -> None:
    """Each line goes from a thousand games to ten million, and rises."""
    for line in report.plot(synthetic.runs())["lines"]:
        games, values = zip(*line["points"], strict=True)
        assert (games[0], games[-1]) == (1000, 10_000_000)
        assert list(values) == sorted(values)
