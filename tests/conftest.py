"""Settings for the whole suite: it passes on a busy machine, and in the background."""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

# Every node that a test starts checks that the keys of each command are in one hash slot, as a cluster does.
os.environ.setdefault("PARLOUR_TEST_CHECK_SLOTS", "1")

# Generated examples may take as long as they need.
settings.register_profile("parlour", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("parlour")


def pytest_sessionstart() -> None:
    """Restore SIGINT, which nohup and background jobs ignore: children inherit that, and Ctrl-C tests would hang."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers() -> int:
    """Return three workers per two processors: tests spend much of their time waiting for other processes."""
    return max(1, (os.cpu_count() or 1) * 3 // 2)
