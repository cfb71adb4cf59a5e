"""The metrics of several workers become those of one server."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

from parlour.server.metrics import Metrics, render
from parlour.server.workers.messages import Family
from parlour.server.workers.totals import Collected, Totals, from_metric, to_metric


def families(metrics: Metrics) -> list[Family]:
    return [from_metric(metric) for metric in metrics.registry.collect()]


def samples(totals: Totals) -> dict[str, float]:
    """Return what Prometheus reads: every sample by its name and labels."""
    text = render(Collected(totals.families())).decode()
    return {
        f"{sample.name}{dict(sample.labels) or ''}": sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def node(moves: int, connections: int) -> Metrics:
    metrics = Metrics()
    metrics.moves["replica"] = moves
    metrics.connections = connections
    metrics.append_seconds.observe(0.0007)
    return metrics


def test_counters_and_histograms_are_summed() -> None:
    """Samples with the same labels are added up, and those of one worker only are kept."""
    totals = Totals()
    one, two = node(3, 1), node(4, 1)
    two.moves["isaac"] = 5
    totals.update(1, families(one))
    totals.update(2, families(two))

    found = samples(totals)
    assert found["parlour_moves_total{'game': 'replica'}"] == 7
    assert found["parlour_moves_total{'game': 'isaac'}"] == 5
    assert found["parlour_append_duration_seconds_count"] == 2
    assert found["parlour_append_duration_seconds_bucket{'le': '0.0005'}"] == 0
    assert found["parlour_append_duration_seconds_bucket{'le': '0.001'}"] == 2


def test_gauges_are_labelled() -> None:
    """Each worker has its own series, so that a sum, a minimum and a single worker can be looked at."""
    totals = Totals()
    totals.update(2, families(node(0, 20)))
    totals.update(1, families(node(0, 10)))

    found = samples(totals)
    assert found["parlour_connections{'worker': '1'}"] == 10
    assert found["parlour_connections{'worker': '2'}"] == 20
    assert "parlour_connections" not in found


def test_sums_never_decrease() -> None:
    """A worker that has ended is counted with what it last reported; the one that replaces it starts from zero."""
    totals = Totals()
    totals.update(1, families(node(3, 1)))
    totals.update(2, families(node(4, 2)))
    totals.end(2)
    assert samples(totals)["parlour_moves_total{'game': 'replica'}"] == 7
    assert "parlour_connections{'worker': '2'}" not in samples(totals)

    totals.update(2, families(node(1, 0)))
    assert samples(totals)["parlour_moves_total{'game': 'replica'}"] == 8
    totals.end(2)
    totals.end(1)
    totals.end(3)  # which never reported
    assert samples(totals)["parlour_moves_total{'game': 'replica'}"] == 8


def test_metrics_survive_the_way_to_the_supervisor() -> None:
    """A worker's metrics are the same in the library and as messages."""
    text = render(Collected(families(node(3, 1))))
    assert b'parlour_moves_total{game="replica"} 3.0' in text
    for family in families(node(3, 1)):
        assert from_metric(to_metric(family)) == family
