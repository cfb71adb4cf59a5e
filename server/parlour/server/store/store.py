"""All parts of the store, opened and closed together."""

from __future__ import annotations

from redis.asyncio import Redis

from parlour.server.store.accounts import Accounts
from parlour.server.store.address import parse
from parlour.server.store.budgets import Budgets
from parlour.server.store.bus import Bus
from parlour.server.store.clock import RedisTime
from parlour.server.store.connection import blocking_client, client
from parlour.server.store.deadlines import Deadlines
from parlour.server.store.heartbeat import Heartbeat
from parlour.server.store.jobs import Jobs
from parlour.server.store.live import Live
from parlour.server.store.log import RoomLog
from parlour.server.store.pipe import Pipe
from parlour.server.store.players import Players
from parlour.server.store.queue import Queue
from parlour.server.store.ratings import Ratings
from parlour.server.store.records import Records
from parlour.server.store.seats import Playing
from parlour.server.store.seeks import Seeks


class Store:
    """What a node needs of Redis. `pipe` carries the moves, `bus` the news of other nodes, `redis` the rest."""

    def __init__(self, url: str, node: str, *, serves: bool = True) -> None:
        """`serves`: whether players can connect to this process."""
        self.node = node
        address = parse(url)
        self.pipe = Pipe(address)
        self.bus = Bus(address, node)
        self.redis: Redis = client(address)
        self.waiting: Redis = blocking_client(address)
        self.jobs = Jobs(self.redis, self.waiting, node)
        self.log = RoomLog(self.pipe, node)
        self.deadlines = Deadlines(self.pipe)
        self.time = RedisTime(self.pipe)
        self.heartbeat = Heartbeat(self.pipe, serves)
        self.budgets = Budgets(self.pipe)
        self.players = Players(self.redis)
        self.accounts = Accounts(self.redis, self.pipe)
        self.queue = Queue(self.pipe)
        self.ratings = Ratings(self.redis)
        self.records = Records(self.redis)
        self.playing = Playing(self.pipe)
        self.seeks = Seeks(self.pipe)
        self.live = Live(self.pipe, node)

    async def open(self) -> None:
        """Connect; raises StoreTrouble with a sentence when that is not possible."""
        await self.pipe.open()
        await self.bus.open()
        await self.time.open()
        await self.heartbeat.open()

    async def close(self) -> None:
        await self.heartbeat.close()
        await self.time.close()
        await self.bus.close()
        await self.pipe.close()
        await self.waiting.aclose()
        await self.redis.aclose()
