"""A question takes every key until it is answered."""

from __future__ import annotations

from random import Random

from parlour.terminal.full_screen.question import PAUSE, Question

BURSTS = 100_000
KEYS = ["enter", "escape", "tab", "space", "ctrl+q", "left", *map(chr, range(33, 127)), *"yyyyYYYY"]


def test_only_a_deliberate_yes_confirms() -> None:
    """Enter is no answer, a yes before the question could be read is none either, and every other key means no."""
    question = Question("Leave?", 10.0)
    assert question.answer("y", "y", 10.0 + PAUSE) is True
    assert question.answer("Y", "Y", 20.0) is True
    assert question.answer("y", "y", 10.0 + PAUSE / 2) is None
    assert question.answer("enter", None, 20.0) is None
    assert [question.answer(key, key, 10.0) for key in ("n", "q", "escape")] == [False] * 3


def test_the_hint_says_when_it_can_be_confirmed() -> None:
    """No is always possible."""
    question = Question("Leave?", 10.0)
    assert question.hints(10.1) == ["...", "n no"]
    assert question.hints(11.0) == ["y yes", "n no"]


def test_no_burst_of_keys_confirms() -> None:
    """None of a hundred thousand random bursts that opens a question, or arrives right after it did, says yes to it."""
    rng = Random(23)
    for _ in range(BURSTS):
        question, typed = Question("Leave?", 5.0), 5.0 + rng.choice((0.0, 0.01, PAUSE / 2))
        for key in rng.choices(KEYS, k=rng.randrange(1, 9)):
            assert not question.answer(key, key if len(key) == 1 else None, typed)
