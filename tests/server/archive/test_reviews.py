"""Evaluations of positions of finished games are kept for all who ask later."""

from __future__ import annotations

import asyncio

from sqlalchemy import URL

from parlour.bots.engine import Answer
from parlour.server.archive.database.database import Database
from parlour.server.archive.reviews import Reviews

ANSWER = Answer("a1", 12, 0.6, ("a1", "b2"), 1000, 5)


async def test_an_evaluation_is_kept(database: Database) -> None:
    """It is stored in the background, and found as it was."""
    tasks: list[asyncio.Task[None]] = []
    reviews = Reviews(database, lambda work: tasks.append(asyncio.create_task(work)))
    assert await reviews.find("r", 3) is None
    reviews.keep("r", 3, ANSWER)
    await asyncio.gather(*tasks)
    assert await reviews.find("r", 3) == ANSWER


async def test_without_the_database_nothing_is_known() -> None:
    """The position is evaluated again; that is no failure."""
    down = Database(URL.create("postgresql", host="/nowhere", database="none"))
    tasks: list[asyncio.Task[None]] = []
    reviews = Reviews(down, lambda work: tasks.append(asyncio.create_task(work)))
    reviews.keep("r", 3, ANSWER)
    await asyncio.gather(*tasks)
    assert await reviews.find("r", 3) is None
    await down.close()
