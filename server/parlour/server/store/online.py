"""The players who are online, on all nodes."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from parlour.server.store.pipeline import Pipeline, script

REPORT, LIST = script("report_online"), script("list_online")

NODE_TTL = 6_000  # milliseconds after which the players of a silent node no longer count as online


class OnlineName(Struct, frozen=True):
    """A player who is online, under the folded name, by which the list is ordered."""

    folded: str
    id: str

    @property
    def member(self) -> str:
        return f"{self.folded} {self.id}"  # a folded name has no spaces, and a space sorts before all letters


class OnlineStore:
    """The players on each node. A node reports changes; if it falls silent, its players expire together."""

    def __init__(self, pipeline: Pipeline, node: str) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        self._node = node
        pipeline.load(REPORT)
        pipeline.load(LIST)

    async def report(
        self, now: int, arrived: Collection[OnlineName], left: Collection[OnlineName], *, others_left: bool = False
    ) -> int:
        """Report changes on this node; return how many players the store now lists there.

        `others_left`: forget everything that this node reported before.
        """
        script_keys = (self._keys.online(self._node), self._keys.online_nodes)
        args: list[str | int] = [now, NODE_TTL, self._node, int(others_left), len(left)]
        members = [each.member for each in (*left, *arrived)]
        listed: int = await self._pipeline.call_script(REPORT, len(script_keys), *script_keys, *args, *members)
        return listed

    async def list(self, now: int, after: str, count: int) -> list[OnlineName]:
        """Return some of the players on all nodes, ordered by folded name; `after` is one, or empty to begin."""
        begin = f"({after}!" if after else "-"  # "!" sorts between the space that ends a name and all letters
        args = (now, self._keys.online_prefix, begin, count)
        found = await self._pipeline.call_script(LIST, 1, self._keys.online_nodes, *args)
        return [OnlineName(*member.decode().split(" ", 1)) for member in found]
