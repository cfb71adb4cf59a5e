"""A lesson judges moves by the rules."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from parlour import games
from parlour.games.api import Fact
from parlour.games.lessons import Condition, Lesson, LessonFile, Range, find_lesson, lesson
from parlour.protocol.errors import ErrorCode, Refusal
from tests.games.fifth_game.noughts import GAME as NOUGHTS

FILE = Path(__file__).parent / "fifth_game" / "noughts" / "lesson.json"
FIFTH = Lesson(NOUGHTS, msgspec.json.decode(FILE.read_bytes(), type=LessonFile))


@pytest.mark.parametrize("key", games.keys())
def test_the_lesson_is_in_the_folder_of_the_game(key: str) -> None:
    """Every game that ships with Parlour has one, with five to eight steps, and it is read once."""
    found = find_lesson(key)

    assert found.content.game == key
    assert 5 <= len(found.content.steps) <= 8
    assert find_lesson(key) is found
    assert lesson(key) is found


def test_a_move_solves_a_step_or_is_told_why_not() -> None:
    """Facts decide, and the texts contain facts."""
    solved, wrong = (FIFTH.judge("win", NOUGHTS.read(FIFTH.state("win"), text)) for text in ("c2", "a2"))

    assert (solved.solved, solved.says) == (True, "Three in a row!")
    assert (wrong.solved, wrong.says) == (False, "That takes a2, but it does not win. Look at the right column.")
    assert wrong.reply is None


def test_the_opponent_may_reply() -> None:
    """To all solving moves, or only to some."""
    state = FIFTH.state("any-cell")
    to_middle, to_corner = (FIFTH.judge("any-cell", NOUGHTS.read(state, text)) for text in ("b2", "a1"))

    assert to_middle.reply is not None
    assert to_middle.reply.move == "a1"
    assert to_corner.solved
    assert to_corner.reply is None


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (Condition(any=True), True),
        (Condition(moves=("b4", "c3")), True),
        (Condition(moves=("c3",)), False),
        (Condition(facts={"turned": 3}), True),
        (Condition(facts={"turned": Range(min=3)}), True),
        (Condition(facts={"turned": Range(min=2, max=2)}), False),
        (Condition(facts={"turned": 3, "winner": "black"}), False),
        (Condition(facts={"skips": False}), True),
        (Condition(facts={"turned": True}), False),
        (Condition(facts={"score": (1, 2)}), True),
    ],
)
def test_all_parts_of_a_condition_must_hold(condition: Condition, holds: bool) -> None:
    """Moves, exact facts and ranges; a number is not a switch."""
    known: dict[str, Fact] = {"move": "b4", "turned": 3, "winner": None, "skips": False, "score": (1, 2)}

    assert condition.holds(known) == holds


def test_unknown_lessons_and_steps_are_refused() -> None:
    """With a code."""
    for ask in (lambda: FIFTH.step("draw"), lambda: FIFTH.state("draw")):
        with pytest.raises(Refusal) as refused:
            ask()
        assert refused.value.code == ErrorCode.LESSON_UNKNOWN
    with pytest.raises(Refusal) as refused:
        find_lesson("chess")
    assert refused.value.code == ErrorCode.GAME_UNKNOWN


def test_seats_are_named_in_lower_case() -> None:
    """As the content of a lesson writes them."""
    assert [FIFTH.seat(name) for name in ("x", "o")] == [0, 1]
