"""Finds out who is nowhere.

A node notices when a connection of its own is lost. Nobody notices when a node is lost together with its connections,
so every node that has a room open asks now and then for those players whom it does not see. Another node that has them
answers; if none does, they are gone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from parlour.server.rooms.audience import Audience

ASK_EVERY = 15.0  # seconds
ANSWER_WITHIN = 3.0


class Attendance:
    """The roll call of one room on one node."""

    def __init__(self, audience: Audience, ask: Callable[[int], None], missing: Callable[[int], None]) -> None:
        """`ask` has the other nodes asked for a seat; `missing` is told of a seat that nobody has."""
        self._audience = audience
        self._ask = ask
        self._missing = missing
        self._asked: set[int] = set()  # seats of which no answer has come yet
        self._timer = asyncio.get_running_loop().call_later(ASK_EVERY, self._call)

    def answered(self, seat: int) -> None:
        """Another node has this player."""
        self._asked.discard(seat)

    def close(self) -> None:
        self._timer.cancel()

    def _call(self) -> None:
        room = self._audience.room
        for seat, chair in enumerate(room.chairs):
            if chair is not None and chair.gone_since is None and not self._audience.of_seat(seat):
                self._asked.add(seat)
                self._ask(seat)
        self._timer = asyncio.get_running_loop().call_later(ANSWER_WITHIN, self._conclude)

    def _conclude(self) -> None:
        asked, self._asked = self._asked, set()
        for seat in asked:
            self._missing(seat)
        self._timer = asyncio.get_running_loop().call_later(ASK_EVERY, self._call)
