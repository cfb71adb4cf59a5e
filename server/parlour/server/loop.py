"""The event loop: uvloop where it is installed, since it takes less CPU time, else the standard one.

Also what delays it.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

_uvloop: Any
try:
    import uvloop as _uvloop
except ImportError:  # not available for this platform
    _uvloop = None

T = TypeVar("T")


# How long a thread that computes may keep the event loop from continuing. Python's default is 5 ms.
SWITCH_INTERVAL = 0.0005  # seconds

# Rooms and messages are values without cycles, so there is hardly any garbage: with Python's default of 700 the search
# for it took a fifth of the CPU. It looks at new objects when there are about 5,000, and again when there are 15,000.
# That takes 1 % of the CPU, and 1.7 ms at a time with 100 busy rooms; with 20,000 and 400,000 objects it took 4 ms.
GC_THRESHOLD = (5_000, 1, 1_000)


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run the coroutine in a new event loop, and return its result."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    result: T = asyncio.run(main) if _uvloop is None else _uvloop.run(main)
    return result


def shorten_collections() -> None:
    """Collect garbage rarely from now on, and never scan today's objects: they stay, and a scan takes 25 ms."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLD)
