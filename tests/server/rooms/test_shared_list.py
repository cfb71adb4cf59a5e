"""An append-only sequence as a value."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from parlour.server.rooms.shared_list import SharedList, shared_list

# What to do next: go on from one of the versions there are with an item, or cut one.
STEPS = st.lists(st.tuples(st.integers(0, 99), st.none() | st.integers(0, 3), st.integers(0, 9)), max_size=30)


@given(STEPS)
def test_every_version_keeps_its_items(steps: list[tuple[int, int | None, int]]) -> None:
    """However many lists continue from one, or from a part of it, each has its own items and those before."""
    versions: list[tuple[SharedList[int], list[int]]] = [(shared_list(), [])]
    for which, item, length in steps:
        found, items = versions[which % len(versions)]
        if item is None:
            versions.append((found.truncate(min(length, len(items))), items[:length]))
        else:
            versions.append((found.append(item), [*items, item]))
        for each, expected in versions:
            assert list(each) == expected
            assert len(each) == each.length == len(expected)
            assert each.count(2) == expected.count(2)


def test_appending_at_the_end_copies_nothing() -> None:
    """The first continuation shares the list; only a second one gets a copy."""
    first = shared_list("a")
    second = first.append("b")
    assert second.items is first.items
    other = first.append("c")
    assert other.items is not first.items
    assert (list(second), list(other)) == (["a", "b"], ["a", "c"])


def test_unshared_drops_newer_items() -> None:
    """`unshared` drops what other versions have appended; without that it is the list itself."""
    first = shared_list(1, 2)
    assert first.unshared() is first
    first.append(3)
    assert first.unshared().items == [1, 2]


def test_the_newest_items() -> None:
    """`newest` is the last item, `newest_first` the last few from the end, or all if there are fewer."""
    numbers = shared_list(1, 2, 3)
    numbers.append(4)
    assert numbers.newest == 3
    assert list(numbers.newest_first(2)) == [3, 2]
    assert list(numbers.newest_first(9)) == [3, 2, 1]


def test_lists_are_compared_by_their_items() -> None:
    """Equal items make equal lists with equal hashes, whatever newer versions have."""
    first = shared_list(1)
    first.append(2)
    assert first == shared_list(1)
    assert hash(first) == hash(shared_list(1))
    assert first != shared_list(1, 2)
    assert first != (1,)
