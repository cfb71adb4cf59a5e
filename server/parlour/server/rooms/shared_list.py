"""An append-only sequence as a value.

Every event makes a new room state, and the history in it grows by one item. Copying the history each time would make
the hundredth move cost more than the first. So all states of a game share one list, and each knows its length in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")


class SharedList(Struct, Generic[T], frozen=True, array_like=True, eq=False, gc=False):
    """The first `length` of `items`; items after that belong to newer versions."""

    items: list[T]
    length: int

    def append(self, item: T) -> SharedList[T]:
        """Return a list with one more item."""
        length = self.length
        items = self.items
        if len(items) != length:  # another version has already appended to it
            items = items[:length]
        items.append(item)
        return SharedList(items, length + 1)

    def truncate(self, length: int) -> SharedList[T]:
        """Return a copy of the first items."""
        return SharedList(self.items[:length], length)

    def unshared(self) -> SharedList[T]:
        """Return the same list without the items of newer versions."""
        return self if len(self.items) == self.length else self.truncate(self.length)

    @property
    def newest(self) -> T:
        return self.items[self.length - 1]

    def newest_first(self, limit: int) -> Iterator[T]:
        """Return the newest items, at most `limit`."""
        return reversed(self.items[max(0, self.length - limit) : self.length])

    def count(self, item: T) -> int:
        """Return how often an item occurs."""
        return (self.items if len(self.items) == self.length else self.items[: self.length]).count(item)

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[T]:
        return iter(self.items[: self.length])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SharedList) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


def shared_list(*items: T) -> SharedList[T]:
    """Return a list of these items."""
    return SharedList(list(items), len(items))
