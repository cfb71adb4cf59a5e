"""A lesson on the screen: a person who knows nothing about a game completes it by following what is shown."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from parlour import games
from parlour.terminal.full_screen.help_screen import HelpScreen
from parlour.terminal.full_screen.lesson_screen import LessonScreen
from parlour.terminal.full_screen.lessons_screen import LessonsScreen
from parlour.terminal.full_screen.table_screen import TableScreen
from parlour.terminal.text.lesson import lesson_lines
from parlour.terminal.ui.lesson_state import LessonState
from tests.terminal.full_screen.screens import Opened, opened, signed_in


@asynccontextmanager
async def lesson(
    address: str, folder: Path, game: str, size: tuple[int, int] = (80, 24), *, unicode: bool = True
) -> AsyncIterator[tuple[Opened, LessonState]]:
    """The lesson of a game, on the screen."""
    async with signed_in(address, folder) as session, opened(session, folder, size=size, unicode=unicode) as shown:
        await shown.app.open_lesson(game)
        screen = await shown.at(LessonScreen)
        await shown.until(lambda: bool(screen.view.state.legal_picks))
        yield shown, screen.view.state


def words_of(shown: Opened) -> str:
    """All words on the screen, as one line: paragraphs are wrapped, beside the board."""
    sidebar = shown.app.screen.query_one("#sidebar")
    return " ".join(sidebar.text.split())  # type: ignore[attr-defined]


def is_complete(shown: Opened, state: LessonState) -> bool:
    """Whether the board, all of the text, and an uncut line of keys are on the screen."""
    sidebar = shown.app.screen.query_one("#sidebar")
    board, style = shown.app.screen.query_one("#board"), shown.app.drawing
    everything = all(" ".join(style.legible(text).split()) in words_of(shown) for text in lesson_lines(state))
    lines = shown.text.splitlines()
    return (
        everything
        and len(sidebar.lines) <= sidebar.size.height  # type: ignore[attr-defined]
        and board.display
        and len(board.lines) <= board.size.height  # type: ignore[attr-defined]
        and style.legible(state.step.title) in lines[0]
        and lines[-1].endswith("? keys  q back")
    )


def has_picked(state: LessonState, count: int) -> bool:
    """Whether that many places are picked and the next ones are known, or the turn was judged."""
    return state.tried is not None or (
        state.turn is not None and len(state.turn.picks) == count and bool(state.legal_picks)
    )


@pytest.mark.parametrize("game", games.keys())
async def test_a_lesson_is_completed_by_its_hints(game: str, address: str, tmp_path: Path) -> None:
    """The cursor is where the hint says, so Enter solves each step; the end leads to a game without a clock."""
    async with lesson(address, tmp_path, game) as (shown, state):
        while not state.is_finished:
            index = state.index
            await shown.until(lambda: bool(state.legal_picks) and is_complete(shown, state))
            await shown.press("H", "H")
            for picked in range(1, len(state.step.hint_picks) + 1):
                await shown.until(lambda: is_complete(shown, state) and bool(state.legal_picks))
                await shown.press("enter")
                await shown.until(lambda n=picked: has_picked(state, n))  # type: ignore[misc]
            await shown.until(lambda: is_complete(shown, state) and "Solved." in shown.text)
            await shown.press("enter")
            await shown.until(lambda i=index: state.index > i)  # type: ignore[misc]
        await shown.shows("You have finished the lesson", "Play a beginner: press Enter.")
        await shown.press("enter")
        screen = await shown.at(TableScreen)
        assert screen.view.table.terms.clock.kind == "none"


@pytest.mark.parametrize("size", [(60, 24), (120, 40)], ids=str)
@pytest.mark.parametrize("game", games.keys())
async def test_nothing_is_clipped(game: str, size: tuple[int, int], address: str, tmp_path: Path) -> None:
    """Each step shows its board, its text, its hint and the most important keys in narrow and in wide windows."""
    async with lesson(address, tmp_path, game, size) as (shown, state):
        while True:
            await shown.until(lambda: is_complete(shown, state))
            await shown.press("H", "H")
            await shown.until(lambda: is_complete(shown, state))
            await shown.press("N")
            if state.is_finished:
                break


async def test_a_wrong_move_is_explained_and_put_back(address: str, tmp_path: Path) -> None:
    """A typed move that does not solve the step is told in words; Enter puts it back."""
    async with lesson(address, tmp_path, "replica") as (shown, state):
        await shown.press("N", "N")
        await shown.until(lambda: state.index == 2 and bool(state.legal_picks))
        await shown.press("h", "8", "enter")
        await shown.until(lambda: state.turn is not None and len(state.turn.picks) == 1 and bool(state.legal_picks))
        await shown.press("backspace")
        await shown.until(lambda: state.turn is not None and not state.turn.picks)
        await shown.press("h", "8", "enter")
        await shown.until(lambda: state.turn is not None and len(state.turn.picks) == 1 and bool(state.legal_picks))
        wrong = next(pick.place for pick in state.legal_picks if pick.place not in state.step.hint_picks)
        await shown.press("colon", *state.lesson.board.place_name(wrong), "enter")
        await shown.shows("Not yet. Try again. Press Enter to put it back.", "Enter try again")
        assert is_complete(shown, state)
        await shown.press("enter")
        await shown.until(lambda: state.tried is None and bool(state.legal_picks))
        await shown.press("P")
        await shown.until(lambda: state.index == 1)


async def test_the_opponent_replies(address: str, tmp_path: Path) -> None:
    """After a moment the scripted reply is on the board."""
    async with lesson(address, tmp_path, "mapello", unicode=False) as (shown, state):
        await shown.press("f", "7", "enter")
        await shown.until(lambda: state.is_reply_shown)
        assert "White answers and turns a disc back." in words_of(shown)
        assert shown.text.isascii()


async def test_an_impossible_choice_is_explained(address: str, tmp_path: Path) -> None:
    """A place that cannot be chosen, and an illegal move as text, are answered with a sentence."""
    async with lesson(address, tmp_path, "mapello") as (shown, state):
        await shown.press("b", "2", "enter")
        await shown.shows("You cannot choose b2 now.")
        await shown.press("colon", *"a1-a8", "enter")
        await shown.shows("A Mapello move is written as")
        assert state.tried is None
        await shown.press("question_mark")
        await shown.at(HelpScreen)
        await shown.press("q")
        await shown.at(LessonScreen)


async def test_the_way_to_a_lesson_and_back(address: str, tmp_path: Path) -> None:
    """From the start screen to the list, to a lesson, and back with q."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.press("g")
        await shown.at(LessonsScreen)
        await shown.press("enter")
        await shown.at(LessonScreen)
        await shown.press("q")
        await shown.at(LessonsScreen)
