"""The versions of the rules that nodes support, as announced by the nodes."""

from __future__ import annotations

from collections.abc import Iterable

from parlour.server.store.pipeline import Pipeline

RulesVersion = tuple[str, int]  # the key of a game, and a version of its rules


class RulesStore:
    """The time at which each version of the rules was last announced. The coroutines raise StoreUnavailable."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys

    async def announce(self, supported: Iterable[RulesVersion], now: int) -> None:
        """Tell the other nodes that a node which serves players supports these versions."""
        members = [arg for rules in supported for arg in (now, _member(rules))]
        await self._pipeline.call(b"ZADD", self._keys.supported_rules, b"GT", *members)

    async def last_announced(self, rules: RulesVersion) -> int:
        """Return when a node last announced that it supports a version; 0 if none ever did."""
        at = await self._pipeline.call(b"ZSCORE", self._keys.supported_rules, _member(rules))
        return 0 if at is None else int(float(at))


def _member(rules: RulesVersion) -> str:
    game, version = rules
    return f"{game}:{version}"
