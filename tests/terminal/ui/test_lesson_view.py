"""A lesson that a server judges."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.client import RefusedError
from parlour.protocol.errors import Refusal
from parlour.terminal.ui.lesson_view import LessonView
from tests.terminal.full_screen.screens import signed_in


async def test_a_lesson_by_picks_and_by_text(address: str, tmp_path: Path) -> None:
    """A step is solved by its picks, by their names, and by the whole move."""
    async with signed_in(address, tmp_path) as session:
        view = await LessonView.open(session.client, "replica")
        state, step = view.state, view.state.step
        for place in step.hint_picks:
            await view.pick(place)
        assert state.solved == {step.key}
        for text in (" ".join(state.lesson.board.place_name(place) for place in step.hint_picks), step.hint_move):
            await view.play_text(text)
            assert state.tried is not None
            assert state.tried.solved


async def test_a_wrong_move_and_an_illegal_one(address: str, tmp_path: Path) -> None:
    """A legal move that does not solve the step is judged; an illegal one is refused and changes nothing."""
    async with signed_in(address, tmp_path) as session:
        view = await LessonView.open(session.client, "replica")
        view.state.go(2)
        await view.begin()
        with pytest.raises(RefusedError):
            await view.play_text("a1-a8")
        with pytest.raises(Refusal, match="You cannot choose a5 now"):
            await view.pick(32)
        assert (view.state.tried, view.state.turn is not None) == (None, True)
        await view.play_text("h8")
        wrong = next(pick.place for pick in view.state.legal_picks if pick.place not in view.state.step.hint_picks)
        await view.pick(wrong)
        assert view.state.tried is not None
        assert not view.state.tried.solved


async def test_the_game_after_the_lesson(address: str, tmp_path: Path) -> None:
    """It is against the computer, at the level of the lesson, without a clock."""
    async with signed_in(address, tmp_path) as session:
        view = await LessonView.open(session.client, "mapello")
        table = await view.start_game()
        ready = view.state.lesson.ready
        assert (table.seat, table.terms.clock.kind) == (ready.seat, "none")
        assert table.opponent is not None
        assert table.opponent.name == f"Computer {ready.level}"
