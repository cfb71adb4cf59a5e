"""The measurements of the capacity model, as far as they are quick."""

from __future__ import annotations

from bench.scale import report
from bench.scale.measure import CHECKED, FED, measure_beats


async def test_heartbeats_cost_more_among_many_nodes() -> None:
    """The store reads the beats of all of them."""
    few, *_, many = await measure_beats()
    assert few.nodes < many.nodes
    assert 0 < few.store_cpu < many.store_cpu


def test_the_model_is_checked_by_runs_that_did_not_feed_it() -> None:
    """Up to three nodes and three masters."""
    assert set(FED) == report.FED
    assert not set(FED) & set(CHECKED)
    assert (3, 3) in CHECKED
