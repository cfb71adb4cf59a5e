"""Reviews of finished games: the computer evaluates each position once, for all who ask."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from parlour.bots.engine import Answer
from parlour.server.archive.database.database import Database
from parlour.server.archive.database.errors import ArchiveUnavailable
from parlour.server.archive.database.reviews import ReviewTable

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Answer).decode


class Reviews:
    """The stored evaluations. Implements `bots.service.Reviews`: without the database, none are known."""

    def __init__(self, database: Database, run: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        """`run` runs a coroutine in the background."""
        self._table = ReviewTable(database)
        self._run = run

    async def find(self, room: str, ply: int) -> Answer | None:
        """Return the evaluation of the position after some moves; None if there is none."""
        try:
            found = await self._table.find(room, ply)
        except ArchiveUnavailable:
            return None
        return None if found is None else decode(found)

    def keep(self, room: str, ply: int, answer: Answer) -> None:
        """Store an evaluation in the background, so that the player who asked for it need not wait."""
        self._run(self._put(room, ply, answer))

    async def _put(self, room: str, ply: int, answer: Answer) -> None:
        try:
            await self._table.put(room, ply, encode(answer))
        except ArchiveUnavailable:
            return  # it can be computed again
