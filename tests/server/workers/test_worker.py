"""A worker process serves with the settings it is given, and ends when its supervisor does or says so."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import ExitStack

import pytest

from parlour.server.configuration.settings import Settings
from parlour.server.workers import worker as workers
from parlour.server.workers.messages import FromWorker, Listen, Opened, Sample, Sampled
from parlour.server.workers.port import reserve
from parlour.server.workers.worker import Worker
from tests.waiting import WITHIN, until


class Supervised:
    """A worker, and what it has said."""

    def __init__(self, worker: Worker, port: int) -> None:
        self.worker = worker
        self.port = port
        self.said: list[FromWorker] = []
        self.ended = asyncio.create_task(worker.run(lambda _, message: self.said.append(message)))

    async def is_reachable(self) -> bool:
        """Return whether its port is open."""
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except ConnectionError:  # reset if it was waiting to be accepted
            return False
        writer.close()
        return True

    async def is_closed(self) -> bool:
        return not await self.is_reachable()


@pytest.fixture
async def supervised(valkey: str) -> AsyncIterator[Supervised]:
    with ExitStack() as stack:
        port = await reserve("127.0.0.1", 0, stack)
        settings = Settings(port=port, redis=valkey, bot_workers=0, node_name="n-1", log_level="error")
        one = Supervised(await workers.start(1, settings, None), port)
        await until(lambda: Opened() in one.said or one.ended.done())
        yield one
        one.worker.signal(signal.SIGKILL)
        await one.ended


async def test_a_worker_serves_until_it_is_told_to_stop(supervised: Supervised) -> None:
    """It reports its metrics, closes and opens its port, and exits with 0."""
    supervised.worker.send(Sample())
    await until(lambda: any(isinstance(message, Sampled) for message in supervised.said))
    supervised.worker.send(Listen(False))
    await until(supervised.is_closed)
    supervised.worker.send(Listen(True))
    await until(supervised.is_reachable)

    supervised.worker.signal(signal.SIGTERM)
    async with asyncio.timeout(WITHIN):
        assert await supervised.ended == 0


async def test_a_worker_whose_channel_is_closed_ends(supervised: Supervised) -> None:
    """As it is when the supervisor is killed. A signal that comes too late is no error."""
    pid = supervised.worker.pid
    supervised.worker.close()
    async with asyncio.timeout(WITHIN):
        assert await supervised.ended == 0
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    supervised.worker.signal(signal.SIGTERM)
