"""A lesson under way, without a server: the answers are those of the rules."""

from __future__ import annotations

import pytest

from parlour import games
from parlour.games.choices import choices
from parlour.games.lessons import find_lesson
from parlour.protocol.messages import LessonChoices
from parlour.protocol.scene import Mark, patch
from parlour.server.game_queries.lessons import lesson_of, tried
from parlour.terminal.ui.lesson_state import HINT_MARK, LessonState


def explored(state: LessonState, *picks: int) -> LessonChoices:
    """What a server answers to explore_lesson."""
    content = find_lesson(state.lesson.game)
    step, prompts = choices(content.game, content.state(state.step.key), picks)
    return LessonChoices(id=0, step=step, prompts=prompts, picks=picks)


def started(game: str, step: int = 0) -> LessonState:
    state = LessonState(lesson_of(game))
    state.go(step)
    if not state.is_finished:
        state.explored(explored(state))
    return state


@pytest.mark.parametrize("game", games.keys())
def test_a_lesson_is_finished_by_its_hints(game: str) -> None:
    """The shown hint leads from pick to pick, each turn is solved, and after the last step the lesson is finished."""
    state = started(game)
    while not state.is_finished:
        state.explored(explored(state))
        state.show_hint()
        assert state.next_hint is None
        state.show_hint()
        turn = state.turn
        while turn is not None and not turn.complete:
            assert list(state.pointers.values()) == [HINT_MARK]
            assert state.next_hint is not None
            turn = state.pick(state.next_hint)
            if turn.unexplored:
                state.explored(explored(state, *turn.picks))
                turn = state.turn
        assert turn is not None
        state.judged(tried(game, state.step.key, turn.picks))
        assert state.tried is not None
        assert state.tried.solved
        state.go(state.index + 1)
    assert state.solved == {step.key for step in state.lesson.steps}


def test_what_is_worth_a_look_is_numbered_until_the_learner_picks() -> None:
    """The numbers are those of the lesson; the first pick removes them, and undoing it brings them back."""
    state = started("replica")
    looks = {place: str(number) for number, look in enumerate(state.step.look, 1) for place in look.places}
    assert state.pointers == looks
    assert looks
    state.pick(state.step.hint_picks[0])
    assert state.pointers == {}
    assert (Mark.CHOSEN, state.step.hint_picks[0]) in state.scene.marks
    assert state.back()
    assert state.pointers == looks
    assert not state.back()


def test_the_opponents_reply_follows_the_move() -> None:
    """The scene shows the learner's move first, then the reply to it; trying again shows the step."""
    state = started("mapello")
    answer = tried("mapello", state.step.key, state.step.hint_picks)
    assert answer.reply is not None
    state.judged(answer)
    moved = patch(state.step.scene, answer.change)
    assert state.scene == moved
    assert state.legal_picks == ()
    state.show_reply()
    assert state.scene == patch(moved, answer.reply.change)
    state.again()
    assert state.scene == state.step.scene
    assert state.legal_picks


def test_late_choices_change_nothing() -> None:
    """Choices that follow other picks than those of the turn are ignored."""
    state = started("isaac")
    late = explored(state, state.step.hint_picks[0])
    before = state.turn
    state.explored(late)
    assert state.turn is before
