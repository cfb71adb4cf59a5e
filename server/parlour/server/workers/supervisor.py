"""The supervisor of `--workers`: starts the workers, replaces those that die, and stops them all together.

It reserves the port and runs the embedded store, if there is one, but serves no clients itself.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Iterable
from contextlib import AsyncExitStack, ExitStack, suppress
from typing import Any

from msgspec.structs import replace

from parlour.server import app
from parlour.server.configuration.settings import Settings
from parlour.server.metrics import worker_metrics
from parlour.server.restarts import Restarts, how_it_ended
from parlour.server.store.supervisor import StoreSupervisor
from parlour.server.workers import worker as workers
from parlour.server.workers.messages import (
    Family,
    FromSupervisor,
    FromWorker,
    Health,
    Listen,
    Opened,
    Sample,
    Sampled,
    Scrape,
    Scraped,
    StoreOutage,
)
from parlour.server.workers.port import reserve
from parlour.server.workers.totals import Totals, from_metric
from parlour.server.workers.worker import Worker

logger = logging.getLogger(__name__)

SAMPLE_WITHIN = 1.0  # seconds for a worker to send its metrics
FIRST = 1  # the number of the worker that is started before the others
LONGEST_NAME = 60  # letters of a node's name, to which the worker's number is added


class StartFailed(Exception):
    """The first worker ended before it could serve; it has printed why."""

    def __init__(self, code: int) -> None:
        super().__init__(f"The first worker {how_it_ended(code)}.")
        self.code = code


def run(settings: Settings) -> int:
    """Serve with several workers until told to stop; return the exit code."""
    codes: list[int] = []
    try:
        return app.run_main(asyncio.run, _supervise(settings, codes), settings) or max(codes, default=0)
    except StartFailed as failed:
        return failed.code if failed.code > 0 else 1


async def _supervise(settings: Settings, codes: list[int]) -> None:
    stop = app.stop_signal()
    async with AsyncExitStack() as parts:
        port = await reserve(settings.host, settings.port, parts.enter_context(ExitStack()))
        embedded = None if settings.redis else await app.start_embedded_store(settings, parts)
        supervisor = Supervisor(replace(settings, port=port), embedded)
        parts.push_async_callback(supervisor.kill)
        await supervisor.start(stop)
        if not stop.is_set():
            app.announce(settings, port)

        await stop.wait()
        logger.info("stopping")
        stop.clear()
        supervisor.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(settings.drain_delay):
                await stop.wait()
                supervisor.stop()  # a second signal ends the delay
        grace = max(settings.stop_grace, app.SHORTEST_STOP + app.CLOSE_WITHIN)
        app.exit_within(grace)
        codes += await supervisor.ended(grace - app.CLOSE_WITHIN / 2)


class Supervisor:
    """Keeps the workers running, and knows which of them can serve."""

    def __init__(self, settings: Settings, store: StoreSupervisor | None) -> None:
        self._settings = settings
        self._store = store
        self._workers: dict[int, Worker] = {}  # those that run, by number
        self._slots: dict[int, asyncio.Task[int]] = {}  # the tasks that keep the workers running
        self._settled = {number: asyncio.Event() for number in self._numbers}  # workers that have served, or failed to
        self._stopping = asyncio.Event()
        self._restarts = 0
        self._totals = Totals()
        self._scrapes: set[asyncio.Task[None]] = set()
        if store is not None:
            store.on_outage = lambda: self._send_all(StoreOutage(store.outage))

    @property
    def _numbers(self) -> Iterable[int]:
        return range(1, self._settings.workers + 1)

    # -- starting and stopping

    async def start(self, stop: asyncio.Event) -> None:
        """Start the workers, and return when they serve, or on a signal to stop. Raise StartFailed.

        The others start after the first one: if no worker can start, the reason is printed only once, and the first one
        has prepared the store.
        """
        stopped = asyncio.create_task(stop.wait())
        for numbers in ([FIRST], [number for number in self._numbers if number != FIRST]):
            for number in numbers:
                self._slots[number] = asyncio.create_task(self._keep_running(number), name=f"worker {number}")
            settled = asyncio.create_task(self._all_settled(numbers))
            tasks: list[asyncio.Task[Any]] = [settled, stopped, self._slots[FIRST]]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            settled.cancel()
            if self._slots[FIRST].done():
                raise StartFailed(self._slots[FIRST].result())
        stopped.cancel()

    async def _all_settled(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            await self._settled[number].wait()

    async def _keep_running(self, number: int) -> int:
        """Run a worker, again whenever it dies, until all of them are to stop. Return its exit code.

        If the first worker fails before it has served, there is no point in trying again.
        """
        restarts, clock = Restarts(), asyncio.get_running_loop()
        settings = self._settings_of(number)
        while not self._stopping.is_set():
            began = clock.time()
            worker = await workers.start(number, settings, None if self._store is None else self._store.url)
            self._workers[number] = worker
            if self._store is not None and self._store.outage is not None:
                worker.send(StoreOutage(self._store.outage))
            code = await worker.run(self._receive)
            del self._workers[number]
            self._totals.end(number)
            self._share_port()
            if self._stopping.is_set() or (number == FIRST and not self._settled[FIRST].is_set()):
                return code if worker.is_open or code > 0 else 0  # killed by the signal before it could handle it
            self._settled[number].set()
            logger.error("worker %d %s; restarting it", number, how_it_ended(code))
            self._restarts += 1
            with suppress(TimeoutError):
                async with asyncio.timeout(restarts.pause(clock.time() - began)):
                    await self._stopping.wait()
        return 0

    def _settings_of(self, number: int) -> Settings:
        """Return the settings of one worker. All together have as many bot workers as one node would have."""
        settings = self._settings
        each, left = divmod(settings.bot_workers, settings.workers)
        return replace(
            settings,
            workers=1,
            node_name=f"{settings.node_name[:LONGEST_NAME]}-{number}",
            bot_workers=each + (number <= left),
            stop_grace=max(0.0, settings.stop_grace - app.CLOSE_WITHIN),  # the rest is for the store
        )

    def stop(self) -> None:
        """Tell all workers to stop; the second time, to stop without a delay."""
        self._stopping.set()
        for worker in self._workers.values():
            worker.signal(signal.SIGTERM)

    async def ended(self, within: float) -> list[int]:
        """Wait until all workers have ended, and return their exit codes; kill those that take longer."""
        if self._slots:
            await asyncio.wait(self._slots.values(), timeout=within)
        codes = [slot.result() for slot in self._slots.values() if slot.done()]
        if self._workers:
            logger.error("%d workers did not stop in time and are killed", len(self._workers))
            await self.kill()
            codes.append(1)
        return codes

    async def kill(self) -> None:
        """Kill the workers that are left."""
        self._stopping.set()
        for worker in self._workers.values():
            worker.signal(signal.SIGKILL)
        if self._slots:
            await asyncio.wait(self._slots.values())

    # -- what workers say

    def _receive(self, worker: Worker, message: FromWorker) -> None:
        match message:
            case Opened():
                worker.is_open = True
                self._settled[worker.number].set()
                if self._stopping.is_set():  # it was started while the others were told to stop
                    worker.signal(signal.SIGTERM)
                self._share_port()
            case Health(healthy):
                worker.is_healthy = healthy
                self._share_port()
            case Sampled(families):
                self._totals.update(worker.number, families)
                worker.replied.set()
            case Scrape():
                task = asyncio.create_task(self._scrape(worker))
                self._scrapes.add(task)
                task.add_done_callback(self._scrapes.discard)

    def _share_port(self) -> None:
        """Close the port of workers that cannot serve, as long as others can; if none can, all explain why."""
        can_serve = [worker for worker in self._workers.values() if worker.is_open and worker.is_healthy]
        for worker in self._workers.values():
            worker.send(Listen(worker.is_healthy or not can_serve))

    def _send_all(self, message: FromSupervisor) -> None:
        for worker in self._workers.values():
            worker.send(message)

    # -- metrics

    async def _scrape(self, worker: Worker) -> None:
        worker.send(Scraped(await self.families()))

    async def families(self) -> list[Family]:
        """Return the metrics of all workers as one, and those about the workers."""
        asked = list(self._workers.values())
        for worker in asked:
            worker.replied.clear()
            worker.send(Sample())
        with suppress(TimeoutError):
            async with asyncio.timeout(SAMPLE_WITHIN):
                for worker in asked:
                    await worker.replied.wait()
        serving = sum(worker.is_open and worker.is_healthy for worker in self._workers.values())
        return [*map(from_metric, worker_metrics(serving, self._restarts)), *self._totals.families()]
