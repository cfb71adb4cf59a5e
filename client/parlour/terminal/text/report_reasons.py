"""The reasons for a report, in words."""

from __future__ import annotations

from parlour.protocol.messages import ReportReason

REASONS: dict[ReportReason, str] = {
    "abuse": "insults or spam in the chat",
    "cheating": "help from a program or another person",
    "stalling": "stalls, or leaves games",
    "name": "an offensive name",
    "other": "something else",
}


def find_reason(word: str) -> ReportReason | None:
    """Return the reason that a word names."""
    return next((reason for reason in REASONS if reason == word.lower()), None)
