"""The event loop: uvloop where it is installed, else Python's own. Both do the same; the first takes less time."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

_uvloop: Any
try:
    import uvloop as _uvloop
except ImportError:  # there is none for this system
    _uvloop = None

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run until the work is done."""
    result: T = asyncio.run(work) if _uvloop is None else _uvloop.run(work)
    return result
