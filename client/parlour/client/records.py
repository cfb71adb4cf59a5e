"""Records of games, and lists of finished games."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Literal

from parlour.client.connection import Connection
from parlour.protocol.messages import Games, GameSummary, GetRecord, ListGames, ReadRecord, Record


class Records:
    """The game archive of a server."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def record(self, room: str) -> Record:
        """Return the record of a game so far, ongoing or finished."""
        return await self._connection.ask(GetRecord(id=0, room=room), Record)

    async def read(self, text: str) -> Record:
        """Have the server check and replay a saved record, in JSON or as text, and return it."""
        return await self._connection.ask(ReadRecord(id=0, text=text), Record)

    async def page(
        self,
        player: str | None = None,
        opponent: str | None = None,
        game: str | None = None,
        before: str = "",
        *,
        result: Literal["won", "lost", "drawn"] | None = None,
        since: int | None = None,
        until: int | None = None,
        min_plies: int = 0,
        max_plies: int | None = None,
    ) -> Games:
        """Return one page of finished games, newest first. Pass its `more` as `before` to get the next page.

        `result` is that of the player; `since` and `until` limit the end of a game, in milliseconds since 1970.
        """
        asked = ListGames(
            id=0, player=player, opponent=opponent, game=game, before=before, result=result,
            since=since, until=until, min_plies=min_plies, max_plies=max_plies,
        )  # fmt: skip
        return await self._connection.ask(asked, Games)

    async def games(
        self,
        player: str | None = None,
        opponent: str | None = None,
        game: str | None = None,
        *,
        result: Literal["won", "lost", "drawn"] | None = None,
        since: int | None = None,
        until: int | None = None,
        min_plies: int = 0,
        max_plies: int | None = None,
    ) -> AsyncIterator[GameSummary]:
        """Yield all finished games, newest first, requesting pages as needed. The filters are those of `page`."""
        before = ""
        while True:
            page = await self.page(
                player, opponent, game, before, result=result,
                since=since, until=until, min_plies=min_plies, max_plies=max_plies,
            )  # fmt: skip
            for summary in page.rows:
                yield summary
            if not page.more:
                return
            before = page.more
