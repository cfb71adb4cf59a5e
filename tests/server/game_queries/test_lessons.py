"""Lessons as clients get them: puzzles, choices and verdicts, without anything being kept."""

from __future__ import annotations

from typing import Any, cast

import pytest

from parlour import games
from parlour.games.lessons import find_lesson
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import (
    ExploreLesson,
    GetLesson,
    Lesson,
    LessonChoices,
    Message,
    Moved,
    Tried,
    TryMove,
)
from parlour.protocol.scene import patch
from parlour.protocol.types import Pick, Step
from parlour.server.game_queries.lessons import explore_lesson, get_lesson, places, try_move
from parlour.server.sessions.session import Session

GAME = pytest.mark.parametrize("key", games.keys())


class ScriptedSession:
    """A session that keeps what is sent to it."""

    def __init__(self) -> None:
        self.sent: list[Message | Moved] = []

    def send(self, message: Message | Moved) -> None:
        self.sent.append(message)


async def ask(handler: Any, command: Any) -> Any:
    session = ScriptedSession()
    await handler(cast("Session", session), command)
    (answer,) = session.sent
    assert getattr(answer, "id", None) == command.id
    return answer


@GAME
async def test_a_client_that_knows_no_rules_completes_each_lesson(key: str) -> None:
    """It makes the picks of the hint, which the choices offer, and is told that each step is solved."""
    lesson: Lesson = await ask(get_lesson, GetLesson(id=1, game=key))
    for step in lesson.steps:
        answer: LessonChoices = await ask(explore_lesson, ExploreLesson(id=2, game=key, step=step.key))
        current: Step | None = answer.step
        made: list[int] = []
        for pick in step.hint_picks:
            if current is None:
                deeper = ExploreLesson(id=3, game=key, step=step.key, picks=tuple(made))
                current = (await ask(explore_lesson, deeper)).step
            assert current is not None
            offered = {one.place: one.then for one in current.picks if isinstance(one, Pick)}
            assert pick in offered or pick in current.picks
            current = offered.get(pick)
            made.append(pick)
        tried: Tried = await ask(try_move, TryMove(id=4, game=key, step=step.key, picks=tuple(made)))
        assert tried.solved
        assert tried.move == step.hint_move
        assert tried.words.startswith("You")
        shown = patch(step.scene, tried.change)
        if tried.reply is not None:
            patch(shown, tried.reply.change)


@GAME
async def test_a_wrong_move_is_explained(key: str) -> None:
    """The example of each case gets the sentence of its case, and the step can be tried again."""
    for step in find_lesson(key).content.steps:
        for case in step.wrong:
            tried: Tried = await ask(try_move, TryMove(id=4, game=key, step=step.id, move=case.example))
            assert not tried.solved
            assert tried.text
            assert tried.reply is None


async def test_a_lesson_says_what_comes_next() -> None:
    """The terms, level and seat of a game against the computer."""
    lesson: Lesson = await ask(get_lesson, GetLesson(id=1, game="isaac"))

    assert (lesson.ready.terms.game, lesson.ready.level, lesson.ready.seat) == ("isaac", "1", 1)
    assert lesson.minutes > 0


async def test_slots_are_those_of_the_learner() -> None:
    """Both sides have a supply; the lesson of White points at White's."""
    lesson: Lesson = await ask(get_lesson, GetLesson(id=1, game="mitsudomoe"))

    assert [look.places for look in lesson.steps[0].look] == [(0, 1, 5), (24, 23, 19), (25,)]
    content = find_lesson("mitsudomoe")
    assert places(lesson.board, content.content.steps[0].look[2], 1) == (26,)


@pytest.mark.parametrize(
    ("handler", "command", "code"),
    [
        (get_lesson, GetLesson(id=1, game="chess"), ErrorCode.GAME_UNKNOWN),
        (explore_lesson, ExploreLesson(id=1, game="isaac", step="none"), ErrorCode.LESSON_UNKNOWN),
        (explore_lesson, ExploreLesson(id=1, game="isaac", step="lay-a-bar", picks=(1,)), ErrorCode.MOVE_ILLEGAL),
        (try_move, TryMove(id=1, game="isaac", step="none", move="c3-i3"), ErrorCode.LESSON_UNKNOWN),
        (try_move, TryMove(id=1, game="isaac", step="lay-a-bar", move="nonsense"), ErrorCode.MOVE_MALFORMED),
        (try_move, TryMove(id=1, game="isaac", step="lay-a-bar", picks=(1, 2)), ErrorCode.MOVE_ILLEGAL),
        (try_move, TryMove(id=1, game="isaac", step="lay-a-bar"), ErrorCode.REQUEST_MALFORMED),
    ],
)
async def test_what_cannot_be_is_refused(handler: Any, command: Any, code: ErrorCode) -> None:
    """Each refusal has a code, and nothing is sent."""
    session = ScriptedSession()
    with pytest.raises(Refusal) as refused:
        await handler(cast("Session", session), command)
    assert refused.value.code == code
    assert session.sent == []
