"""The order of the players."""

from __future__ import annotations

from itertools import pairwise

from parlour.tournaments.standings import standings
from parlour.tournaments.state import Match
from tests.tournaments.playing import Played


def stronger_wins(match: Match) -> str:
    """Let the player with the smaller number win."""
    return min(match.first, match.second)


def test_points_come_first() -> None:
    """In a round robin in which the stronger player always wins, the order is that of the strength."""
    state = Played(4, rating=lambda number: 1500 + number).play(stronger_wins)
    rows = standings(state)
    assert [row.player for row in rows] == ["p1", "p2", "p3", "p4"]
    assert [row.points for row in rows] == [3, 2, 1, 0]
    assert [row.buchholz for row in rows] == [3, 4, 5, 6]  # the points of the opponents
    assert [row.sonneborn_berger for row in rows] == [3, 1, 0, 0]  # only of those who were beaten


def test_direct_encounter_breaks_a_tie() -> None:
    """Of two players with equal points the one who has won their match is placed higher, against the seeding."""
    results = {
        frozenset(("p1", "p2")): "p2",
        frozenset(("p1", "p3")): "p1",
        frozenset(("p1", "p4")): "p1",
        frozenset(("p2", "p3")): "p3",
        frozenset(("p2", "p4")): "p2",
        frozenset(("p3", "p4")): "p4",
    }
    state = Played(4).play(lambda match: results[frozenset((match.first, match.second))])
    rows = standings(state)
    assert [(row.player, row.points) for row in rows[:2]] == [("p2", 2), ("p1", 2)]


def test_buchholz_decides_in_a_swiss_tournament() -> None:
    """Players with equal points who have not met are ordered by the points of their opponents."""
    rows = standings(Played(8, format="swiss").play(stronger_wins))
    for one, two in pairwise(rows):
        assert (one.points, one.buchholz) >= (two.points, two.buchholz)


def test_the_performance_explains_the_results() -> None:
    """Half the points against an opponent are that player's rating; a win is 400 more, and a loss 400 less."""
    even = standings(Played(2, rating=lambda _: 1600).play(lambda _: None))
    assert [row.performance for row in even] == [1600, 1600]
    decided = standings(Played(2, rating=lambda _: 1600).play(stronger_wins))
    assert [row.performance for row in decided] == [2000, 1200]
    unrated = standings(Played(2, rating=lambda _: 0).play(stronger_wins))
    assert [row.performance for row in unrated] == [None, None]


def test_a_knockout_is_ordered_by_the_stage_reached() -> None:
    """The finalists come first, then the winner and the loser of the match for the third place."""
    rows = standings(Played(8, format="knockout", third_place=True).play(stronger_wins))
    assert [row.player for row in rows[:4]] == ["p1", "p2", "p3", "p4"]
    assert [row.stage for row in rows] == [6, 4, 3, 2, 0, 0, 0, 0]


def test_a_tournament_that_has_not_begun() -> None:
    """The players are listed in the order of the seeding."""
    assert [row.player for row in standings(Played(3).state)] == ["p1", "p2", "p3"]
