"""A sequence that only grows, as a value."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from parlour.server.rooms.trail import Trail, trail

# What to do next: go on from one of the trails there are with an item, or cut one.
STEPS = st.lists(st.tuples(st.integers(0, 99), st.none() | st.integers(0, 3), st.integers(0, 9)), max_size=30)


@given(STEPS)
def test_every_trail_keeps_what_it_has(steps: list[tuple[int, int | None, int]]) -> None:
    """However many go on from one, or from a part of it, each has its own items and those before."""
    trails: list[tuple[Trail[int], list[int]]] = [(trail(), [])]
    for which, item, length in steps:
        found, items = trails[which % len(trails)]
        if item is None:
            trails.append((found.cut(min(length, len(items))), items[:length]))
        else:
            trails.append((found.grown(item), [*items, item]))
        for each, expected in trails:
            assert list(each) == expected
            assert len(each) == each.length == len(expected)
            assert each.count(2) == expected.count(2)


def test_going_on_from_the_end_copies_nothing() -> None:
    """The next one shares the list; only a second way to go on gets one of its own."""
    first = trail("a")
    second = first.grown("b")
    assert second.items is first.items
    other = first.grown("c")
    assert other.items is not first.items
    assert (list(second), list(other)) == (["a", "b"], ["a", "c"])


def test_a_trail_without_somebodys_future() -> None:
    """`own` drops what others have added; without that it is the trail itself."""
    first = trail(1, 2)
    assert first.own() is first
    first.grown(3)
    assert first.own().items == [1, 2]


def test_the_end_of_a_trail() -> None:
    """`newest` is the last item, `newest_first` the last few from the end, or all if there are fewer."""
    numbers = trail(1, 2, 3)
    numbers.grown(4)
    assert numbers.newest == 3
    assert list(numbers.newest_first(2)) == [3, 2]
    assert list(numbers.newest_first(9)) == [3, 2, 1]


def test_trails_are_compared_by_what_they_have() -> None:
    """Equal items make equal trails with equal hashes, whatever follows in the list behind them."""
    first = trail(1)
    first.grown(2)
    assert first == trail(1)
    assert hash(first) == hash(trail(1))
    assert first != trail(1, 2)
    assert first != (1,)
