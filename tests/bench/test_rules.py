"""The benchmark of the rule engines."""

from __future__ import annotations

import pytest

from bench.naive import REFERENCES
from bench.rules import (
    MOVES,
    DisagreementError,
    Effort,
    compete,
    judge,
    measure,
    playouts,
    rate,
    result,
    scripted,
    table,
    tree,
)
from parlour import games

TINY = Effort(rounds=2, seconds=0, positions=5, games=1)


def test_perft_counts_the_same_on_both_sides() -> None:
    """Four moves, each with three replies, from the initial position of Mapello."""
    fast, naive = tree(games.find("mapello"), REFERENCES["mapello"], 2)

    assert fast() == naive() == 12


def test_both_sides_play_the_same_games() -> None:
    """The scripts of both sides have the same lengths, and their playouts count the same moves."""
    game, reference = games.find("replica"), REFERENCES["replica"]
    scripts = scripted(game, reference, range(2))
    fast, naive = playouts(game, reference, scripts)

    assert [len(script) for script in scripts[0]] == [len(script) for script in scripts[1]]
    assert fast() == naive() == sum(len(script) for script in scripts[0])


def test_work_is_repeated_for_the_given_time() -> None:
    """Without a time the work is done once."""
    calls: list[int] = []

    def work() -> int:
        calls.append(sum(range(100_000)))
        return 1

    assert rate(work) > 0
    assert len(calls) == 1


def test_sides_that_disagree_are_not_compared() -> None:
    """Different numbers of units are an error."""
    with pytest.raises(DisagreementError):
        compete((lambda: 1, lambda: 2), TINY)


def test_a_ratio_is_the_median_of_the_rounds() -> None:
    """Ratios of 2, 10 and 3 have the median 3."""
    line = result("mapello", MOVES, "calls/s", [(20, 10), (100, 10), (30, 10)])

    assert (line.ratio, line.ratio_low, line.ratio_high, line.fast, line.naive) == (3, 2, 10, 30, 10)


def test_targets_are_judged_by_move_generation() -> None:
    """Mapello must be 20 times faster; other measures have no target."""
    lines = [
        result("mapello", MOVES, "calls/s", [(200, 10)]),
        result("mapello", "playouts", "moves/s", [(10, 10)]),
        result("isaac", MOVES, "calls/s", [(90, 10)]),
    ]

    assert [(target.game, target.wanted, target.met) for target in judge(lines)] == [
        ("mapello", 20, True), ("isaac", 10, False),
    ]  # fmt: skip


def test_a_game_is_measured() -> None:
    """Every measure of a game is a row of the table, and all rows are aligned."""
    lines = list(measure("replica", TINY))

    assert [line.measure for line in lines] == ["moves, first call", "moves", "perft 3", "playouts", "playouts"]
    assert len({len(row) for row in table(lines).splitlines()}) == 1
