"""Rate limiting with budgets that all nodes share."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from parlour.server.store.pipeline import Pipeline, script

SPEND, REFUND = script("spend"), script("refund")


class Budget(Struct, frozen=True):
    """A number of units per period, as a token bucket: unused units accumulate up to the full number.

    It is stored as one number, the time up to which it is spent (the generic cell rate algorithm), and expires then.
    """

    name: str  # identifies the resource, and the player or address that pays
    limit: int  # units
    period: int  # milliseconds
    amount: int = 1  # units to spend at once, not more than the limit


class BudgetStore:
    """All budgets."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        pipeline.load(SPEND)
        pipeline.load(REFUND)

    async def spend(self, budgets: Sequence[Budget], now: int) -> tuple[Budget, int] | None:
        """Spend the amount of each budget, or nothing if one of them has less than that left.

        Return None, or that budget and the milliseconds to wait for it. The budgets are in different slots of a cluster
        and are spent in order, so put the one most likely to be exhausted first. What was spent before a refusal is
        refunded. Until then, or if this node dies, less than the limit is allowed, but never more.
        """
        for number, budget in enumerate(budgets):
            args = (now, _interval(budget), budget.limit, budget.amount)
            wait: int = await self._pipeline.call_script(SPEND, 1, self._keys.budget(budget.name), *args)
            if wait:
                for spent in budgets[:number]:
                    key = self._keys.budget(spent.name)
                    await self._pipeline.call_script(REFUND, 1, key, now, _interval(spent), spent.amount)
                return budget, wait
        return None


def _interval(budget: Budget) -> str:
    """Return the milliseconds until one unit comes back."""
    return f"{budget.period / budget.limit:.6f}"
