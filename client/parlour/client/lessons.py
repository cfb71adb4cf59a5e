"""Lessons: puzzles on the real board, which the server judges."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.client.connection import Connection
from parlour.protocol.messages import ExploreLesson, GetLesson, Lesson, LessonChoices, Tried, TryMove


class Lessons:
    """The lessons of a server. `GameCard.lesson_minutes` says which games have one. The server keeps no progress."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def get(self, game: str) -> Lesson:
        """Return the lesson of a game."""
        return await self._connection.ask(GetLesson(id=0, game=game), Lesson)

    async def explore(self, game: str, step: str, picks: Sequence[int] = ()) -> LessonChoices:
        """Return the picks that may follow some picks in a step."""
        return await self._connection.ask(ExploreLesson(id=0, game=game, step=step, picks=tuple(picks)), LessonChoices)

    async def try_move(self, game: str, step: str, move: str | Sequence[int]) -> Tried:
        """Return what a whole turn, as text or as picks, leads to in a step."""
        if isinstance(move, str):
            return await self._connection.ask(TryMove(id=0, game=game, step=step, move=move), Tried)
        return await self._connection.ask(TryMove(id=0, game=game, step=step, picks=tuple(move)), Tried)
