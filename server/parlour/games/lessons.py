"""The lesson of a game: a few puzzles on the real board, which the real rules judge.

A lesson is `lesson.json` in the folder of the game; `docs/adding-a-game.md` explains its fields. A game without one has
no lesson. Everything here is pure: a move is judged on its own, independent of earlier tries.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import ModuleType
from typing import Any

import msgspec
from msgspec import Struct

from parlour import games
from parlour.games.api import Fact, Game, Move
from parlour.games.facts import facts_of
from parlour.games.options import Options
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import OptionValue


class Range(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers from `min` to `max`."""

    min: int | None = None
    max: int | None = None


Wanted = Range | str | int | bool | tuple[int, ...] | None


class Condition(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A condition on moves. All parts must hold; `any` stands for every move."""

    any: bool = False
    moves: tuple[str, ...] = ()
    facts: dict[str, Wanted] = {}

    def holds(self, known: Mapping[str, Fact]) -> bool:
        """Return whether a move with these facts meets the condition."""
        if self.moves and known["move"] not in self.moves:
            return False
        return all(_matches(known[name], wanted) for name, wanted in self.facts.items())


class Look(Struct, frozen=True, forbid_unknown_fields=True):
    """Places to point at before the learner moves: cells, or the learner's own slots beside the board."""

    says: str
    cells: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()


class Hint(Struct, frozen=True, forbid_unknown_fields=True):
    """A move that solves the step; `facts` are claims about it, which the tests check."""

    move: str
    says: str
    facts: dict[str, Wanted] = {}


class Wrong(Struct, frozen=True, forbid_unknown_fields=True):
    """A comment on legal moves that do not solve the step. The first case whose `when` holds is used."""

    says: str
    example: str
    when: Condition = Condition()
    facts: dict[str, Wanted] = {}


class Reply(Struct, frozen=True, forbid_unknown_fields=True):
    """The opponent's reply to a solving move, or to these ones."""

    move: str
    says: str
    after: tuple[str, ...] = ()


class Expect(Struct, frozen=True, forbid_unknown_fields=True):
    """How many moves are legal and how many solve the step, so that a change of the rules is noticed."""

    legal: int
    accepted: int


class LessonPuzzle(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One step of a lesson. The learner plays the side to move."""

    id: str
    title: str
    teaches: str
    seat: str
    position: str
    prompt: str
    accept: Condition
    hint: Hint
    success: str
    wrong: tuple[Wrong, ...]
    expect: Expect
    look: tuple[Look, ...] = ()
    replies: tuple[Reply, ...] = ()
    continues: bool = False  # True: the step before leads here if its hint is played

    def facts_wanted(self) -> set[str]:
        """Return the names of the facts that decide whether a move solves the step, and which comment it gets."""
        conditions = (self.accept, *(case.when for case in self.wrong))
        return {name for condition in conditions for name in condition.facts}


class Ready(Struct, frozen=True, forbid_unknown_fields=True):
    """The game against the computer after the last step."""

    says: str
    button: str
    level: str
    seat: str
    options: dict[str, OptionValue] = {}


class LessonFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The content of `lesson.json`."""

    format: int
    game: str
    title: str
    summary: str
    minutes: int
    steps: tuple[LessonPuzzle, ...]
    ready: Ready
    options: dict[str, OptionValue] = {}


class Verdict(Struct, frozen=True):
    """The outcome of a move in a step."""

    solved: bool
    move: Move
    after: Any
    says: str
    facts: Mapping[str, Fact]
    reply: Reply | None = None


class Lesson:
    """The lesson of a game, with its positions."""

    def __init__(self, game: Game[Any], content: LessonFile) -> None:
        self.game = game
        self.content = content
        self.options: Options = game.options(content.options)
        self.steps = {step.id: step for step in content.steps}

    @cache  # noqa: B019 - lessons live as long as the process
    def state(self, step: str) -> Any:
        """Return the position of a step; refuse an unknown one."""
        return self.game.parse(self.step(step).position, self.options)

    def seat(self, name: str) -> int:
        """Return the number of a seat by its name in lower case."""
        return [spec.name.lower() for spec in self.game.info.seats].index(name)

    def step(self, id: str) -> LessonPuzzle:
        """Return a step by its id; refuse an unknown one."""
        if id not in self.steps:
            raise Refusal(ErrorCode.LESSON_UNKNOWN, f"This lesson has no step “{id}”. Steps: {', '.join(self.steps)}.")
        return self.steps[id]

    def judge(self, id: str, move: Move) -> Verdict:
        """Return the verdict on a legal move in a step."""
        step, state = self.step(id), self.state(id)
        after = self.game.apply(state, move)
        known = facts_of(self.game, state, move, after, step.facts_wanted())
        if step.accept.holds(known):
            reply = next((reply for reply in step.replies if not reply.after or known["move"] in reply.after), None)
            return Verdict(True, move, after, step.success.format_map(known), known, reply)
        case = next(case for case in step.wrong if case.when.holds(known))
        return Verdict(False, move, after, case.says.format_map(known), known)


@cache
def lesson(key: str) -> Lesson | None:
    """Return the lesson of a game, or None if its folder has none; refuse an unknown game."""
    return read_lesson(games.find(key), games.package(key))


def read_lesson(game: Game[Any], package: ModuleType) -> Lesson | None:
    """Return the lesson in the package of a game, or None if there is none."""
    file = files(package).joinpath("lesson.json")
    return Lesson(game, msgspec.json.decode(file.read_bytes(), type=LessonFile)) if file.is_file() else None


def find_lesson(key: str) -> Lesson:
    """Return the lesson of a game; refuse a game that has none."""
    found = lesson(key)
    if found is None:
        raise Refusal(ErrorCode.LESSON_UNKNOWN, f"{games.find(key).info.name} has no lesson.")
    return found


def _matches(value: Fact, wanted: Wanted) -> bool:
    if not isinstance(wanted, Range):
        return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)
    assert isinstance(value, int)
    return (wanted.min is None or value >= wanted.min) and (wanted.max is None or value <= wanted.max)
