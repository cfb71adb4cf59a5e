"""Removes the name of a deleted player from finished games, without breaking the chains of their records."""

from __future__ import annotations

from parlour.server.archive import storage
from parlour.server.archive.database.database import Database
from parlour.server.archive.database.erasure import ErasureTable
from parlour.server.archive.database.games import GameTable
from parlour.server.archive.rows import game_row

BATCH = 100  # games


class Erasure:
    """Removes players from the archive. The coroutines raise ArchiveUnavailable."""

    def __init__(self, database: Database) -> None:
        self._games = GameTable(database)
        self._table = ErasureTable(database)

    async def erase(self, player: str) -> int:
        """Remove a player, by id, from all finished games; return how many there were. It can be repeated."""
        erased = 0
        while rooms := await self._table.rooms(player, BATCH):
            for room in rooms:
                await self._erase(player, room)
                erased += 1
        await self._table.forget_ratings(player)
        return erased

    async def _erase(self, player: str, room: str) -> None:
        record = await self._games.find(room)
        assert record is not None, "the tables of the archive change together"
        game = storage.unpack(record)
        opponents = [id for id in game.ids if id != player]
        for seat, id in enumerate(game.ids):
            if id == player:
                game = storage.without_player(game, seat)
        row = game_row(game, storage.pack_game(game))
        await self._table.replace(player, opponents[0] if opponents else "", row)
