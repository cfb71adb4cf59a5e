"""The metrics of all workers: the sums of their counters, and the gauges of each."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace
from prometheus_client import Metric

from parlour.server.workers.messages import Family

SUMMED = frozenset({"counter", "histogram", "summary"})  # types whose samples only grow
LABEL = "worker"


class Totals:
    """The latest metrics of each worker, and what ended workers have counted.

    Sums never decrease, since that would look like a restart of the server: a worker that has ended, or does not reply,
    counts with what it last reported.
    """

    def __init__(self) -> None:
        self._latest: dict[int, list[Family]] = {}
        self._ended: list[Family] = []

    def update(self, worker: int, families: list[Family]) -> None:
        """Take over what a worker has reported."""
        self._latest[worker] = families

    def end(self, worker: int) -> None:
        """Keep the counters of a worker that has ended, and forget the rest."""
        families = self._latest.pop(worker, [])
        counted = [family for family in families if family.type in SUMMED]
        self._ended = list(_sum([self._ended, counted]).values())

    def families(self) -> list[Family]:
        """Return every metric: counters and histograms summed, all others with the worker's number as a label."""
        merged = _sum([self._ended, *(families for _, families in sorted(self._latest.items()))])
        for worker, families in sorted(self._latest.items()):
            for family in families:
                if family.type not in SUMMED:
                    labelled = [(name, {**labels, LABEL: str(worker)}, value) for name, labels, value in family.samples]
                    known = merged.setdefault(family.name, replace(family, samples=[]))
                    merged[family.name] = replace(known, samples=[*known.samples, *labelled])
        return list(merged.values())


def _sum(sources: Iterable[Iterable[Family]]) -> dict[str, Family]:
    """Return the families that can be summed, by name, with equally labelled samples added up."""
    first: dict[str, Family] = {}
    sums: dict[str, dict[tuple[str, tuple[tuple[str, str], ...]], float]] = {}
    for source in sources:
        for family in source:
            if family.type in SUMMED:
                first.setdefault(family.name, family)
                values = sums.setdefault(family.name, {})
                for name, labels, value in family.samples:
                    key = name, tuple(labels.items())
                    values[key] = values.get(key, 0.0) + value
    return {
        name: replace(family, samples=[(sample, dict(labels), value) for (sample, labels), value in sums[name].items()])
        for name, family in first.items()
    }


# -- to and from the library


def from_metric(metric: Metric) -> Family:
    """Return a metric of prometheus_client as a message."""
    samples = [(sample.name, dict(sample.labels), float(sample.value)) for sample in metric.samples]
    return Family(metric.name, metric.documentation, metric.type, samples)


def to_metric(family: Family) -> Metric:
    """Return a metric of prometheus_client."""
    metric = Metric(family.name, family.documentation, family.type)
    for name, labels, value in family.samples:
        metric.add_sample(name, labels, value)
    return metric


class Collected:
    """Metrics in the form from which prometheus_client generates text."""

    def __init__(self, families: Iterable[Family]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        """Return the metrics."""
        return map(to_metric, self._families)
