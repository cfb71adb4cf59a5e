"""All parts of the store, opened and closed together."""

from __future__ import annotations

from redis.asyncio import Redis

from parlour.server.store.address import parse
from parlour.server.store.bus import Bus
from parlour.server.store.clock import RedisTime
from parlour.server.store.connection import client
from parlour.server.store.deadlines import Deadlines
from parlour.server.store.log import RoomLog
from parlour.server.store.pipe import Pipe
from parlour.server.store.players import Players
from parlour.server.store.queue import Queue
from parlour.server.store.seats import Invites, Playing


class Store:
    """What a node needs of Redis. `pipe` carries the moves, `bus` the news of other nodes, `redis` the rest."""

    def __init__(self, url: str, node: str) -> None:
        address = parse(url)
        self.pipe = Pipe(address)
        self.bus = Bus(address, node)
        self.redis: Redis = client(address)
        self.log = RoomLog(self.pipe, node)
        self.deadlines = Deadlines(self.pipe)
        self.time = RedisTime(self.pipe)
        self.players = Players(self.redis)
        self.queue = Queue(self.redis)
        self.playing = Playing(self.redis)
        self.invites = Invites(self.redis)

    async def open(self) -> None:
        """Connect; raises StoreTrouble with a sentence when that is not possible."""
        await self.pipe.open()
        await self.bus.open()
        await self.time.open()

    async def close(self) -> None:
        await self.time.close()
        await self.bus.close()
        await self.pipe.close()
        await self.redis.aclose()
