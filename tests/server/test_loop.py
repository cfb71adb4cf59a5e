"""The event loop of a node."""

from __future__ import annotations

import asyncio
import gc
import sys

import pytest

from parlour.server import loop


async def running_loop() -> str:
    return type(asyncio.get_running_loop()).__module__


def test_the_result_is_returned() -> None:
    """`run` returns what the coroutine returns, and raises what it raises."""

    async def fail() -> None:
        raise LookupError("no")

    assert isinstance(loop.run(running_loop()), str)
    with pytest.raises(LookupError, match="no"):
        loop.run(fail())


@pytest.mark.skipif(sys.platform == "win32", reason="uvloop does not support Windows")
def test_uvloop_is_used() -> None:
    """Where uvloop is a dependency, it runs the coroutine."""
    assert loop.run(running_loop()) == "uvloop"


def test_what_stays_is_not_searched_for_garbage() -> None:
    """After `shorten_collections` nothing that exists is looked at again, and collections are rare."""
    before = gc.get_threshold()
    try:
        loop.shorten_collections()
        assert gc.get_freeze_count() > 0
        assert gc.get_threshold() == loop.GC_THRESHOLD
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
