"""All metrics of a node.

They are plain numbers, and become Prometheus metrics only when `/metrics` is requested: incrementing one takes 25 ns
where prometheus_client takes 280, observing a duration 120 ns instead of 650, and a move does six of these.
"""

from __future__ import annotations

import asyncio
import platform
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from importlib.metadata import version
from itertools import accumulate, product
from time import thread_time
from typing import Any, Literal, Protocol, get_args

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, GCCollector, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import ClientMessage, NotificationKind, name_of
from parlour.server.connections.incidents import Incident
from parlour.server.push.outcome import PushOutcome
from parlour.server.store.health import Reason
from parlour.server.store.room_log import Appended

CONTENT_TYPE = CONTENT_TYPE_LATEST

# Upper bounds in seconds. A command takes about a millisecond; after 5 s its client has given up.
BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class JobOutcome(StrEnum):
    """The outcome of a job that a bot worker took."""

    DONE = "done"
    REFUSED = "refused"  # the room or the game does not allow it any more
    REQUEUED = "requeued"  # for a worker that supports the rules
    FAILED = "failed"  # the engine or the store: the job is taken over later


class Collector(Protocol):
    """A collection of metrics."""

    def collect(self) -> Iterable[Metric]: ...


# Seconds between two measurements of the event loop. If other processes delay one, earlier work of the loop counts as
# well, so this is short.
PROBE_EVERY = 0.02


class Histogram:
    """A histogram of durations in seconds."""

    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)  # the last one counts everything above all bounds
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        """Add a duration."""
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.total += seconds


class Metrics:
    """The metrics of one node. Change them directly: `metrics.moves["replica"] += 1`."""

    def __init__(self) -> None:
        self.connections = 0
        # By message class: nothing that a client sends can create a new label.
        self.messages: dict[type[Any], int] = dict.fromkeys(ClientMessage.__args__, 0)
        self.unreadable_messages = 0
        self.refusals: dict[str, int] = dict.fromkeys(map(str, ErrorCode), 0)
        self.moves: defaultdict[str, int] = defaultdict(int)  # by game
        self.updates_delivered = 0
        self.updates_dropped = 0
        self.rooms = 0
        self.games_started: defaultdict[str, int] = defaultdict(int)  # by game
        self.games_ended: defaultdict[tuple[str, str], int] = defaultdict(int)  # by game and reason
        self.queued_players = 0
        self.open_seeks = 0
        self.jobs: dict[str, int] = dict.fromkeys(map(str, JobOutcome), 0)
        self.jobs_running = 0
        self.jobs_queued = 0
        self.job_seconds = Histogram()
        self.outages: dict[Literal["all", "one"], int] = {"all": 0, "one": 0}
        self.logs_lost = 0
        self.fan_out_seconds = Histogram()
        self.appends: dict[str, int] = dict.fromkeys(map(str, Appended), 0)
        self.append_seconds = Histogram()
        self.command_seconds = Histogram()
        self.gaps_repaired = 0
        self.resumes: dict[Literal["range", "snapshot"], int] = {"range": 0, "snapshot": 0}
        self.incidents: dict[Incident, int] = dict.fromkeys(Incident, 0)
        self.event_loop_lag = Histogram()
        self.event_loop_busy = Histogram()
        self.store_up = False
        self.store_errors = dict.fromkeys(Reason, 0)
        self.archive_up = False
        self.archive_errors = 0
        self.archive_delays = 0
        self.games_archived = 0
        self.push_messages: dict[tuple[str, str], int] = dict.fromkeys(
            product(get_args(NotificationKind), map(str, PushOutcome)), 0
        )
        self._build = {"version": version("parlour"), "python": platform.python_version()}
        # Not the global registry, so that a process can have several nodes, as in tests.
        self.registry = CollectorRegistry()
        self.registry.register(self)
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)

    def count_incident(self, incident: Incident) -> None:
        """Count an incident of a connection."""
        self.incidents[incident] += 1
        if incident is Incident.TOO_FAST:
            self.refusals[ErrorCode.TOO_FAST] += 1  # refused by the connection, before the node saw the message

    def render(self) -> bytes:
        """Return the body of `/metrics`, whose type is `CONTENT_TYPE`."""
        return render(self.registry)

    def collect(self) -> Iterator[Metric]:
        """Yield every metric. Prometheus adds `_total` to the names of counters."""
        messages = {name_of(kind): count for kind, count in self.messages.items()}
        messages["unreadable"] = self.unreadable_messages

        # -- the node
        yield _info("parlour_build_info", "The running version; always 1.", self._build)
        yield _gauge("parlour_store_up", "Whether the store accepts writes: 1 or 0.", int(self.store_up))
        yield _counters(
            "parlour_store_errors",
            "Commands that the store refused, attempts to connect that failed, and connections lost.",
            "reason",
            self.store_errors,
        )
        yield _counters(
            "parlour_outages",
            "Outages known to this node, of all nodes or of one. Every node counts each outage.",
            "nodes",
            self.outages,
        )
        yield _gauge("parlour_archive_up", "Whether the archive database can be used: 1 or 0.", int(self.archive_up))
        yield _counter("parlour_archive_errors", "Queries that the archive did not answer.", self.archive_errors)
        yield _counter(
            "parlour_archive_delays", "Times a finished game had to wait for the archive.", self.archive_delays
        )
        yield _counter("parlour_games_archived", "Games whose log this node has removed.", self.games_archived)
        yield _histogram("parlour_event_loop_lag_seconds", "Delay of a timer of the event loop.", self.event_loop_lag)
        yield _histogram(
            "parlour_event_loop_busy_seconds",
            "The part of that delay in which the event loop itself was busy; the rest was taken by other processes.",
            self.event_loop_busy,
        )

        # -- connections and messages
        yield _gauge("parlour_connections", "Open client connections.", self.connections)
        yield _counters("parlour_incidents", "Rare incidents of connections and HTTP requests.", "kind", self.incidents)
        yield _counters("parlour_messages_received", "Messages received from clients.", "type", messages)
        yield _counters("parlour_refusals", "Messages that were refused.", "code", self.refusals)
        yield _histogram(
            "parlour_command_duration_seconds", "Time from receiving a room command to its reply.", self.command_seconds
        )

        # -- rooms
        yield _gauge("parlour_rooms_open", "Rooms that are open on this node.", self.rooms)
        yield _counters("parlour_games_started", "Games that began on this node.", "game", self.games_started)
        yield _counters(
            "parlour_games_ended", "Games whose end this node has recorded.", ("game", "reason"), self.games_ended
        )
        yield _counters("parlour_moves", "Moves that this node has applied.", "game", self.moves)
        yield _counter("parlour_updates_delivered", "Room updates sent to subscribers.", self.updates_delivered)
        yield _counter(
            "parlour_updates_dropped",
            "Room updates not sent to clients that read too slowly; they are sent the whole room later.",
            self.updates_dropped,
        )
        yield _counters(
            "parlour_resumes", "Rooms resumed by clients: the missed range or a whole snapshot was sent.", "sent",
            self.resumes,
        )  # fmt: skip

        yield _histogram(
            "parlour_fan_out_duration_seconds",
            "Time to write an update to all subscribers of a room that has more than eight of them on this node.",
            self.fan_out_seconds,
        )

        # -- matchmaking
        yield _gauge("parlour_queued_players", "Places in quick match of players on this node.", self.queued_players)
        yield _gauge("parlour_seeks_open", "Open seeks of players on this node.", self.open_seeks)

        # -- notifications
        yield _counters(
            "parlour_push_messages", "Push messages to browsers of absent players.", ("kind", "outcome"),
            self.push_messages,
        )  # fmt: skip

        # -- bots
        yield _gauge(
            "parlour_jobs_queued", "Bot jobs of all nodes that are not done, as this worker last saw it.",
            self.jobs_queued,
        )  # fmt: skip
        yield _gauge("parlour_jobs_running", "Bot jobs that this worker is doing.", self.jobs_running)
        yield _counters("parlour_jobs", "Bot jobs that this worker has taken.", "outcome", self.jobs)
        yield _histogram("parlour_job_duration_seconds", "Time from taking a bot job to its end.", self.job_seconds)

        # -- room logs
        yield _counters("parlour_appends", "Attempts to append events to a room's log.", "outcome", self.appends)
        yield _histogram(
            "parlour_append_duration_seconds", "Time from sending an append to its outcome.", self.append_seconds
        )
        yield _counter(
            "parlour_gaps_repaired", "Times this node read events from the log that pub/sub had not delivered.",
            self.gaps_repaired,
        )  # fmt: skip
        yield _counter("parlour_logs_lost", "Times that the store had lost events of an open room.", self.logs_lost)


def render(metrics: Collector) -> bytes:
    """Return metrics as text, whose type is `CONTENT_TYPE`."""
    return generate_latest(metrics)


def worker_metrics(serving: int, restarts: int) -> Iterator[Metric]:
    """Yield the metrics about the workers of a server with several of them."""
    yield _gauge("parlour_workers", "Workers that can serve players.", serving)
    yield _counter("parlour_worker_restarts", "Times that a worker died and was started again.", restarts)


async def watch_event_loop(lag: Histogram, busy: Histogram, every: float = PROBE_EVERY) -> None:
    """Measure how late timers fire, and how much of that the event loop itself caused, until cancelled.

    A callback that blocks the loop counts as both, except for the part before the timer was due. Processor time taken
    by other processes counts as lag only.
    """
    loop = asyncio.get_running_loop()
    while True:
        due, used = loop.time() + every, thread_time()
        await asyncio.sleep(every)
        late = max(0.0, loop.time() - due)
        lag.observe(late)
        busy.observe(min(late, thread_time() - used))


def _gauge(name: str, documentation: str, value: float) -> Metric:
    return GaugeMetricFamily(name, documentation, value)


def _info(name: str, documentation: str, labels: Mapping[str, str]) -> Metric:
    family = GaugeMetricFamily(name, documentation, labels=list(labels))
    family.add_metric(list(labels.values()), 1)
    return family


def _counter(name: str, documentation: str, value: int) -> Metric:
    return CounterMetricFamily(name, documentation, value)


def _counters(name: str, documentation: str, labels: str | tuple[str, ...], values: Mapping[Any, int]) -> Metric:
    """Return a counter with one label, or with several whose values are tuples."""
    family = CounterMetricFamily(name, documentation, labels=[labels] if isinstance(labels, str) else labels)
    for value, count in values.items():
        family.add_metric(list(value) if isinstance(value, tuple) else [str(value)], count)
    return family


def _histogram(name: str, documentation: str, histogram: Histogram) -> Metric:
    bounds = [*map(str, BUCKETS), "+Inf"]
    buckets = list(zip(bounds, accumulate(histogram.counts), strict=True))
    return HistogramMetricFamily(name, documentation, buckets, histogram.total)
