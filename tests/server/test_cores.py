"""The cores that a process may use, in and outside containers."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from parlour.server.cores import available_cores


@pytest.fixture
def cgroups(tmp_path: Path) -> Path:
    """A tree of control groups in which this process is in `service/parlour`."""
    (tmp_path / "service" / "parlour").mkdir(parents=True)
    (tmp_path / "own").write_text("0::/service/parlour\n")
    return tmp_path


def cores(cgroups: Path) -> int:
    return available_cores(cgroups, cgroups / "own")


def test_a_process_without_a_quota_has_the_cores_it_may_run_on(cgroups: Path) -> None:
    """The affinity mask counts, not the number of cores in the machine."""
    allowed = os.sched_getaffinity(0)
    (cgroups / "service" / "parlour" / "cpu.max").write_text("max 100000\n")
    assert cores(cgroups) == len(allowed)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        assert cores(cgroups) == 1
    finally:
        os.sched_setaffinity(0, allowed)


def test_the_quota_of_a_group_counts_for_all_groups_below(cgroups: Path) -> None:
    """A quota of one and a half cores is one core, and half a core is one too."""
    (cgroups / "service" / "parlour" / "cpu.max").write_text("900000 100000\n")
    (cgroups / "service" / "cpu.max").write_text("150000 100000\n")
    assert cores(cgroups) == 1
    (cgroups / "cpu.max").write_text("50000 100000\n")
    assert cores(cgroups) == 1


def test_a_system_without_control_groups_has_no_quota(tmp_path: Path) -> None:
    """Nothing is read that does not exist, and what cannot be read is ignored."""
    assert available_cores(tmp_path, tmp_path / "none") == len(os.sched_getaffinity(0))
    (tmp_path / "own").write_text("0::/\n")
    (tmp_path / "cpu.max").write_text("nonsense\n")
    assert cores(tmp_path) == len(os.sched_getaffinity(0))
