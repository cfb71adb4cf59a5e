"""A sequence that only grows, as a value.

A room is made anew by every event, and what has happened in it gets longer by one. Copying that each time would make
the hundredth move cost more than the first. So all rooms of one game share a list, and each knows how much is its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")


class Trail(Struct, Generic[T], frozen=True, array_like=True, eq=False, gc=False):
    """The first `length` of `items`; whatever follows there belongs to somebody's future. Use `trail()` to begin."""

    items: list[T]
    length: int

    def grown(self, item: T) -> Trail[T]:
        """This one and one item more."""
        length = self.length
        items = self.items
        if len(items) != length:  # somebody else has gone on from here, in another way
            items = items[:length]
        items.append(item)
        return Trail(items, length + 1)

    def cut(self, length: int) -> Trail[T]:
        """The beginning of it, with a list of its own."""
        return Trail(self.items[:length], length)

    def own(self) -> Trail[T]:
        """The same without anybody's future."""
        return self if len(self.items) == self.length else self.cut(self.length)

    @property
    def newest(self) -> T:
        return self.items[self.length - 1]

    def newest_first(self, most: int) -> Iterator[T]:
        """The newest items, but not more than so many."""
        return reversed(self.items[max(0, self.length - most) : self.length])

    def count(self, item: T) -> int:
        """How often it occurs."""
        return (self.items if len(self.items) == self.length else self.items[: self.length]).count(item)

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[T]:
        return iter(self.items[: self.length])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trail) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


def trail(*items: T) -> Trail[T]:
    """A trail that begins with these."""
    return Trail(list(items), len(items))
