"""Rare things that happen to connections, for the metrics."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class Incident(StrEnum):
    """A kind of incident. The value is the label of the metric."""

    LISTENER_FAILED = "listener_failed"  # handling a message or event raised an exception; it was logged
    ENDPOINT_FAILED = "endpoint_failed"  # an HTTP endpoint raised an exception; it was logged and answered with 500
    ENDPOINT_TIMEOUT = "endpoint_timeout"  # an HTTP endpoint took too long and was answered with 503
    TOO_FAST = "too_fast"  # a message was refused because its sender is over the rate
    FLOOD = "flood"  # a connection was closed because it was far over the rate
    BEHIND = "behind"  # a connection began to miss broadcasts
    TOO_SLOW = "too_slow"  # a connection was aborted because it could not take what was sent to it
    SILENT = "silent"  # a connection was aborted because it did not answer a ping
    CROWDED = "crowded"  # a connection or request was refused because there were too many
    BAD_ORIGIN = "bad_origin"  # a page of another site tried to connect
    BAD_HOST = "bad_host"  # a request was for a host name that is not allowed
    BAD_SUBPROTOCOL = "bad_subprotocol"  # a client offered no subprotocol that the server supports


Count = Callable[[Incident], None]


def uncounted(incident: Incident) -> None:
    """Do not count an incident: for a server without metrics."""
