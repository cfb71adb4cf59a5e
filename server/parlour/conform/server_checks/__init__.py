"""The checks of a server, by subject: one function per rule, registered under the key of the rule."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from parlour.conform.testbed import ServerTestbed

# Returns a remark or None if the rule is kept; otherwise raises RuleBroken or NotReached.
Check = Callable[[ServerTestbed], Awaitable[str | None]]

CHECKS: dict[str, Check] = {}


def check(rule: str) -> Callable[[Check], Check]:
    """Register a function as the check of a rule."""

    def register(function: Check) -> Check:
        CHECKS[rule] = function
        return function

    return register
