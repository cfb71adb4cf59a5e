"""The list of live games that all nodes keep together, with the number of connections and spectators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from parlour.server.store.pipeline import Pipeline, script

REPORT = script("report_live_games")

MAX_LISTED = 50  # games
GAME_TTL = 20_000  # milliseconds after the last report: long enough for players to move to another node
NODE_TTL = 6_000  # milliseconds after which the report of a node no longer counts


class GameReport(Struct, frozen=True):
    """A game that a node has open."""

    room: str
    rank: int  # the games with the highest ranks are listed
    seq: int
    description: bytes = b""  # the game at this sequence number; empty if the store already has it


class NodeReport(Struct, frozen=True, array_like=True):
    """What a node reports about itself."""

    connections: int = 0
    spectators: dict[str, int] = {}  # by room, for listed games
    rooms: int = 0  # that it has open
    waiting: int = 0  # players in its queues
    started: int = 0  # milliseconds since 1970
    version: str = ""
    draining: bool = False


class LiveGameList(Struct, frozen=True):
    """The listed games, and the reports of all nodes."""

    seqs: Mapping[str, int]  # by room, best first: the sequence number of the stored description
    nodes: tuple[NodeReport, ...] = ()
    min_rank: float = float("-inf")  # a game with a lower rank would not be listed

    @property
    def connections(self) -> int:
        return sum(node.connections for node in self.nodes)

    def spectators(self, room: str) -> int:
        return sum(node.spectators.get(room, 0) for node in self.nodes)


class LiveGameStore:
    """The list of live games. It has a maximum length, and games that no node reports any more expire."""

    def __init__(self, pipeline: Pipeline, node: str) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        self._node = node
        pipeline.load(REPORT)

    async def report(
        self, now: int, node: NodeReport, finished: Sequence[str], games: Sequence[GameReport]
    ) -> LiveGameList:
        """Report this node, finished games and running games; return the resulting list."""
        keys = self._keys
        script_keys = (
            keys.live_rank, keys.live_expiry, keys.live_seq, keys.live_descriptions, keys.live_nodes,
            keys.live_nodes_expiry,
        )  # fmt: skip
        args: list[bytes | str | int] = [now, GAME_TTL, MAX_LISTED, self._node, msgspec.msgpack.encode(node), NODE_TTL]
        args += [len(finished), *finished]
        for game in games:
            args += [game.room, game.rank, game.seq, game.description]
        nodes, listed, min_rank = await self._pipeline.call_script(REPORT, len(script_keys), *script_keys, *args)
        seqs = {room.decode(): seq for room, seq in zip(listed[::2], listed[1::2], strict=True)}
        reports = tuple(msgspec.msgpack.decode(each, type=NodeReport) for each in nodes)
        return LiveGameList(seqs, reports, float(min_rank))

    async def nodes(self, now: int) -> dict[str, NodeReport]:
        """Return the newest reports of the nodes that are alive, by name."""
        keys = self._keys
        alive = await self._pipeline.call(b"ZRANGEBYSCORE", keys.live_nodes_expiry, f"({now}", b"+inf")
        if not alive:
            return {}
        found = await self._pipeline.call(b"HMGET", keys.live_nodes, *alive)
        return {
            name.decode(): msgspec.msgpack.decode(each, type=NodeReport)
            for name, each in sorted(zip(alive, found, strict=True))
            if each is not None
        }

    async def rooms(self, now: int) -> list[str]:
        """Return the listed games, best first."""
        keys = self._keys
        ranked, alive = await self._pipeline.call_all(
            (b"ZRANGE", keys.live_rank, 0, -1, b"REV"), (b"ZRANGEBYSCORE", keys.live_expiry, f"({now}", b"+inf")
        )
        return [room.decode() for room in ranked if room in set(alive)]

    async def listed(self, rooms: Sequence[str]) -> list[str]:
        """Return those of the games that are listed."""
        if not rooms:
            return []
        seqs = await self._pipeline.call(b"HMGET", self._keys.live_seq, *rooms)
        return [room for room, seq in zip(rooms, seqs, strict=True) if seq is not None]

    async def descriptions(self, rooms: Sequence[str]) -> dict[str, bytes]:
        """Return the descriptions of those of the games that are listed."""
        if not rooms:
            return {}
        found = await self._pipeline.call(b"HMGET", self._keys.live_descriptions, *rooms)
        return {room: each for room, each in zip(rooms, found, strict=True) if each is not None}
