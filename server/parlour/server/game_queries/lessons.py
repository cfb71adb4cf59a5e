"""Lessons for clients that know no rules: the puzzles, what may be picked, and what a move leads to.

The server keeps no state: a lesson is content, and each move is judged on its own. Replies are cached, so a learner
costs little.
"""

from __future__ import annotations

import asyncio
from functools import cache, lru_cache
from typing import Any

from msgspec import structs

from parlour.games.api import Move
from parlour.games.choices import choices
from parlour.games.lessons import Lesson as Content
from parlour.games.lessons import LessonPuzzle, Look, Verdict, find_lesson
from parlour.games.voice import tell
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import (
    ExploreLesson,
    GetLesson,
    Lesson,
    LessonChoices,
    LessonLook,
    LessonReady,
    LessonReply,
    LessonStep,
    Tried,
    TryMove,
)
from parlour.protocol.scene import BoardSpec, diff
from parlour.protocol.types import Step, Terms
from parlour.server.sessions.command_ids import Handler
from parlour.server.sessions.session import Session


async def get_lesson(session: Session, command: GetLesson) -> None:
    """Reply with the lesson of a game."""
    lesson = await asyncio.to_thread(lesson_of, command.game)  # made when it is asked for the first time
    session.send(structs.replace(lesson, id=command.id))


async def explore_lesson(session: Session, command: ExploreLesson) -> None:
    """Reply with what may be picked in a step of a lesson."""
    step, prompts = _choices(command.game, command.step, tuple(command.picks))
    session.send(LessonChoices(id=command.id, step=step, prompts=prompts, picks=tuple(command.picks)))


async def try_move(session: Session, command: TryMove) -> None:
    """Reply with what a move in a step of a lesson leads to."""
    content = find_lesson(command.game)
    state = content.state(command.step)
    if command.move is not None:
        move = content.game.read(state, command.move)
    elif command.picks is not None:
        move = content.game.check(state, command.picks)
    else:
        raise Refusal(ErrorCode.REQUEST_MALFORMED, "Give the move as text or as picks.")
    session.send(structs.replace(tried(command.game, command.step, move), id=command.id))


@cache
def lesson_of(key: str) -> Lesson:
    """Return the lesson of a game as a message; refuse a game that has none."""
    content = find_lesson(key)
    file, board = content.content, content.game.board(content.options)
    ready = file.ready
    return Lesson(
        id=0,
        game=key,
        title=file.title,
        summary=file.summary,
        minutes=file.minutes,
        board=board,
        steps=tuple(_step(content, step, board) for step in file.steps),
        ready=LessonReady(ready.says, ready.button, Terms(key, ready.options), ready.level, content.seat(ready.seat)),
    )


def _step(content: Content, step: LessonPuzzle, board: BoardSpec) -> LessonStep:
    state = content.state(step.id)
    seat = content.seat(step.seat)
    return LessonStep(
        key=step.id,
        title=step.title,
        teaches=step.teaches,
        prompt=step.prompt,
        seat=seat,
        scene=content.game.scene(state),
        hint=step.hint.says,
        hint_move=step.hint.move,
        hint_picks=tuple(content.game.scan(state, step.hint.move)),
        look=tuple(LessonLook(places(board, look, seat), look.says) for look in step.look),
        continues=step.continues,
    )


def places(board: BoardSpec, look: Look, seat: int) -> tuple[int, ...]:
    """Return the places that a lesson points at: cells, and slots that belong to a seat or to neither."""
    names = {board.place_name(place): place for place in range(board.cells)}
    found = [names[name] for name in look.cells]
    first = board.cells
    for zone in board.zones:
        if zone.seat in (seat, None):
            found += [first + zone.slots.index(name) for name in look.slots if name in zone.slots]
        first += len(zone.slots)
    return tuple(found)


@lru_cache(maxsize=1 << 9)
def _choices(key: str, step: str, picks: Move) -> tuple[Step, tuple[str, ...]]:
    content = find_lesson(key)
    game, state = content.game, content.state(step)
    for made, pick in enumerate(picks):
        if pick not in game.steps(state, picks[:made]):
            raise Refusal(ErrorCode.MOVE_ILLEGAL, "These picks cannot be made.")
    return choices(game, state, picks)


@lru_cache(maxsize=1 << 9)
def tried(key: str, step: str, move: Move) -> Tried:
    """Return what a legal move in a step of a lesson leads to, as a message."""
    content = find_lesson(key)
    game, state = content.game, content.state(step)
    verdict = content.judge(step, move)
    shown = game.scene_after(state, move, verdict.after)
    return Tried(
        id=0,
        solved=verdict.solved,
        move=game.write(state, move),
        words=tell(game, state, move, verdict.after, own=True),
        text=verdict.says,
        change=diff(game.scene(state), shown),
        reply=_reply(content, verdict, move, state),
    )


def _reply(content: Content, verdict: Verdict, move: Move, state: object) -> LessonReply | None:
    if verdict.reply is None:
        return None
    game, after = content.game, verdict.after
    answer = game.read(after, verdict.reply.move)
    then = game.scene_after(after, answer, game.apply(after, answer))
    change = diff(game.scene_after(state, move, after), then)
    return LessonReply(verdict.reply.move, verdict.reply.says, change)


HANDLERS: dict[type[Any], Handler] = {GetLesson: get_lesson, ExploreLesson: explore_lesson, TryMove: try_move}
