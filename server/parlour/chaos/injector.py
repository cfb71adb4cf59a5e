"""Executes the faults of a plan, one round after the other."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress

from parlour.chaos.faults import Fault
from parlour.chaos.planner import Round
from parlour.chaos.processes import POLL_EVERY, ChildProcess, NotStarted
from parlour.chaos.proxy import Way
from parlour.chaos.proxy_process import ProxyProcess
from parlour.chaos.recorder import Recorder
from parlour.chaos.system import Node, System

# A port on which no master listens: the store keeps its data, and accepts no writes.
NO_MASTER = ("127.0.0.1", "1")

RECONNECT_WITHIN = 20.0  # seconds to wait for all clients after a fault; then the next one follows anyway


class Injector:
    """Breaks a system and repairs it. When `stop` is set, the current faults end early and no others follow."""

    def __init__(
        self, system: System, recorder: Recorder, stop: asyncio.Event, is_connected: Callable[[], bool] = lambda: True
    ) -> None:
        """`is_connected` says whether all clients are connected, which a fault may have changed."""
        self.current: list[Fault] = []
        self._system = system
        self._recorder = recorder
        self._stop = stop
        self._is_connected = is_connected
        self._on_node: dict[str, Callable[[Fault, Node], Awaitable[None]]] = {
            "node-kill": self._kill_node,
            "node-stop": self._stop_node,
            "node-freeze": self._freeze_node,
            "client-cut": lambda fault, node: self._cut(fault, node.clients),
            "client-delay": lambda fault, node: self._delay(fault, node.clients),
            "client-stall": lambda fault, node: self._swallow(fault, node.clients, *Way),
            "client-mute": lambda fault, node: self._swallow(fault, node.clients, Way.TO_CLIENT),
            "link-cut": lambda fault, node: self._cut(fault, node.link),
            "link-delay": lambda fault, node: self._delay(fault, node.link),
            "link-stall": lambda fault, node: self._swallow(fault, node.link, *Way),
        }
        self._on_store: dict[str, Callable[[Fault], Awaitable[None]]] = {
            "store-kill": lambda fault: self._end_store(fault, signal.SIGKILL),
            "store-stop": lambda fault: self._end_store(fault, signal.SIGTERM),
            "store-freeze": self._freeze_store,
            "store-pause": self._pause_store,
            "store-readonly": self._make_readonly,
            "store-full": self._fill_store,
            "store-clock": self._shift_clock,
        }

    async def run(self, rounds: Iterable[Round]) -> None:
        """Execute all rounds, and wait for `stop`.

        If a round takes longer than planned, all later ones are postponed, so that the pauses between them remain.
        """
        began = self._recorder.now
        for one in rounds:
            await self._wait(began + one.at - self._recorder.now)
            if self._stop.is_set():
                return
            await asyncio.gather(*(self.inject(fault) for fault in one.faults))
            await self._recover()
            planned_end = began + one.at + max(fault.seconds for fault in one.faults)
            began += max(0.0, self._recorder.now - planned_end)
        await self._stop.wait()

    async def inject(self, fault: Fault) -> None:
        """Execute one fault, and return when it has ended."""
        node = None if fault.node is None else self._system.nodes[fault.node]
        run = self._recorder.fault(fault, "" if node is None else node.url)
        self.current.append(fault)
        try:
            if node is None:
                await self._on_store[fault.kind](fault)
            else:
                await self._on_node[fault.kind](fault, node)
        finally:
            self.current.remove(fault)
            run.ended = self._recorder.now

    async def _wait(self, seconds: float) -> None:
        """Wait for a time, or until the run is stopped."""
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, seconds)):
                await self._stop.wait()

    async def _recover(self) -> None:
        """Wait until everything works again; start processes that have ended by themselves."""
        for process in self._system.processes:
            if not process.is_running:
                self._recorder.fail(f"{process.name} ended by itself with code {process.exit_code}.")
                await process.start()
            await self._ready(process)
        # The next fault is to hit a system that works, or the time to recover from it would include this one's.
        with suppress(TimeoutError):
            async with asyncio.timeout(RECONNECT_WITHIN):
                while not self._is_connected() and not self._stop.is_set():
                    await asyncio.sleep(POLL_EVERY)

    async def _ready(self, process: ChildProcess) -> None:
        """Wait until a process works; start it again if it never does."""
        try:
            await process.ready()
        except NotStarted as error:
            self._recorder.fail(str(error))
            await process.kill()
            await process.start()

    # -- nodes

    async def _kill_node(self, fault: Fault, node: Node) -> None:
        await node.process.kill()
        await self._start_node(fault, node)

    async def _stop_node(self, fault: Fault, node: Node) -> None:
        code = await node.process.stop()
        if code != 0:
            self._recorder.fail(f"{node.process.name} ended with code {code} after SIGTERM.")
        await self._start_node(fault, node)

    async def _start_node(self, fault: Fault, node: Node) -> None:
        await self._wait(fault.seconds)
        await node.process.start()
        await self._ready(node.process)

    async def _freeze_node(self, fault: Fault, node: Node) -> None:
        node.process.send_signal(signal.SIGSTOP)
        try:
            await self._wait(fault.seconds)
        finally:
            node.process.send_signal(signal.SIGCONT)

    # -- the network

    async def _cut(self, fault: Fault, proxy: ProxyProcess) -> None:
        proxy.cut()
        await self._heal_after(fault, proxy)

    async def _delay(self, fault: Fault, proxy: ProxyProcess) -> None:
        proxy.delay(fault.amount)
        await self._heal_after(fault, proxy)

    async def _swallow(self, fault: Fault, proxy: ProxyProcess, *ways: Way) -> None:
        proxy.swallow(*ways)
        await self._heal_after(fault, proxy)

    async def _heal_after(self, fault: Fault, proxy: ProxyProcess) -> None:
        try:
            await self._wait(fault.seconds)
        finally:
            proxy.heal()

    # -- the store

    async def _end_store(self, fault: Fault, number: signal.Signals) -> None:
        store = self._system.store
        assert store.pid is not None
        os.kill(store.pid, number)
        while store.pid is not None:
            await asyncio.sleep(POLL_EVERY)
        await self._wait(fault.seconds)
        await self._system.start_store()

    async def _freeze_store(self, fault: Fault) -> None:
        pid = self._system.store.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        try:
            await self._wait(fault.seconds)
        finally:
            os.kill(pid, signal.SIGCONT)

    async def _pause_store(self, fault: Fault) -> None:
        async with self._system.redis() as store:
            await store.client_pause(int(fault.seconds * 1000))
            await store.ping()  # answered when the pause is over

    async def _make_readonly(self, fault: Fault) -> None:
        async with self._system.redis() as store:
            await store.replicaof(*NO_MASTER)
            try:
                await self._wait(fault.seconds)
            finally:
                await store.replicaof("NO", "ONE")

    async def _fill_store(self, fault: Fault) -> None:
        async with self._system.redis() as store:
            await store.config_set("maxmemory", "1")
            try:
                await self._wait(fault.seconds)
            finally:
                await store.config_set("maxmemory", "0")

    async def _shift_clock(self, fault: Fault) -> None:
        clock = self._system.clock
        assert clock is not None
        clock.shift(fault.amount)
        try:
            await self._wait(fault.seconds)
        finally:
            clock.shift(0)
