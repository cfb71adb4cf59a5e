"""Reads the evidence from the store and the server, with which the observations of a run are compared."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from redis.asyncio import Redis

from parlour.chaos.evidence import Evidence, GameLog, Snapshot, parse_log
from parlour.client import Client
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import GameRating
from parlour.protocol.scene import scene_hash
from parlour.server.store.keys import Keys


async def collect(store: Redis, client: Client, players: Sequence[str]) -> Evidence:
    """Read all logs from the store, and let a client that took no part join every game and look up every player.

    A game that cannot be joined has no snapshot, and a player that is not found has no ratings.
    """
    logs = await read_logs(store)
    snapshots: dict[str, Snapshot] = {}
    ratings: dict[str, tuple[GameRating, ...]] = dict.fromkeys(players, ())
    for room in logs:
        with suppress(Refusal):
            table = await client.join(room)
            replica = table.replica
            snapshots[room] = Snapshot(tuple(replica.moves), scene_hash(replica.scene), replica.result)
            await table.leave()
    for name in players:
        with suppress(Refusal):
            ratings[name] = (await client.profile(name)).ratings
    return Evidence(logs, snapshots, ratings)


async def read_logs(store: Redis) -> dict[str, GameLog]:
    """Return the log of every game in the store."""
    logs = {}
    async for key in store.scan_iter(match=Keys().log("*"), count=1000):
        room = key.decode().partition("{")[2].partition("}")[0]
        entries: Any = await store.xrange(key)
        logs[room] = parse_log(room, [entry for _, fields in entries for entry in fields.values()])
    return logs
