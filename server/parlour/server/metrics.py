"""Every metric of a node.

They are plain numbers that the event loop counts up, and become Prometheus metrics only when somebody asks: adding one
costs 25 ns where prometheus_client takes 280, observing a time 120 ns instead of 650, and a move does six of these.
"""

from __future__ import annotations

import asyncio
import platform
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from itertools import accumulate
from time import thread_time
from typing import Any, Literal

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, GCCollector, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import ClientMessage, name_of
from parlour.server.store.log import Appended
from parlour.server.transport.incident import Incident

CONTENT_TYPE = CONTENT_TYPE_LATEST

# Upper bounds in seconds. A command takes a millisecond or so; what takes 5 s has long been given up by its sender.
BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

LOOK_EVERY = 0.1  # seconds between two looks at the event loop


class Timing:
    """A histogram of seconds."""

    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)  # the last one is for everything above all bounds
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds


class Metrics:
    """The numbers of one node; change them directly: `metrics.moves["replica"] += 1`."""

    def __init__(self) -> None:
        self.connections = 0
        # By class, of which there are only so many: nothing that a client sends can make a new label.
        self.messages: dict[type[Any], int] = dict.fromkeys(ClientMessage.__args__, 0)
        self.unreadable = 0  # frames that were no message
        self.refusals: dict[str, int] = dict.fromkeys(map(str, ErrorCode), 0)
        self.moves: defaultdict[str, int] = defaultdict(int)  # by the key of the game
        self.updates_delivered = 0
        self.updates_dropped = 0
        self.rooms = 0
        self.appends: dict[str, int] = dict.fromkeys(map(str, Appended), 0)
        self.append_seconds = Timing()
        self.command_seconds = Timing()
        self.gaps_repaired = 0
        self.resumes: dict[Literal["range", "snapshot"], int] = {"range": 0, "snapshot": 0}
        self.incidents: dict[Incident, int] = dict.fromkeys(Incident, 0)
        self.loop_lag = Timing()
        self.loop_busy = Timing()
        self.store_up = False
        self._build = {"version": version("parlour"), "python": platform.python_version()}
        # Not the global one, so that a process can have several nodes, as tests do.
        self.registry = CollectorRegistry()
        self.registry.register(self)
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)

    def happened(self, incident: Incident) -> None:
        """Something rare has happened to a connection."""
        self.incidents[incident] += 1
        if incident is Incident.TOO_FAST:
            self.refusals[ErrorCode.TOO_FAST] += 1  # by the transport, so that the node did not hear of it

    def render(self) -> bytes:
        """What `/metrics` answers, as `CONTENT_TYPE`."""
        return generate_latest(self.registry)

    def collect(self) -> Iterator[Metric]:
        """Every metric, by its name in Prometheus (a counter gets `_total` at its end)."""
        yield _info("parlour_build_info", "The version that runs; always 1.", self._build)
        yield _gauge("parlour_connections", "Open connections of clients.", self.connections)
        messages = {name_of(kind): count for kind, count in self.messages.items()}
        yield _counters("parlour_messages_received", "Messages from clients; unreadable ones were no message at all.",
                        "type", {**messages, "unreadable": self.unreadable})  # fmt: skip
        yield _counters("parlour_refusals", "Messages that were refused.", "code", self.refusals)
        yield _counters("parlour_moves", "Moves that this node has shown.", "game", self.moves)
        yield _counter("parlour_updates_delivered", "Updates of rooms written to clients.", self.updates_delivered)
        yield _counter("parlour_updates_dropped", "Updates left out for clients that read too slowly; they get the "
                       "whole room later.", self.updates_dropped)  # fmt: skip
        yield _gauge("parlour_rooms_loaded", "Rooms in memory.", self.rooms)
        yield _counters("parlour_appends", "Attempts to add events to a room's log. A conflict is decided again; after "
                        "a failure the sender is told to try again.", "outcome", self.appends)  # fmt: skip
        yield _histogram("parlour_append_seconds", "From sending an append to its confirmation.", self.append_seconds)
        yield _histogram("parlour_command_seconds", "From receiving a command to its answer.", self.command_seconds)
        yield _counter("parlour_gaps_repaired", "Times that updates missed by this node were read from the log.",
                       self.gaps_repaired)  # fmt: skip
        yield _counters("parlour_resumes", "Rooms that a client came back to: sent the missed range, or the whole "
                        "snapshot.", "by", self.resumes)  # fmt: skip
        yield _counters("parlour_incidents", "Rare things that happened to connections and requests.", "kind",
                        self.incidents)  # fmt: skip
        yield _histogram(
            "parlour_loop_lag_seconds", "How late the event loop was when it was looked at.", self.loop_lag
        )
        yield _histogram("parlour_loop_busy_seconds", "How much of that the event loop was at work itself; "
                         "for the rest the machine had other things to do.", self.loop_busy)  # fmt: skip
        yield _gauge("parlour_store_up", "1 while the store answers.", int(self.store_up))


async def watch_loop(lag: Timing, busy: Timing, every: float = LOOK_EVERY) -> None:
    """Measure how late the event loop is, and how much of that is its own doing, until cancelled.

    What holds the loop up in a callback shows as both, but for what was over before the next look was due. What other
    programs take from the processor shows as lag only.
    """
    loop = asyncio.get_running_loop()
    while True:
        due, worked = loop.time() + every, thread_time()
        await asyncio.sleep(every)
        late = max(0.0, loop.time() - due)
        lag.observe(late)
        busy.observe(min(late, thread_time() - worked))


def _gauge(name: str, words: str, value: float) -> Metric:
    return GaugeMetricFamily(name, words, value)


def _info(name: str, words: str, labels: Mapping[str, str]) -> Metric:
    family = GaugeMetricFamily(name, words, labels=list(labels))
    family.add_metric(list(labels.values()), 1)
    return family


def _counter(name: str, words: str, value: int) -> Metric:
    return CounterMetricFamily(name, words, value)


def _counters(name: str, words: str, label: str, values: Mapping[Any, int]) -> Metric:
    family = CounterMetricFamily(name, words, labels=[label])
    for value, count in values.items():
        family.add_metric([str(value)], count)
    return family


def _histogram(name: str, words: str, timing: Timing) -> Metric:
    edges = [*map(str, BOUNDS), "+Inf"]
    return HistogramMetricFamily(name, words, list(zip(edges, accumulate(timing.counts), strict=True)), timing.total)
