"""File descriptors: raises their limit, and reserves some that connections cannot use up."""

from __future__ import annotations

import logging
import resource

logger = logging.getLogger(__name__)

# For the store, the archive, engines, files, refused connections and health checks.
RESERVED = 128


def raise_limit() -> int:
    """Raise the number of descriptors this process may open as far as it is allowed to, and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (ValueError, OSError):  # some systems allow less than they report
            return soft
    return hard


def connection_limit(wanted: int, descriptors: int) -> int:
    """Return how many connections a node accepts: those in the settings, or what leaves enough descriptors."""
    if descriptors == resource.RLIM_INFINITY:
        return wanted
    possible = max(1, descriptors - RESERVED)
    if possible < wanted:
        logger.warning(
            "this system allows %d open files, so the node accepts %d connections instead of %d; raise `ulimit -n`",
            descriptors, possible, wanted,
        )  # fmt: skip
        return possible
    return wanted


def socket_limit(descriptors: int) -> int:
    """Return how many sockets may be open, those that are only refused included."""
    return 1 << 30 if descriptors == resource.RLIM_INFINITY else max(2, descriptors - RESERVED // 2)
