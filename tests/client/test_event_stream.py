"""One publisher, many subscribers."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

from parlour.client.event_stream import EventStream, Subscription


async def received(subscription: Subscription[int]) -> list[int]:
    """Everything until the end."""
    return [item async for item in subscription]


async def test_subscribers_receive_everything_since_they_subscribed() -> None:
    """Each gets its own first items, then all that is published afterwards, however late it reads."""
    stream: EventStream[int] = EventStream()
    early = stream.subscribe(0)
    stream.publish(1)
    late = stream.subscribe()
    stream.publish(2)
    stream.end()

    assert await received(early) == [0, 1, 2]
    assert await received(late) == [2]
    assert await received(stream.subscribe(7)) == [7]


async def test_an_error_is_raised_after_the_items_before_it() -> None:
    """Items published before the error are delivered; every later read raises it; only the first end counts."""
    stream: EventStream[int] = EventStream()
    subscription = stream.subscribe()
    waiting = asyncio.create_task(anext(subscription))
    stream.publish(1)
    stream.end(ConnectionError("Lost."))
    stream.end()

    assert await waiting == 1
    for each in (subscription, subscription, stream.subscribe()):
        with pytest.raises(ConnectionError, match="Lost"):
            await anext(each)


async def test_an_abandoned_subscription_is_freed() -> None:
    """The stream does not keep a subscription alive that its reader has dropped."""
    stream: EventStream[int] = EventStream()
    subscription = stream.subscribe()
    stream.publish(1)
    reference = weakref.ref(subscription)
    del subscription
    gc.collect()

    assert reference() is None
