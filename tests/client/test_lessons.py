"""A client follows a lesson without knowing any rules."""

from __future__ import annotations

import pytest

from parlour.client import RefusedError, connect
from parlour.protocol.errors import ErrorCode
from tests.e2e.processes import ServerProcess


async def test_a_lesson_is_followed(server: ServerProcess) -> None:
    """A client gets the steps of a lesson, the choices of a step, and a verdict on a move, as text or as picks."""
    async with connect(server.url, name="Ada") as ada:
        assert {card.lesson_minutes > 0 for card in ada.games} == {True}
        lesson = await ada.lessons.get("replica")
        step = lesson.steps[0]
        assert (await ada.lessons.explore("replica", step.key)).step.picks
        assert (await ada.lessons.try_move("replica", step.key, step.hint_move)).solved
        assert (await ada.lessons.try_move("replica", step.key, step.hint_picks)).solved
        with pytest.raises(RefusedError) as refused:
            await ada.lessons.explore("replica", "no such step")
        assert refused.value.code == ErrorCode.LESSON_UNKNOWN
