"""How many processor cores this process may use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
OWN_CGROUP = Path("/proc/self/cgroup")


def available_cores(cgroups: Path = CGROUPS, own_cgroup: Path = OWN_CGROUP) -> int:
    """Return the number of cores: those that the process is allowed to run on, or the CPU quota of its container."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([cores, *map(int, _quotas(cgroups, own_cgroup))]))


def _quotas(cgroups: Path, own_cgroup: Path) -> Iterator[float]:
    """Yield the quotas, in cores, of this process's control group (version 2) and of all groups above it."""
    try:
        lines = own_cgroup.read_text("utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        if line.startswith("0::/"):
            group = cgroups / line.removeprefix("0::/")
            for folder in (group, *group.parents):
                if folder.is_relative_to(cgroups) and (quota := _quota(folder / "cpu.max")) is not None:
                    yield quota


def _quota(file: Path) -> float | None:
    try:
        limit, period = file.read_text("ascii").split()
        return None if limit == "max" else int(limit) / int(period)
    except (OSError, ValueError, ZeroDivisionError):
        return None
