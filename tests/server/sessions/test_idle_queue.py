"""Slow work runs one piece per loop iteration, so that quick work is never held up by more than one piece."""

from __future__ import annotations

import asyncio

from parlour.server.sessions.idle_queue import IdleQueue


async def test_callbacks_run_in_order_one_per_iteration() -> None:
    """Other callbacks of the event loop run between two of them."""
    queue, ran = IdleQueue(), list[str]()
    done = asyncio.Event()
    queue.add(lambda: ran.append("first"))
    queue.add(lambda: ran.append("second"))
    queue.add(done.set)
    asyncio.get_running_loop().call_soon(ran.append, "quick")
    assert ran == []
    await done.wait()
    assert ran == ["first", "quick", "second"]


async def test_a_failed_callback_does_not_stop_the_queue() -> None:
    """The error is reported to the event loop, and the next callback runs."""
    queue, errors = IdleQueue(), list[BaseException]()
    done = asyncio.Event()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context["exception"]))
    queue.add(lambda: int("no number"))  # type: ignore[arg-type]
    queue.add(done.set)
    await done.wait()
    assert [type(error) for error in errors] == [ValueError]


async def test_work_can_be_added_later() -> None:
    """An empty queue starts again."""
    queue = IdleQueue()
    for _ in range(2):
        done = asyncio.Event()
        queue.add(done.set)
        await done.wait()
