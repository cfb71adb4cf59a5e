"""The event loop: uvloop where it is installed, since it takes less CPU time, else the standard one."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

_uvloop: Any
try:
    import uvloop as _uvloop
except ImportError:  # not available for this platform
    _uvloop = None

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run the coroutine in a new event loop, and return its result."""
    result: T = asyncio.run(main) if _uvloop is None else _uvloop.run(main)
    return result
