"""What came over a connection and was not asked for yet, so that no test depends on what comes first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tests.waiting import WITHIN

M = TypeVar("M")


class Inbox:
    """`receive` gives the next message when there is one."""

    def __init__(self, receive: Callable[[], Awaitable[object]]) -> None:
        self._receive = receive
        self._kept: list[object] = []

    async def more(self) -> None:
        """Wait for one more message, and keep it."""
        self._kept.append(await self._receive())

    def keep(self, message: object) -> None:
        self._kept.append(message)

    async def take(self, kind: type[M], fits: Callable[[M], bool] = lambda _: True) -> M:
        """The first message of a kind that fits and was not taken before."""
        async with asyncio.timeout(WITHIN):
            looked = 0
            while True:
                for at in range(looked, len(self._kept)):
                    message = self._kept[at]
                    if isinstance(message, kind) and fits(message):
                        del self._kept[at]
                        return message
                looked = len(self._kept)
                await self.more()

    def of(self, kind: type[M]) -> list[M]:
        """All of a kind that were not taken."""
        return [message for message in self._kept if isinstance(message, kind)]
