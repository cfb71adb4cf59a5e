"""The messages between a supervisor and its workers."""

from __future__ import annotations

from msgspec import Struct


class Family(Struct, frozen=True, array_like=True):
    """A metric with all its samples, as Prometheus defines them."""

    name: str
    documentation: str
    type: str
    samples: list[tuple[str, dict[str, str], float]]


# -- from a worker


class Opened(Struct, frozen=True, tag=True):
    """The worker listens."""


class Health(Struct, frozen=True, tag=True):
    """Whether the store accepts the worker's writes."""

    healthy: bool


class Sampled(Struct, frozen=True, tag=True):
    """The worker's metrics, in reply to `Sample`."""

    families: list[Family]


class Scrape(Struct, frozen=True, tag=True):
    """A monitoring system has asked the worker for the metrics of all workers."""


# -- from the supervisor


class Listen(Struct, frozen=True, tag=True):
    """Open the port, or close it, because other workers can serve and this one cannot."""

    is_open: bool


class StoreOutage(Struct, frozen=True, tag=True):
    """Why the embedded store is down, as a sentence; None when it is back."""

    sentence: str | None


class Sample(Struct, frozen=True, tag=True):
    """Send your metrics."""


class Scraped(Struct, frozen=True, tag=True):
    """The metrics of all workers, in reply to `Scrape`."""

    families: list[Family]


FromWorker = Opened | Health | Sampled | Scrape
FromSupervisor = Listen | StoreOutage | Sample | Scraped
