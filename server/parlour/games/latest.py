"""What is asked for again and again about one position."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple

S = TypeVar("S")
R = TypeVar("R")
Args = TypeVarTuple("Args")


def latest(function: Callable[[S], R]) -> Callable[[S], R]:
    """Keep the newest answer of a pure function of a state.

    The scene of a position is asked for with every step that a player may take from it. States are compared by
    identity, which costs nothing; an equal one is only worked out again.
    """
    asked: S | None = None
    answer: R

    @wraps(function)
    def kept(state: S) -> R:
        nonlocal asked, answer
        if state is not asked:
            answer = function(state)
            asked = state
        return answer

    return kept


def latest_of(function: Callable[[S, *Args], R]) -> Callable[[S, *Args], R]:
    """The same for a function that is asked many things about one state: keeps all answers about the newest one."""
    asked: S | None = None
    answers: dict[tuple[*Args], R] = {}

    @wraps(function)
    def kept(state: S, *args: *Args) -> R:
        nonlocal asked, answers
        if state is not asked:
            asked, answers = state, {}
        if args not in answers:
            answers[args] = function(state, *args)
        return answers[args]

    return kept
