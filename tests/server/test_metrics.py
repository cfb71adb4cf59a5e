"""The metrics of a node, as Prometheus reads them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest
from prometheus_client import REGISTRY, Metric
from prometheus_client.parser import text_string_to_metric_families

from parlour import games
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import ClientMessage, Play
from parlour.server.connections.incidents import Incident
from parlour.server.metrics import (
    BUCKETS,
    CONTENT_TYPE,
    Histogram,
    JobOutcome,
    Metrics,
    watch_event_loop,
    worker_metrics,
)  # fmt: skip
from parlour.server.store.health import Reason
from tests.waiting import until


def scraped(metrics: Metrics) -> dict[str, Metric]:
    return {family.name: family for family in text_string_to_metric_families(metrics.render().decode())}


def value(metrics: Metrics, sample: str, **labels: str) -> float:
    (found,) = (
        each.value
        for family in scraped(metrics).values()
        for each in family.samples
        if each.name == sample and each.labels == labels
    )
    return found


def test_every_metric_exists_from_the_start() -> None:
    """A new node exposes each metric with a description, before anything has happened."""
    families = {name: family for name, family in scraped(Metrics()).items() if name.startswith("parlour_")}

    assert {name: family.type for name, family in families.items()} == {
        "parlour_build_info": "gauge",
        "parlour_connections": "gauge",
        "parlour_push_messages": "counter",
        "parlour_messages_received": "counter",
        "parlour_refusals": "counter",
        "parlour_moves": "counter",
        "parlour_updates_delivered": "counter",
        "parlour_updates_dropped": "counter",
        "parlour_rooms_open": "gauge",
        "parlour_appends": "counter",
        "parlour_append_duration_seconds": "histogram",
        "parlour_command_duration_seconds": "histogram",
        "parlour_gaps_repaired": "counter",
        "parlour_resumes": "counter",
        "parlour_incidents": "counter",
        "parlour_event_loop_lag_seconds": "histogram",
        "parlour_event_loop_busy_seconds": "histogram",
        "parlour_store_up": "gauge",
        "parlour_store_errors": "counter",
        "parlour_archive_up": "gauge",
        "parlour_archive_errors": "counter",
        "parlour_archive_delays": "counter",
        "parlour_games_archived": "counter",
        "parlour_games_started": "counter",
        "parlour_games_ended": "counter",
        "parlour_queued_players": "gauge",
        "parlour_seeks_open": "gauge",
        "parlour_jobs": "counter",
        "parlour_jobs_queued": "gauge",
        "parlour_jobs_running": "gauge",
        "parlour_job_duration_seconds": "histogram",
        "parlour_outages": "counter",
        "parlour_logs_lost": "counter",
        "parlour_fan_out_duration_seconds": "histogram",
    }
    assert all(family.documentation.endswith(".") for family in families.values())
    assert CONTENT_TYPE.startswith("text/plain")


def test_counts_are_exposed() -> None:
    """What is added to the plain numbers is what Prometheus reads."""
    metrics = Metrics()
    metrics.connections += 3
    metrics.messages[Play] += 2
    metrics.unreadable_messages += 1
    metrics.refusals[ErrorCode.TOO_FAST] += 4
    metrics.moves["replica"] += 5
    metrics.updates_delivered += 1000
    metrics.updates_dropped += 6
    metrics.rooms = 7
    metrics.appends["conflict"] += 8
    metrics.gaps_repaired += 9
    metrics.resumes["range"] += 10
    metrics.store_up = True
    metrics.store_errors[Reason.READONLY] += 11
    metrics.count_incident(Incident.FLOOD)
    metrics.games_started["isaac"] += 12
    metrics.games_ended["isaac", "resigned"] += 13
    metrics.jobs[JobOutcome.FAILED] += 14

    assert value(metrics, "parlour_connections") == 3
    assert value(metrics, "parlour_messages_received_total", type="play") == 2
    assert value(metrics, "parlour_messages_received_total", type="unreadable") == 1
    assert value(metrics, "parlour_refusals_total", code="too_fast") == 4
    assert value(metrics, "parlour_moves_total", game="replica") == 5
    assert value(metrics, "parlour_updates_delivered_total") == 1000
    assert value(metrics, "parlour_updates_dropped_total") == 6
    assert value(metrics, "parlour_rooms_open") == 7
    assert value(metrics, "parlour_appends_total", outcome="conflict") == 8
    assert value(metrics, "parlour_gaps_repaired_total") == 9
    assert value(metrics, "parlour_resumes_total", sent="range") == 10
    assert value(metrics, "parlour_store_up") == 1
    assert value(metrics, "parlour_store_errors_total", reason="readonly") == 11
    assert value(metrics, "parlour_incidents_total", kind="flood") == 1
    assert value(metrics, "parlour_games_started_total", game="isaac") == 12
    assert value(metrics, "parlour_games_ended_total", game="isaac", reason="resigned") == 13
    assert value(metrics, "parlour_jobs_total", outcome="failed") == 14


def test_workers_are_counted() -> None:
    """A server with several workers has metrics about them."""
    serving, restarts = worker_metrics(2, 5)
    assert [(sample.name, sample.value) for sample in serving.samples] == [("parlour_workers", 2)]
    assert [(sample.name, sample.value) for sample in restarts.samples] == [("parlour_worker_restarts_total", 5)]


def test_labels_are_bounded() -> None:
    """There is a series for every message and every refusal, and clients cannot add others."""
    metrics = Metrics()
    families = scraped(metrics)
    types = {sample.labels["type"] for sample in families["parlour_messages_received"].samples}
    codes = {sample.labels["code"] for sample in families["parlour_refusals"].samples}

    assert {"hello", "ping", "play", "unreadable"} < types
    assert len(types) == len(ClientMessage.__args__) + 1
    assert codes == set(ErrorCode)
    with pytest.raises(KeyError):
        metrics.messages[int] += 1


def test_durations_are_a_histogram() -> None:
    """A duration counts in every bucket that is not below it, and all of them are summed up."""
    metrics = Metrics()
    for seconds in (0.0, 0.0005, 0.0006, 0.3, 60.0):
        metrics.command_seconds.observe(seconds)

    assert value(metrics, "parlour_command_duration_seconds_bucket", le="0.0005") == 2
    assert value(metrics, "parlour_command_duration_seconds_bucket", le="0.001") == 3
    assert value(metrics, "parlour_command_duration_seconds_bucket", le="0.25") == 3
    assert value(metrics, "parlour_command_duration_seconds_bucket", le="0.5") == 4
    assert value(metrics, "parlour_command_duration_seconds_bucket", le="5.0") == 4
    assert value(metrics, "parlour_command_duration_seconds_bucket", le="+Inf") == 5
    assert value(metrics, "parlour_command_duration_seconds_count") == 5
    assert value(metrics, "parlour_command_duration_seconds_sum") == pytest.approx(60.3011)


def test_nodes_of_one_process_do_not_share_metrics() -> None:
    """Each has its own registry, and the library's global one is not used."""
    one, two = Metrics(), Metrics()
    one.connections += 1

    assert value(two, "parlour_connections") == 0
    assert REGISTRY.get_sample_value("parlour_connections") is None


def test_the_process_is_measured_too() -> None:
    """Memory and garbage collection are exposed with the node's own metrics, and so is the version."""
    families = scraped(Metrics())

    assert "python_gc_collections" in families
    (build,) = families["parlour_build_info"].samples
    assert build.value == 1
    assert set(build.labels) == {"version", "python"}


def test_refusals_of_the_connection_are_counted_too() -> None:
    """A message over the rate never reaches the node, but counts as a refusal."""
    metrics = Metrics()
    metrics.count_incident(Incident.TOO_FAST)

    assert value(metrics, "parlour_incidents_total", kind="too_fast") == 1
    assert value(metrics, "parlour_refusals_total", code="too_fast") == 1


async def watched(hold_up: Callable[[], None]) -> tuple[Histogram, Histogram]:
    """Return the lag and busy time of an event loop in which a callback blocked."""
    lag, busy = Histogram(), Histogram()
    spectator = asyncio.create_task(watch_event_loop(lag, busy, every=0.001))
    await until(lambda: sum(lag.counts) > 0)
    hold_up()
    seen = sum(lag.counts)
    await until(lambda: sum(lag.counts) > seen)
    spectator.cancel()
    return lag, busy


def above(timing: Histogram, bound: float) -> int:
    return sum(timing.counts[BUCKETS.index(bound) + 1 :])


async def test_a_blocked_loop_is_measured() -> None:
    """A callback that blocks the event loop for 60 ms counts as at least 25 ms of lag, but not as busy time."""
    lag, busy = await watched(lambda: time.sleep(0.06))

    assert above(lag, 0.025) >= 1
    assert above(busy, 0.05) == 0


async def test_a_busy_loop_is_measured() -> None:
    """A callback that computes for 80 ms counts as more than 50 ms of busy time, whatever else the machine does."""

    def compute() -> None:
        until = time.thread_time() + 0.08
        while time.thread_time() < until:
            pass

    _, busy = await watched(compute)

    assert above(busy, 0.05) == 1


def test_counting_is_cheap() -> None:
    """Counting one move takes less than ten microseconds of CPU time, even on a busy machine."""
    metrics, rounds, key = Metrics(), 2_000, games.keys()[0]

    def move() -> None:
        metrics.messages[Play] += 1
        metrics.moves[key] += 1
        metrics.appends["ok"] += 1
        metrics.updates_delivered += 2
        metrics.append_seconds.observe(0.0004)
        metrics.command_seconds.observe(0.0012)

    best = float("inf")
    for _ in range(20):
        began = time.process_time()
        for _ in range(rounds):
            move()
        best = min(best, time.process_time() - began)

    assert best / rounds < 10e-6
