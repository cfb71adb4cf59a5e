"""The thread for long computations."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator

import pytest

from parlour.server.compute import ComputeThread


@pytest.fixture
def compute() -> Iterator[ComputeThread]:
    """A thread that is idle."""
    one = ComputeThread()
    yield one
    one.close()


class Gate:
    """Work that waits until it is let go, so that other work queues up behind it."""

    def __init__(self) -> None:
        self._opened = threading.Event()

    def __call__(self) -> bool:
        return self._opened.wait(60)

    def open(self) -> None:
        self._opened.set()


async def test_work_runs_outside_the_event_loop(compute: ComputeThread) -> None:
    """The caller gets the result or the exception."""
    assert await compute.run("ada", threading.get_ident) != threading.get_ident()
    with pytest.raises(ZeroDivisionError):
        await compute.run("ada", lambda: 1 // 0)


async def test_owners_take_turns(compute: ComputeThread) -> None:
    """The work of one owner does not wait for all the work that another has asked for before."""
    done: list[str] = []

    def note(name: str) -> Callable[[], None]:
        return lambda: done.append(name)

    gate = Gate()
    first = asyncio.ensure_future(compute.run("eve", gate))
    others = [asyncio.ensure_future(compute.run("eve", note(f"eve {number}"))) for number in range(3)]
    others.append(asyncio.ensure_future(compute.run("ada", note("ada"))))
    await asyncio.sleep(0)
    gate.open()
    await asyncio.gather(first, *others)
    assert done == ["eve 0", "ada", "eve 1", "eve 2"]


async def test_work_without_a_caller_is_not_done(compute: ComputeThread) -> None:
    """A caller that is cancelled while it waits leaves nothing behind, and the next one is served."""
    done: list[int] = []
    gate = Gate()
    first = asyncio.ensure_future(compute.run("ada", gate))
    abandoned = asyncio.ensure_future(compute.run("ada", lambda: done.append(1)))
    await asyncio.sleep(0)
    abandoned.cancel()
    gate.open()
    await first
    await compute.run("ada", lambda: done.append(2))
    assert done == [2]


async def test_nothing_is_done_after_the_end(compute: ComputeThread) -> None:
    """A task that asks while the node stops waits until it is cancelled, and nothing is raised."""
    done: list[int] = []
    gate = Gate()
    running = asyncio.ensure_future(compute.run("ada", gate))
    waiting = asyncio.ensure_future(compute.run("ada", lambda: done.append(1)))
    await asyncio.sleep(0)
    compute.close()
    late = asyncio.ensure_future(compute.run("ada", lambda: done.append(2)))
    gate.open()
    await running
    await asyncio.sleep(0)
    assert not waiting.done()
    assert not late.done()
    for each in (waiting, late):
        each.cancel()
    await asyncio.gather(waiting, late, return_exceptions=True)
    assert done == []
