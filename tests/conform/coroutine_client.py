"""A client under test that is a coroutine in the same event loop, not a program of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from parlour.conform.client_process import Run, environment_of, outcome
from parlour.conform.scripted_server import ScriptedServer

LIMIT = 120.0  # seconds for one game


class CoroutineClient:
    """Starts a coroutine for every game, with what a program finds in its environment."""

    def __init__(self, start: Callable[[Mapping[str, str]], Coroutine[Any, Any, int | None]]) -> None:
        """The coroutine returns the exit code; None is 0."""
        self._start = start

    async def run(self, server: ScriptedServer, enough: asyncio.Event, extra: float) -> Run:
        """Let the client play one game; an exception is what makes a program exit with 1."""
        playing = asyncio.create_task(self._start(environment_of(server)))
        waiting = asyncio.create_task(enough.wait())
        await asyncio.wait((playing, waiting), timeout=LIMIT + extra, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if not playing.done():
            playing.cancel()
            await asyncio.wait((playing,))
            return outcome(server, None, LIMIT, "")
        fault = playing.exception()
        return outcome(server, 1 if fault else playing.result() or 0, LIMIT, repr(fault) if fault else "")
