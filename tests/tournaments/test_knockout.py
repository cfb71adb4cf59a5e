"""The winner of each match goes on, and the best two meet in the final."""

from __future__ import annotations

import pytest

from parlour.tournaments.knockout import bracket, rounds, winner
from parlour.tournaments.state import Match
from tests.tournaments.playing import Played


def test_the_best_meet_last() -> None:
    """In the bracket of eight, the first and the second seed are in different halves, and so on."""
    assert bracket(8) == [1, 8, 4, 5, 2, 7, 3, 6]


@pytest.mark.parametrize(("players", "expected"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4)])
def test_the_number_of_rounds(players: int, expected: int) -> None:
    """Each round halves the field."""
    assert rounds(players) == expected


@pytest.mark.parametrize("players", range(2, 18))
def test_everyone_but_the_winner_loses_once(players: int) -> None:
    """With n players there are n - 1 matches; the strongest have the byes, only in the first round."""
    played = Played(players, format="knockout")
    state = played.play()
    matches = [match for each in state.rounds for match in each.matches]
    losers = [match.opponent(winner(state, match)) for match in matches]
    assert len(matches) == len(set(losers)) == players - 1
    assert len(state.rounds) == rounds(players)
    byes = [player for each in state.rounds for player in each.byes]
    assert set(byes) == {f"p{number}" for number in range(1, 2 ** rounds(players) - players + 1)}
    assert all(not each.byes for each in state.rounds[1:])


def test_the_third_place_is_played_for() -> None:
    """The losers of the semifinals meet next to the final."""
    state = Played(4, format="knockout", third_place=True).play()
    assert [(match.first, match.second) for match in state.rounds[-1].matches] == [("p1", "p2"), ("p4", "p3")]


def test_a_drawn_match_is_prolonged_once() -> None:
    """Two more games are played; if they are drawn as well, the player who was seeded higher goes on."""
    state = Played(2, format="knockout").play(lambda _: None)
    (match,) = state.rounds[0].matches
    assert match.winners == (None, None, None)
    assert winner(state, Match("p2", "p1", match.winners)) == "p1"


def test_a_decided_match_ends_early() -> None:
    """Of a match of four games only three are played if the first player wins them all."""
    state = Played(2, format="knockout", games=4).play(lambda _: "p1")
    assert state.rounds[0].matches[0].winners == ("p1", "p1", "p1")
