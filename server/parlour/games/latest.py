"""Caches of one entry, for what is asked again and again about one position.

Listing the choices of a player asks for the scene of the same position with every pick. States are compared by
identity, which costs nothing; for an equal state the answer is only worked out again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple

G = TypeVar("G")
S = TypeVar("S")
R = TypeVar("R")
Args = TypeVarTuple("Args")


def latest(method: Callable[[G, S], R]) -> Callable[[G, S], R]:
    """Cache the latest result of a pure method that takes a state."""
    latest_owner: G | None = None
    latest_state: S | None = None
    result: R

    @wraps(method)
    def cached(self: G, state: S) -> R:
        nonlocal latest_owner, latest_state, result
        if state is not latest_state or self is not latest_owner:
            result = method(self, state)
            latest_owner, latest_state = self, state
        return result

    return cached


def latest_of(function: Callable[[S, *Args], R]) -> Callable[[S, *Args], R]:
    """Cache every result of a pure function about the latest state, by its other arguments."""
    latest_state: S | None = None
    results: dict[tuple[*Args], R] = {}

    @wraps(function)
    def cached(state: S, *args: *Args) -> R:
        nonlocal latest_state, results
        if state is not latest_state:
            latest_state, results = state, {}
        if args not in results:
            results[args] = function(state, *args)
        return results[args]

    return cached
