"""Rare things that happen to connections, for the metrics."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class Incident(StrEnum):
    """What happened. The value is the label of the metric."""

    LISTENER_FAILED = "listener_failed"  # the node raised an exception over a message or event; it was logged
    PAGE_FAILED = "page_failed"  # a page of the node raised an exception; it was logged and answered with 500
    PAGE_LATE = "page_late"  # a page took too long and was answered with 503
    TOO_FAST = "too_fast"  # a message was refused because its sender is over the rate
    FLOOD = "flood"  # a connection was closed because it was far over the rate
    BEHIND = "behind"  # a peer began to miss broadcasts
    TOO_SLOW = "too_slow"  # a connection was aborted because it could not take what was sent to it
    SILENT = "silent"  # a connection was aborted because it did not answer a ping
    CROWDED = "crowded"  # a connection or request was refused because there were too many
    BAD_ORIGIN = "bad_origin"  # a page of another site tried to connect
    BAD_SUBPROTOCOL = "bad_subprotocol"  # a program tried to connect that speaks no subprotocol of ours


Count = Callable[[Incident], None]


def uncounted(incident: Incident) -> None:
    """For those who keep no metrics."""
