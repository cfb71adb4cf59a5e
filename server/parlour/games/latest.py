"""Caches of one entry, for repeated questions about one position.

Listing the choices of a player asks for the scene of the same position with every pick. States are compared by
identity, which costs nothing; for an equal state the answer is merely computed again. A state and its answer are read
and replaced together, because a server asks from two threads.
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
    entry: tuple[G, S, R] | None = None

    @wraps(method)
    def cached(self: G, state: S) -> R:
        nonlocal entry
        found = entry
        if found is None or found[1] is not state or found[0] is not self:
            found = entry = (self, state, method(self, state))
        return found[2]

    return cached


def latest_of(function: Callable[[S, *Args], R]) -> Callable[[S, *Args], R]:
    """Cache every result of a pure function about the latest state, by its other arguments."""
    entry: tuple[S, dict[tuple[*Args], R]] | None = None

    @wraps(function)
    def cached(state: S, *args: *Args) -> R:
        nonlocal entry
        found = entry
        if found is None or found[0] is not state:
            found = entry = (state, {})
        results = found[1]
        if args not in results:
            results[args] = function(state, *args)
        return results[args]

    return cached
