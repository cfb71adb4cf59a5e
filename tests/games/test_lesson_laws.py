"""Every claim of every lesson is true, and a false one is found."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from parlour import games
from parlour.games.laws import LawBroken
from parlour.games.lesson_laws import check_lesson
from parlour.games.lessons import Condition, Expect, Lesson, find_lesson
from tests.games.fifth_game.noughts import GAME as NOUGHTS
from tests.games.test_lessons import FIFTH


@pytest.mark.parametrize("key", games.keys())
def test_a_lesson_keeps_its_promises(key: str) -> None:
    """Hints solve their steps, wrong examples are judged as described, and facts and numbers are right."""
    check_lesson(find_lesson(key))


def test_a_game_may_bring_its_own_lesson() -> None:
    """Without any facts of its own, too."""
    check_lesson(FIFTH)


BLOCK = FIFTH.step("block")
FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("the hint solves the step", {"hint": replace(BLOCK.hint, move="a1")}),
    ("the facts of c3", {"hint": replace(BLOCK.hint, facts={"winner": "x"})}),
    ("there are no such facts", {"hint": replace(BLOCK.hint, facts={"captures": 1})}),
    ("legal and accepted moves", {"expect": Expect(5, 2)}),
    ("an example is wrong", {"wrong": (replace(BLOCK.wrong[0], example="c3"),)}),
    ("the last case catches the rest", {"wrong": (replace(BLOCK.wrong[0], when=Condition(facts={"next": "o"})),)}),
    ("the prompt names cells of the board", {"prompt": "Take d4."}),
    ("the title fits", {"title": ""}),
    ("the step before leads here", {"continues": True}),
    ("the learner is to move", {"seat": "o"}),
    ("a3 cannot be chosen", {"hint": replace(BLOCK.hint, move="a3")}),
    ("KeyError", {"success": "You took {cell}."}),
]


@pytest.mark.parametrize(("law", "changes"), FAULTS)
def test_a_false_claim_breaks_a_law(law: str, changes: dict[str, Any]) -> None:
    """The message says which step and which law."""
    steps = tuple(replace(step, **changes) if step.id == "block" else step for step in FIFTH.content.steps)
    faulty = Lesson(NOUGHTS, msgspec.structs.replace(FIFTH.content, steps=steps))

    with pytest.raises(LawBroken, match=f"(?s)noughts, block.*{law}"):
        check_lesson(faulty)
