"""Rate limiting with budgets that all nodes share."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from parlour.server.store.pipeline import Pipeline, script
from parlour.server.store.resp import Arg

SPEND = script("spend")


class Budget(Struct, frozen=True):
    """A number of actions per period, as a token bucket: unused actions accumulate up to the full number.

    It is stored as one number, the time up to which it is spent (the generic cell rate algorithm), and expires then.
    """

    name: str  # identifies the action and the player or address
    limit: int  # actions
    period: int  # milliseconds


class BudgetStore:
    """All budgets."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        pipeline.load(SPEND)

    async def spend(self, budgets: Sequence[Budget], now: int) -> int:
        """Spend one action of each budget, or none if any of them is exhausted.

        Return 0, or the milliseconds to wait.
        """
        args: list[Arg] = [len(budgets), *(self._keys.budget(budget.name) for budget in budgets), now]
        for budget in budgets:
            args += [f"{budget.period / budget.limit:.6f}", budget.limit]
        wait: int = await self._pipeline.call_script(SPEND, *args)
        return wait
