"""The reasons for a report."""

from __future__ import annotations

from typing import get_args

from parlour.protocol.messages import ReportReason
from parlour.terminal.text.report_reasons import REASONS, find_reason


def test_every_reason_has_words() -> None:
    """Exactly those of the protocol, found by their names."""
    assert set(REASONS) == set(get_args(ReportReason))
    assert find_reason("Abuse") == "abuse"
    assert find_reason("boredom") is None
