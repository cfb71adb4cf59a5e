"""Polling for conditions without a notification, in another process for example. Await an event where there is one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

WITHIN = 60.0  # seconds; a busy machine may need some of them
PAUSE = 0.005


async def until(fits: Callable[[], bool | Awaitable[bool]]) -> None:
    """Poll until the condition holds; raise TimeoutError if it never does."""
    async with asyncio.timeout(WITHIN):
        while not (found if isinstance(found := fits(), bool) else await found):
            await asyncio.sleep(PAUSE)
