"""Faults break what they should, for as long as they should, and then everything works again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from parlour.chaos.faults import KINDS, Fault
from parlour.chaos.injector import Injector
from parlour.chaos.planner import Round
from parlour.chaos.recorder import Recorder
from parlour.chaos.system import System
from parlour.client import Client, connect
from parlour.protocol.types import Terms
from tests.waiting import WITHIN, until

# Those that work everywhere; a shifted clock needs a library.
TESTED = [name for name in KINDS if name != "store-clock"]


async def works(client: Client) -> None:
    """Let the server write something and read it again."""
    async with asyncio.timeout(WITHIN):
        await client.challenge(Terms("replica"))
        await client.profile(client.you.name)


async def test_everything_works_again(system: System, recorder: Recorder) -> None:
    """Clients of the node that was hit are served after each fault, by any node; it is on record when it happened."""
    injector = Injector(system, recorder, asyncio.Event())
    async with connect(system.urls, timeout=None) as client:
        for kind in TESTED:
            target = 0 if KINDS[kind].target == "node" else None
            async with asyncio.timeout(WITHIN):
                await injector.inject(Fault(kind, 0.5, target, 0.1))
            run = recorder.seen.faults[-1]
            assert run.fault.kind == kind
            assert run.address == ("" if target is None else system.urls[0])
            assert run.ended is not None
            assert run.ended > run.began
            await works(client)
            for node in system.nodes:
                await node.process.ready()
    assert injector.current == []
    assert recorder.seen.failures == []


@pytest.mark.parametrize(
    ("kind", "is_broken"),
    [
        ("store-readonly", lambda store: store.info("replication")),
        ("store-full", lambda store: store.config_get("maxmemory")),
    ],
)
async def test_the_store_accepts_no_writes(
    kind: str, is_broken: Callable[..., Awaitable[dict[str, str]]], system: System, recorder: Recorder
) -> None:
    """While the fault lasts, the store is a replica, or has no memory."""
    stop = asyncio.Event()
    injector = Injector(system, recorder, stop)
    async with system.redis() as store, asyncio.TaskGroup() as group:
        group.create_task(injector.inject(Fault(kind, 60.0)))

        async def has_begun() -> bool:
            found = await is_broken(store)
            return found.get("role") == "slave" or found.get("maxmemory") == "1"

        await until(has_begun)
        assert [str(fault) for fault in injector.current] == [kind]
        stop.set()
    async with system.redis() as store:
        await store.set("works", "again")


async def test_a_long_pause(system: System, recorder: Recorder) -> None:
    """The store may be silent for longer than a client of Redis usually waits."""
    async with asyncio.timeout(WITHIN):
        await Injector(system, recorder, asyncio.Event()).inject(Fault("store-pause", 6.0))
    (run,) = recorder.seen.faults
    assert run.ended is not None
    assert run.ended - run.began >= 6.0


async def test_rounds_follow_each_other(system: System, recorder: Recorder) -> None:
    """A round begins when the faults of the one before have ended, and the nodes are ready again."""
    stop = asyncio.Event()
    injector = Injector(system, recorder, stop)
    rounds = (
        Round(0.0, (Fault("node-freeze", 0.3, 0), Fault("client-delay", 0.1, 0, 0.1))),
        Round(0.1, (Fault("client-cut", 0.1, 1),)),
    )
    running = asyncio.create_task(injector.run(rounds))
    await until(lambda: len(recorder.seen.faults) == 3 and recorder.seen.faults[2].ended is not None)
    stop.set()
    await running
    first, second, third = recorder.seen.faults
    assert first.ended is not None
    assert second.ended is not None
    assert max(first.ended, second.ended) <= third.began


async def test_a_round_waits_for_the_clients(system: System, recorder: Recorder) -> None:
    """The next fault comes when all clients are connected again."""
    stop, connected = asyncio.Event(), asyncio.Event()
    asked = asyncio.Event()

    def is_connected() -> bool:
        asked.set()
        return connected.is_set()

    rounds = tuple(Round(0.0, (Fault("client-cut", 0.0, node),)) for node in (0, 1))
    running = asyncio.create_task(Injector(system, recorder, stop, is_connected).run(rounds))
    await asyncio.wait_for(asked.wait(), WITHIN)
    assert len(recorder.seen.faults) == 1
    connected.set()
    await until(lambda: len(recorder.seen.faults) == 2)
    stop.set()
    await running


async def test_a_run_is_stopped(system: System, recorder: Recorder) -> None:
    """The current fault ends early, and no other follows."""
    stop = asyncio.Event()
    injector = Injector(system, recorder, stop)
    rounds = (Round(0.0, (Fault("client-stall", 600.0, 0),)), Round(0.0, (Fault("client-cut", 600.0, 1),)))
    running = asyncio.create_task(injector.run(rounds))
    await until(lambda: len(injector.current) == 1)
    stop.set()
    async with asyncio.timeout(WITHIN):
        await running
    assert [run.fault.kind for run in recorder.seen.faults] == ["client-stall"]


async def test_a_node_that_ends_by_itself(system: System, recorder: Recorder) -> None:
    """It is on record as a failure, and started again."""
    stop = asyncio.Event()
    await system.nodes[1].process.kill()
    running = asyncio.create_task(Injector(system, recorder, stop).run((Round(0.0, (Fault("client-cut", 0.1, 0),)),)))
    await until(lambda: recorder.seen.failures == ["node 2 ended by itself with code -9."])
    stop.set()
    await running
    await system.nodes[1].process.ready()


async def test_the_clock_is_shifted(tmp_path: Path, recorder: Recorder) -> None:
    """The library that shifts the store's clock is told so, and told the truth again afterwards."""
    stop = asyncio.Event()
    system = System(tmp_path, nodes=2, workers=0, library=tmp_path / "library")  # which is not needed for this
    shifting = asyncio.create_task(Injector(system, recorder, stop).inject(Fault("store-clock", 60.0, None, 20.0)))
    await until(lambda: (tmp_path / "faketime").read_text() == "+20.000\n")
    stop.set()
    await shifting
    assert (tmp_path / "faketime").read_text() == "+0.000\n"
