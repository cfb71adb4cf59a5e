"""News for whoever listens."""

from __future__ import annotations

import asyncio
import gc

import pytest

from parlour.client.stream import Listener, Stream


async def heard(listener: Listener[int]) -> list[int]:
    """Everything until the end."""
    return [item async for item in listener]


async def test_everybody_hears_everything_from_the_beginning_on() -> None:
    """Each listener gets what it was promised first, then all that is put after it began, however late it reads."""
    stream: Stream[int] = Stream()
    early = stream.listen(0)
    stream.put(1)
    late = stream.listen()
    stream.put(2)
    stream.end()

    assert await heard(early) == [0, 1, 2]
    assert await heard(late) == [2]
    assert await heard(stream.listen(7)) == [7]


async def test_a_fault_is_raised_after_the_news() -> None:
    """What came before the fault is heard, then it is raised, each time; the first end counts."""
    stream: Stream[int] = Stream()
    listener = stream.listen()
    waits = asyncio.create_task(anext(listener))
    await asyncio.sleep(0)
    stream.put(1)
    stream.end(ConnectionError("Gone."))
    stream.end()

    assert await waits == 1
    for each in (listener, listener, stream.listen()):
        with pytest.raises(ConnectionError, match="Gone"):
            await anext(each)


async def test_who_does_not_listen_any_more_is_forgotten() -> None:
    """A loop that was left costs nothing: its listener is gone."""
    stream: Stream[int] = Stream()
    stream.put(1)
    listener = stream.listen()
    assert len(stream._listeners) == 1
    del listener
    gc.collect()
    assert len(stream._listeners) == 0
