"""One publisher, any number of subscribers; each gets everything published since it subscribed."""

from __future__ import annotations

from asyncio import Queue
from typing import Generic, TypeVar
from weakref import WeakSet

T = TypeVar("T")


class _End:
    """The last item of a subscription."""

    def __init__(self, error: Exception | None) -> None:
        self.error = error


class Subscription(Generic[T]):
    """An async iterator that misses nothing, however slowly it is read. The stream holds only a weak reference."""

    def __init__(self) -> None:
        self._items: Queue[T | _End] = Queue()

    def _put(self, item: T | _End) -> None:
        self._items.put_nowait(item)

    def __aiter__(self) -> Subscription[T]:
        return self

    async def __anext__(self) -> T:
        item = await self._items.get()
        if not isinstance(item, _End):
            return item
        self._put(item)  # later reads end the same way
        if item.error is not None:
            raise item.error
        raise StopAsyncIteration


class EventStream(Generic[T]):
    """Publishes items to all subscribers. It ends normally, or with an error that the subscribers raise."""

    def __init__(self) -> None:
        self._subscriptions: WeakSet[Subscription[T]] = WeakSet()
        self._end: _End | None = None

    def subscribe(self, *first: T) -> Subscription[T]:
        """Return a subscription to `first` and to everything that is published from now on."""
        subscription: Subscription[T] = Subscription()
        for item in first:
            subscription._put(item)
        if self._end is not None:
            subscription._put(self._end)
        else:
            self._subscriptions.add(subscription)
        return subscription

    def publish(self, item: T) -> None:
        for subscription in list(self._subscriptions):
            subscription._put(item)

    def end(self, error: Exception | None = None) -> None:
        """End all subscriptions, now and in future. Only the first call counts."""
        if self._end is None:
            self._end = _End(error)
            for subscription in list(self._subscriptions):
                subscription._put(self._end)
            self._subscriptions.clear()
