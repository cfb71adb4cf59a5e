"""The comparison of several workers with one."""

from __future__ import annotations

import pytest

from bench.workers import Gain, Trial, report
from tests.bench.load.measurements import measurement


def trial(workers: int, moves: int, cpu: float) -> Trial:
    return Trial(workers, 0.5 * (workers > 1), measurement(moves=moves, server_cpu=cpu, seconds=2.0))


def test_on_one_core_the_cpu_time_is_compared() -> None:
    """Two workers that need a fifth more CPU time per move serve 2 / 1.2 times as much on two cores."""
    assert Gain(trial(1, 1000, 0.1), trial(2, 1000, 0.12), is_direct=False).times == pytest.approx(2 / 1.2)


def test_on_several_cores_the_moves_are_compared() -> None:
    """Whatever CPU time they took."""
    assert Gain(trial(1, 1000, 0.1), trial(2, 1800, 0.4), is_direct=True).times == pytest.approx(1.8)


def test_the_report_has_medians() -> None:
    """And says how the gain was measured."""
    gains = [Gain(trial(1, 1000, 0.1), trial(2, 1000, cpu), is_direct=False) for cpu in (0.10, 0.11, 0.12)]
    text = report(gains)
    assert "| CPU of the workers per move (µs) | 100.0 [100.0–100.0] | 110.0 [100.0–120.0] |" in text
    assert "2 workers serve 1.82 [1.67–2.00] times the load of one (from the CPU time per move" in text
