"""The newest answer about a position is kept, and no other."""

from __future__ import annotations

from parlour.games.latest import latest


def test_the_same_state_is_worked_out_once() -> None:
    """The same object, not an equal one, is answered from memory."""
    asked: list[list[int]] = []

    @latest
    def total(state: list[int]) -> int:
        asked.append(state)
        return sum(state)

    one, two = [1, 2], [1, 2]
    assert [total(one), total(one), total(two), total(one)] == [3, 3, 3, 3]
    assert [state is one for state in asked] == [True, False, True]
