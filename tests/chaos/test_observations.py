"""Observations as values."""

from __future__ import annotations

from parlour.chaos.faults import Fault
from parlour.chaos.observations import Attempt, FaultRun, Observations


def test_nothing_is_observed_at_first() -> None:
    """Two runs share nothing."""
    one, two = Observations(), Observations()
    one.attempts.append(Attempt("ada", "room", 0, 1.0))
    one.shown["room", 2] = {"e4"}
    assert (two.attempts, two.shown) == ([], {})


def test_an_attempt_and_a_fault_are_open_at_first() -> None:
    """What is not known yet is None."""
    attempt = Attempt("ada", "room", 0, 1.0)
    assert (attempt.sent, attempt.dropped, attempt.answered, attempt.seq, attempt.refusal) == (None,) * 5
    assert FaultRun(Fault("node-kill", 1.0, 0), "ws://one", 2.0).ended is None
