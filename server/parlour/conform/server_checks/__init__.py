"""How each rule of a server is checked, by chapter: one function a rule, found by the rule's key."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from parlour.conform.stage import Stage

# Passes if the rule is kept (and may say a word about it), else raises Broken or NotReached.
Check = Callable[[Stage], Awaitable[str | None]]

CHECKS: dict[str, Check] = {}


def check(rule: str) -> Callable[[Check], Check]:
    """Mark a function as the check of a rule."""

    def keep(function: Check) -> Check:
        CHECKS[rule] = function
        return function

    return keep
