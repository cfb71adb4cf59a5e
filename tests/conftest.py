"""No test fails because the machine was busy: examples by chance may take as long as they need."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("parlour", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("parlour")


def pytest_xdist_auto_num_workers() -> int:
    """Half as many again as there are processors: much of the time tests wait, for servers and for silence."""
    return max(1, (os.cpu_count() or 1) * 3 // 2)
