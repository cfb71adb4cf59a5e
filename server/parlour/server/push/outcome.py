"""The outcome of a push message to one browser."""

from __future__ import annotations

from enum import StrEnum


class PushOutcome(StrEnum):
    """The end of an attempt to send a push message."""

    SENT = "sent"
    GONE = "gone"  # the browser has ended its subscription, which is removed
    FAILED = "failed"  # the push service did not take it
    DROPPED = "dropped"  # too many were waiting, or the player came back before it was sent


def outcome_of(status: int) -> PushOutcome | None:
    """Return what the status of a reply means; None: send the message again later."""
    if 200 <= status < 300:
        return PushOutcome.SENT
    if status in (404, 410):
        return PushOutcome.GONE
    return None if status == 429 or status >= 500 else PushOutcome.FAILED
