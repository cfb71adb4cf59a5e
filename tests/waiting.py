"""Waiting for what nobody announces: another process, a port, a clock. Where something tells of it, await that."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

WITHIN = 60.0  # seconds; a busy machine may need some of them
PAUSE = 0.005


async def until(fits: Callable[[], bool | Awaitable[bool]]) -> None:
    """Look again and again, until it is so."""
    async with asyncio.timeout(WITHIN):
        while not (found if isinstance(found := fits(), bool) else await found):
            await asyncio.sleep(PAUSE)
