"""Games that can be watched, as all nodes tell of them: the best ones, and who watches where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from parlour.server.store import keys
from parlour.server.store.pipe import Pipe, script

REPORT = script("report.lua")

LISTED = 50  # games
LASTS = 20_000  # milliseconds that a game is shown which no node tells of any more; its players may change nodes
NODE_LASTS = 6_000  # milliseconds that what a node said counts


class Offer(Struct, frozen=True):
    """A game that a node has open."""

    room: str
    rank: int  # the highest are kept
    seq: int
    told: bytes = b""  # the description of the game at this seq; empty when the store has it


class Around(Struct, frozen=True, array_like=True):
    """What a node says about itself."""

    online: int = 0  # connections
    watchers: dict[str, int] = {}  # by room, of those that are listed


class Listing(Struct, frozen=True):
    """What all nodes say together."""

    seqs: Mapping[str, int]  # the games by rank, best first, and up to where the store can tell of each
    nodes: tuple[Around, ...] = ()
    bar: float = float("-inf")  # what a game's rank must be at least to be listed

    @property
    def online(self) -> int:
        return sum(node.online for node in self.nodes)

    def watchers(self, room: str) -> int:
        return sum(node.watchers.get(room, 0) for node in self.nodes)


class Live:
    """The list of live games. It holds so many at most; whatever is not told of again falls off."""

    def __init__(self, pipe: Pipe, node: str) -> None:
        self._pipe = pipe
        self._node = node
        pipe.load(REPORT)

    async def report(self, now: int, around: Around, over: Sequence[str], offers: Sequence[Offer]) -> Listing:
        """Tell of this node, of games that are over, and of those that are on; what the list is then."""
        used = (
            keys.LIVE_RANK, keys.LIVE_UNTIL, keys.LIVE_SEQ, keys.LIVE_GAMES, keys.LIVE_NODES, keys.LIVE_NODES_UNTIL,
        )  # fmt: skip
        args: list[bytes | str | int] = [now, LASTS, LISTED, self._node, msgspec.msgpack.encode(around), NODE_LASTS]
        args += [len(over), *over]
        for offer in offers:
            args += [offer.room, offer.rank, offer.seq, offer.told]
        nodes, listed, bar = await self._pipe.call_script(REPORT, len(used), *used, *args)
        seqs = {room.decode(): seq for room, seq in zip(listed[::2], listed[1::2], strict=True)}
        return Listing(seqs, tuple(msgspec.msgpack.decode(said, type=Around) for said in nodes), float(bar))

    async def told(self, rooms: Sequence[str]) -> dict[str, bytes]:
        """The descriptions of games, of those that are still listed."""
        if not rooms:
            return {}
        found = await self._pipe.call(b"HMGET", keys.LIVE_GAMES, *rooms)
        return {room: told for room, told in zip(rooms, found, strict=True) if told is not None}
