"""Rate limiting with budgets that all nodes share."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from parlour.server.store.pipeline import Pipeline, script

SPEND, REFUND = script("spend"), script("refund")


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
        pipeline.load(REFUND)

    async def spend(self, budgets: Sequence[Budget], now: int) -> int:
        """Spend one action of each budget, or none if any of them is exhausted.

        Return 0, or the milliseconds to wait. The budgets are in different slots of a cluster and are spent one after
        the other: put the one that is exhausted first first. What was spent before a refusal is given back, so for a
        moment, or if this node dies, less is allowed than the limit, but never more.
        """
        for number, budget in enumerate(budgets):
            args = (now, _interval(budget), budget.limit)
            wait: int = await self._pipeline.call_script(SPEND, 1, self._keys.budget(budget.name), *args)
            if wait:
                for spent in budgets[:number]:
                    await self._pipeline.call_script(REFUND, 1, self._keys.budget(spent.name), now, _interval(spent))
                return wait
        return 0


def _interval(budget: Budget) -> str:
    """Return the milliseconds until one action comes back."""
    return f"{budget.period / budget.limit:.6f}"
