"""Each player meets each other one, as in the tables of FIDE."""

from __future__ import annotations

from collections import Counter

import pytest

from parlour.tournaments.round_robin import pairings, table

# FIDE Handbook C.05, annex 1.
FOUR = [[(1, 4), (2, 3)], [(4, 3), (1, 2)], [(2, 4), (3, 1)]]
SIX = [
    [(1, 6), (2, 5), (3, 4)],
    [(6, 4), (5, 3), (1, 2)],
    [(2, 6), (3, 1), (4, 5)],
    [(6, 5), (1, 4), (2, 3)],
    [(3, 6), (4, 2), (5, 1)],
]


def test_the_published_tables() -> None:
    """The tables for four and six players are those of the handbook."""
    assert table(4) == FOUR
    assert table(6) == SIX


@pytest.mark.parametrize("players", range(2, 20))
def test_everyone_meets_everyone(players: int) -> None:
    """Each pair meets once, no player is paired twice in a round, and the sides are balanced."""
    rounds = table(players)
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    assert set(met.values()) == {1}
    assert len(met) == players * (players - 1) // 2
    for pairs in rounds:
        paired = [player for pair in pairs for player in pair]
        assert len(paired) == len(set(paired))
    begun = Counter(first for pairs in rounds for first, _ in pairs)
    assert all(abs(2 * begun[player] - (players - 1)) <= 1 for player in range(1, players + 1))


@pytest.mark.parametrize("players", [4, 5])
def test_the_second_cycle_swaps_the_sides(players: int) -> None:
    """After two cycles each pair has met twice, with each of the two beginning once."""
    pairs = Counter(pair for each in table(players, cycles=2) for pair in each)
    assert set(pairs.values()) == {1}
    assert len(pairs) == players * (players - 1)


def test_an_odd_player_has_a_bye() -> None:
    """One of three players rests in each round, and after three rounds there is none left."""
    players = ["a", "b", "c"]
    found = [pairings(players, 1, number) for number in (1, 2, 3)]
    assert sorted(byes for each in found if each for byes in each[1]) == players
    assert pairings(players, 1, 4) is None
