"""The newest answer about a position is kept, and no other."""

from __future__ import annotations

from parlour.games.latest import latest, latest_of


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


def test_all_answers_about_the_newest_state_are_kept() -> None:
    """Each question about it is answered once; another state begins anew."""
    asked: list[int] = []

    @latest_of
    def item(state: list[int], at: int) -> int:
        asked.append(at)
        return state[at]

    one, two = [1, 2], [3, 4]
    assert [item(one, 0), item(one, 1), item(one, 0), item(two, 0), item(one, 0)] == [1, 2, 1, 3, 1]
    assert asked == [0, 1, 0, 0]
