"""The checks of a server, by subject: one function per rule, registered under the key of the rule."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from parlour.conform.testbed import ServerTestbed

# Returns a remark or None if the rule is kept; otherwise raises RuleBroken, NotReached or NotApplicable.
Check = Callable[[ServerTestbed], Awaitable[str | None]]

CHECKS: dict[str, Check] = {}
ONCE: set[str] = set()  # checks that run with one subprotocol only


def check(rule: str, *, once: bool = False) -> Callable[[Check], Check]:
    """Register a function as the check of a rule. `once`: the subprotocol makes no difference to it."""

    def register(function: Check) -> Check:
        CHECKS[rule] = function
        if once:
            ONCE.add(rule)
        return function

    return register
