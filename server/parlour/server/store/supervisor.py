"""Keeps an embedded store running: restarts it whenever it exits, with as many attempts as it takes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Literal, Self

from parlour.server.restarts import LONGEST_PAUSE, Restarts
from parlour.server.store.embedded import EmbeddedStore
from parlour.server.store.errors import StoreUnavailable

logger = logging.getLogger(__name__)


class StoreSupervisor:
    """An embedded store that is restarted when it exits.

    Restarts are logged; an attempt that fails for the same reason as the previous one is not.
    """

    def __init__(
        self, data: Path, *, fsync: Literal["everysec", "always"] = "everysec", longest_pause: float = LONGEST_PAUSE
    ) -> None:
        self._store = EmbeddedStore(data, fsync=fsync)
        self.outage: str | None = None  # why there is no store at the moment, as a sentence
        self.on_outage: Callable[[], None] = lambda: None  # called when `outage` has changed
        self._restarts = Restarts(longest=longest_pause)
        self._task: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """The address of the store, which does not change."""
        return self._store.url

    @property
    def pid(self) -> int | None:
        """The process id of the store; None if it is not running."""
        return self._store.pid

    async def start(self) -> str:
        """Start the store and return its address. Raise StoreUnavailable."""
        url = await self._store.start()
        self._task = asyncio.create_task(self._supervise(), name="embedded store")
        return url

    async def stop(self) -> None:
        """Stop the store."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))
            self._task = None
        await self._store.stop()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def _supervise(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            started = loop.time()
            how = await self._store.ended()
            ran = loop.time() - started
            logger.error("the embedded store %s; restarting it", how)
            self._set_outage(f"The embedded store {how}. It is being restarted.")
            await self._restart(ran)
            logger.warning("the embedded store is running again")
            self._set_outage(None)

    async def _restart(self, ran: float) -> None:
        """Restart the store, which ran for some seconds; retry until that succeeds."""
        while True:
            await asyncio.sleep(self._restarts.pause(ran))
            ran = 0.0
            try:
                return await self._store.restart()
            except Exception as error:
                self._failed(error)

    def _failed(self, error: Exception) -> None:
        reason = str(error) if isinstance(error, StoreUnavailable) else f"Unexpected error: {error!r}."
        if reason != self.outage:
            logger.error("the embedded store cannot be restarted; trying again: %s", reason)
            self._set_outage(reason)

    def _set_outage(self, sentence: str | None) -> None:
        self.outage = sentence
        self.on_outage()
