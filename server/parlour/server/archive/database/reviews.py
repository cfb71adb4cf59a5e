"""Reviews of finished games: each position is evaluated once."""

from __future__ import annotations

from sqlalchemy import Connection, select

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.games import insert_new
from parlour.server.archive.database.schema import reviews


class ReviewTable:
    """The evaluations of positions of finished games, as opaque bytes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, room: str, ply: int) -> bytes | None:
        """Return the evaluation of the position after some moves."""
        query = select(reviews.c.evaluation).where(reviews.c.room == room, reviews.c.ply == ply)
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def all(self, room: str) -> list[tuple[int, bytes]]:
        """Return all evaluations of a game with the number of moves before each, in that order."""
        query = select(reviews.c.ply, reviews.c.evaluation).where(reviews.c.room == room).order_by(reviews.c.ply)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [(row.ply, row.evaluation) for row in rows]

    async def put(self, room: str, ply: int, evaluation: bytes) -> None:
        """Store an evaluation, unless there is one."""

        def change(connection: Connection) -> None:
            insert_new(connection, reviews, [{"room": room, "ply": ply, "evaluation": evaluation}])

        await self._database.write(change)
