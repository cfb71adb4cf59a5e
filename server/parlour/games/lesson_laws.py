"""The laws of lessons, as a function that the author of a game can run: everything a lesson claims must be true."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from parlour.games.api import Fact
from parlour.games.facts import SAFE, facts_of
from parlour.games.laws import LawBroken
from parlour.games.lessons import Condition, Lesson, LessonPuzzle, Verdict, Wanted
from parlour.protocol.errors import Refusal
from parlour.protocol.scene import BoardSpec

# Characters that fit below a board on a phone.
LONGEST = {"title": 40, "teaches": 160, "prompt": 300, "look": 120, "hint": 200, "success": 320, "wrong": 220}

_CELL = re.compile(r"\b[a-z]\d{1,2}\b")


def check_lesson(lesson: Lesson) -> None:
    """Check every step: hints solve it, examples are judged as written, facts and counts are right, texts fit."""
    ids = [step.id for step in lesson.content.steps]
    _require(len(set(ids)) == len(ids) > 0, lesson, "a lesson has steps, each with its own id", ids)
    lesson.game.options(lesson.content.ready.options)
    lesson.seat(lesson.content.ready.seat)
    previous: LessonPuzzle | None = None
    for step in lesson.content.steps:
        try:
            _check_step(lesson, step, previous)
        except LawBroken:
            raise
        except (Refusal, LookupError, ValueError) as fault:
            raise LawBroken(f"{lesson.content.game}, {step.id}: {fault!r}") from fault
        previous = step


def _check_step(lesson: Lesson, step: LessonPuzzle, previous: LessonPuzzle | None) -> None:
    game, state = lesson.game, lesson.state(step.id)
    _require(game.print(state) == step.position, lesson, f"{step.id}: the position is settled", game.print(state))
    _require(game.to_move(state) == lesson.seat(step.seat), lesson, f"{step.id}: the learner is to move", step.seat)
    verdicts = [lesson.judge(step.id, move) for move in game.moves(state)]
    accepted = [verdict for verdict in verdicts if verdict.solved]
    found = len(verdicts), len(accepted)
    _require(found == (step.expect.legal, step.expect.accepted), lesson, f"{step.id}: legal and accepted moves", found)
    hint = lesson.judge(step.id, game.read(state, step.hint.move))
    _require(hint.solved, lesson, f"{step.id}: the hint solves the step", step.hint.move)
    _check_facts(lesson, step, step.hint.move, step.hint.facts)
    caught = len(accepted) == len(verdicts) or step.wrong[-1].when == Condition()
    _require(caught, lesson, f"{step.id}: the last case catches the rest", step.wrong)
    for case in step.wrong:
        verdict = lesson.judge(step.id, game.read(state, case.example))
        said = case.says.format_map(verdict.facts)
        _require(not verdict.solved, lesson, f"{step.id}: an example is wrong", case.example)
        _require(verdict.says == said, lesson, f"{step.id}: {case.example} is judged by its case", verdict.says)
        _check_facts(lesson, step, case.example, case.facts)
    for verdict in accepted:
        if verdict.reply is not None:
            game.read(verdict.after, verdict.reply.move)
    if step.continues:
        _require(previous is not None, lesson, f"{step.id}: a step comes before", step.id)
        assert previous is not None
        _require(_leads_to(lesson, previous) == step.position, lesson, f"{step.id}: the step before leads here", "")
    _check_texts(lesson, step, verdicts)


def _check_facts(lesson: Lesson, step: LessonPuzzle, text: str, claims: Mapping[str, Wanted]) -> None:
    game, state = lesson.game, lesson.state(step.id)
    move = game.read(state, text)
    known: Mapping[str, Fact] = facts_of(game, state, move, game.apply(state, move), (SAFE,))
    unknown = set(claims) - set(known)
    _require(not unknown, lesson, f"{step.id}: there are no such facts", unknown)
    _require(Condition(facts=dict(claims)).holds(known), lesson, f"{step.id}: the facts of {text}", known)


def _leads_to(lesson: Lesson, step: LessonPuzzle) -> str:
    game = lesson.game
    verdict = lesson.judge(step.id, game.read(lesson.state(step.id), step.hint.move))
    after: Any = verdict.after
    if verdict.reply is not None:
        after = game.apply(after, game.read(after, verdict.reply.move))
    return game.print(after)


def _check_texts(lesson: Lesson, step: LessonPuzzle, verdicts: list[Verdict]) -> None:
    board = lesson.game.board(lesson.options)
    texts = [
        ("title", step.title),
        ("teaches", step.teaches),
        ("prompt", step.prompt),
        ("hint", step.hint.says),
        *(("look", look.says) for look in step.look),
        *(("wrong", reply.says) for reply in step.replies),
        *{("success" if verdict.solved else "wrong", verdict.says) for verdict in verdicts},
    ]
    for kind, text in texts:
        _require(0 < len(text) <= LONGEST[kind], lesson, f"{step.id}: the {kind} fits", text)
        outside = [name for name in _CELL.findall(text) if name not in _names(board)]
        _require(not outside, lesson, f"{step.id}: the {kind} names cells of the board", outside)
    for look in step.look:
        named = set(look.cells) <= _names(board) and set(look.slots) <= _slots(board)
        _require(named and bool(look.cells or look.slots), lesson, f"{step.id}: it points at known places", look)


def _names(board: BoardSpec) -> set[str]:
    return {board.place_name(cell) for cell in range(board.cells)}


def _slots(board: BoardSpec) -> set[str]:
    return {slot for zone in board.zones for slot in zone.slots}


def _require(fact: bool, lesson: Lesson, law: str, found: object) -> None:
    if not fact:
        raise LawBroken(f"{lesson.content.game}, {law}\nfound: {found}")
