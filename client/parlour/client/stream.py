"""News for whoever listens: any number of listeners, each of whom gets everything from the moment it began."""

from __future__ import annotations

from asyncio import Queue
from typing import Generic, TypeVar
from weakref import WeakSet

T = TypeVar("T")


class _End:
    """The last thing that a listener gets."""

    def __init__(self, fault: Exception | None) -> None:
        self.fault = fault


class Listener(Generic[T]):
    """An async iterator that misses nothing, however slowly it is read. It is forgotten when nobody holds it."""

    def __init__(self) -> None:
        self._items: Queue[T | _End] = Queue()

    def put(self, item: T | _End) -> None:
        self._items.put_nowait(item)

    def __aiter__(self) -> Listener[T]:
        return self

    async def __anext__(self) -> T:
        item = await self._items.get()
        if not isinstance(item, _End):
            return item
        self.put(item)  # whoever asks again hears the same
        if item.fault is not None:
            raise item.fault
        raise StopAsyncIteration


class Stream(Generic[T]):
    """What is told to all listeners. It ends well, or with a fault, which the listeners then raise."""

    def __init__(self) -> None:
        self._listeners: WeakSet[Listener[T]] = WeakSet()
        self._end: _End | None = None

    def listen(self, *first: T) -> Listener[T]:
        """A new listener, which hears `first` at once and then everything that is put from now on."""
        listener: Listener[T] = Listener()
        for item in first:
            listener.put(item)
        if self._end is not None:
            listener.put(self._end)
        else:
            self._listeners.add(listener)
        return listener

    def put(self, item: T) -> None:
        for listener in list(self._listeners):
            listener.put(item)

    def end(self, fault: Exception | None = None) -> None:
        """There is nothing more to tell; the first end counts."""
        if self._end is None:
            self._end = _End(fault)
            for listener in list(self._listeners):
                listener.put(self._end)
            self._listeners.clear()
