"""A lesson in words."""

from __future__ import annotations

from parlour.server.game_queries.lessons import tried
from parlour.terminal.text.lesson import hint_lines, lesson_heading, lesson_lines, lesson_prompt
from tests.terminal.ui.test_lesson_state import started


def test_a_step_and_its_hint() -> None:
    """The task names what is worth a look by number and place; the hint takes its place, and then names each pick."""
    state = started("mapello")
    assert lesson_heading(state) == "Step 1 of 7: Trap and turn"
    assert lesson_lines(state) == [state.step.prompt, "1 at e6 and f5: Your discs.", "2 at e5 and f6: White’s discs."]
    assert hint_lines(state) == []
    assert lesson_prompt(state)
    state.show_hint()
    assert lesson_lines(state) == [state.step.prompt, f"Hint: {state.step.hint}"]
    state.show_hint()
    assert hint_lines(state)[-1] == "Next: f7."
    state.pick(state.legal_picks[0].place)
    assert hint_lines(state)[-1] == "The move is f7."


def test_a_judged_move() -> None:
    """The move in words, what it led to, and the opponent's reply."""
    state = started("mapello")
    answer = tried("mapello", state.step.key, state.step.hint_picks)
    state.judged(answer)
    assert lesson_lines(state) == [answer.words, answer.text, "White answers and turns a disc back."]
    assert lesson_prompt(state) == "Solved."


def test_the_end() -> None:
    """The last paragraph leads to a game; skipped steps are counted."""
    state = started("mapello", 99)
    assert lesson_heading(state) == "You have finished the lesson"
    assert lesson_lines(state) == ["You solved 0 of 7 steps.", state.lesson.ready.text]
    assert lesson_prompt(state) == "Play a beginner?"
