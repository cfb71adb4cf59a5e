"""Games that were played: their records, and lists of them."""

from __future__ import annotations

from collections.abc import AsyncIterator

from parlour.client.connection import Connection
from parlour.protocol.messages import AskGames, AskRecord, GameLine, Games, ReadRecord, Record


class Records:
    """What a server knows about finished games."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def record(self, room: str) -> Record:
        """A game from its beginning, running or finished."""
        return await self._connection.ask(AskRecord(id=0, room=room), Record)

    async def read(self, text: str) -> Record:
        """A record that was saved before, as JSON or as text: it is checked and replayed."""
        return await self._connection.ask(ReadRecord(id=0, text=text), Record)

    async def page(
        self, player: str | None = None, opponent: str | None = None, game: str | None = None, before: str = ""
    ) -> Games:
        """Some finished games, newest first; `more` of the answer is the `before` of the next page."""
        asked = AskGames(id=0, player=player, opponent=opponent, game=game, before=before)
        return await self._connection.ask(asked, Games)

    async def games(
        self, player: str | None = None, opponent: str | None = None, game: str | None = None
    ) -> AsyncIterator[GameLine]:
        """All finished games, newest first, page by page as they are needed."""
        before = ""
        while True:
            page = await self.page(player, opponent, game, before)
            for line in page.rows:
                yield line
            if not page.more:
                return
            before = page.more
