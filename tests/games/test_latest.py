"""The latest result about a position is cached, and no other."""

from __future__ import annotations

from threading import Thread

from parlour.games.latest import latest, latest_of


class Totals:
    """Adds, and notes which states it was asked about."""

    def __init__(self) -> None:
        self.asked: list[list[int]] = []

    @latest
    def total(self, state: list[int]) -> int:
        self.asked.append(state)
        return sum(state)


def test_the_same_state_is_worked_out_once() -> None:
    """The cache answers for the same object, not for an equal one."""
    totals, one, two = Totals(), [1, 2], [1, 2]

    assert [totals.total(one), totals.total(one), totals.total(two), totals.total(one)] == [3, 3, 3, 3]
    assert [state is one for state in totals.asked] == [True, False, True]


def test_instances_do_not_share_results() -> None:
    """What one game answered about a state is not the answer of another game."""
    state = [1, 2]
    first, second = Totals(), Totals()

    assert [first.total(state), second.total(state)] == [3, 3]
    assert first.asked == second.asked == [state]


def test_all_results_about_the_latest_state_are_cached() -> None:
    """Each question about it is worked out once; another state starts an empty cache."""
    asked: list[int] = []

    @latest_of
    def item(state: list[int], at: int) -> int:
        asked.append(at)
        return state[at]

    one, two = [1, 2], [3, 4]
    assert [item(one, 0), item(one, 1), item(one, 0), item(two, 0), item(one, 0)] == [1, 2, 1, 3, 1]
    assert asked == [0, 1, 0, 0]


def test_two_threads_do_not_mix_their_results() -> None:
    """A thread that asks about another state meanwhile gets its own answer, and so does the first one."""
    one, two = [1, 2], [3, 4]
    answers: list[int] = []

    @latest_of
    def item(state: list[int], at: int) -> int:
        if state is one and not answers:  # in the middle of the work
            other = Thread(target=lambda: answers.append(item(two, 0)))
            other.start()
            other.join()
        return state[at]

    assert item(one, 0) == 1
    assert [*answers, item(two, 0), item(one, 0)] == [3, 3, 1]
