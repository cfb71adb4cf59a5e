"""The event loop of a node."""

from __future__ import annotations

import asyncio
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
