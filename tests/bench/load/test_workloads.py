"""The workloads of the load benchmark."""

from __future__ import annotations

import pytest

from bench.load.workloads import FULL, QUICK, WORKLOADS, Effort, find_workload


def option(options: tuple[str, ...], name: str) -> str:
    return options[options.index(name) + 1]


@pytest.mark.parametrize("effort", [FULL, QUICK])
def test_every_workload_can_be_found(effort: Effort) -> None:
    """The keys on the command line are those of the workloads."""
    assert [find_workload(key, effort).key for key in WORKLOADS] == list(WORKLOADS)


def test_an_unknown_workload_is_an_error() -> None:
    """A key that is not in the list is not accepted."""
    with pytest.raises(ValueError, match="sleep"):
        find_workload("sleep", FULL)


def test_only_parlour_has_choices_and_games() -> None:
    """The other workloads run on every system."""
    only = [key for key in WORKLOADS if find_workload(key, FULL).parlour_only]

    assert only == ["choices", "games"]


def test_latency_is_measured_at_a_fixed_rate() -> None:
    """1,000 moves per second for long enough that the slowest hundredth is more than a few moves."""
    options = find_workload("latency", FULL).options

    assert option(options, "--rate") == "1000"
    assert float(option(options, "--rate")) * float(option(options, "--seconds")) / 100 >= 50
