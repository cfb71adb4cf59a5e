"""How often something may be done: counted in Redis, so that all nodes count together."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from parlour.server.store import keys
from parlour.server.store.line import Arg
from parlour.server.store.pipe import Pipe, script

TAKE = script("take.lua")


class Budget(Struct, frozen=True):
    """So many in that time, all of them at once after a quiet time; then each comes back by itself.

    Kept as one number, the moment up to which the budget is spent, which goes away when that has passed.
    """

    name: str  # of what, and whose
    most: int
    within: int  # milliseconds


class Budgets:
    """Everybody's budgets."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        pipe.load(TAKE)

    async def take(self, budgets: Sequence[Budget], now: int) -> int:
        """Take one from each, or nothing if one of them is spent; milliseconds to wait, 0 when taken."""
        args: list[Arg] = [len(budgets), *(keys.budget(budget.name) for budget in budgets), now]
        for budget in budgets:
            args += [f"{budget.within / budget.most:.6f}", budget.most]
        wait: int = await self._pipe.call_script(TAKE, *args)
        return wait
