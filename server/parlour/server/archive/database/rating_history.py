"""The history of players' ratings."""

from __future__ import annotations

from sqlalchemy import func, or_, select

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.schema import rating_history


class RatingHistory:
    """One point for each rated game of each player."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def points(self, player: str, game: str, most: int) -> list[tuple[int, int]]:
        """Return when a rating changed and to what, oldest first.

        Of a long history, return at most this many points, evenly spread, including the first and the last.
        """
        table = rating_history.c
        numbered = (
            select(
                table.ended,
                table.rating,
                (func.row_number().over(order_by=(table.ended, table.room)) - 1).label("number"),
                (func.count().over() - 1).label("last"),
            )
            .where(table.player == player, table.game == game)
            .subquery()
        )
        # Of `last + 1` points, those are kept at which the whole part of number * (most - 1) / last increases.
        number, last, steps = numbered.c.number, numbered.c.last, most - 1
        kept = or_(last < most, number == 0, number * steps // last > (number - 1) * steps // last)
        query = select(numbered.c.ended, numbered.c.rating).where(kept).order_by(number)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [(row.ended, row.rating) for row in rows]
