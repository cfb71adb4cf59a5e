"""Spectators that follow one game after another to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from random import Random

from parlour.chaos.recorder import Recorder
from parlour.client import Client
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import Moved

LOOK_AGAIN_AFTER = 0.5  # seconds, when there is no game to watch


class Watcher:
    """One client that watches, and notes what it was shown."""

    def __init__(
        self, client: Client, recorder: Recorder, rng: Random, rooms: Callable[[], Sequence[str]], ending: asyncio.Event
    ) -> None:
        """`rooms` returns the games that are going on."""
        self._client = client
        self._recorder = recorder
        self._rng = rng
        self._rooms = rooms
        self._ending = ending

    async def run(self) -> None:
        """Watch games until the end."""
        while not self._ending.is_set():
            rooms = self._rooms()
            if not rooms:
                await asyncio.sleep(LOOK_AGAIN_AFTER)
                continue
            try:
                await self._watch(self._rng.choice(rooms))
            except Refusal:
                await asyncio.sleep(LOOK_AGAIN_AFTER)

    async def _watch(self, room: str) -> None:
        table = await self._client.join(room)
        async for event in table:
            if isinstance(event, Moved):
                self._recorder.show(event)
            if table.result is not None:
                break
        self._recorder.view(self._client.you.name, table.replica)
        await table.leave()
