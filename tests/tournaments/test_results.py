"""What each player has achieved in each round."""

from __future__ import annotations

import pytest

from parlour.tournaments import commands
from parlour.tournaments.results import Outcome, all_outcomes, outcomes
from tests.tournaments.playing import NOW, Played


def test_wins_draws_losses_and_byes() -> None:
    """A bye is worth a match in a Swiss tournament, and nothing in a round robin, where each player has one."""
    swiss = Played(3, format="swiss")
    swiss.start_round()
    swiss.play_round(lambda _: None)
    assert outcomes(swiss.state, "p1") == [Outcome(0.5, "=", 0.5, "p2", True)]
    assert outcomes(swiss.state, "p2") == [Outcome(0.5, "=", 0.5, "p1", False)]
    assert outcomes(swiss.state, "p3") == [Outcome(1.0, "U")]

    round_robin = Played(3)
    round_robin.start_round()
    assert outcomes(round_robin.state, "p1") == [Outcome(0.0, "Z")]


def test_a_match_counts_once() -> None:
    """Three games of one match are one point for the player who has won two of them."""
    played = Played(2, games=3)
    state = played.play()
    assert [each.points for each in outcomes(state, "p1")] == [1.0]
    assert [each.games for each in outcomes(state, "p1")] == [3.0]
    assert outcomes(state, "p2")[0].code == "0"


@pytest.mark.parametrize(("player", "code"), [("p1", "+"), ("p2", "-")])
def test_forfeits(player: str, code: str) -> None:
    """A match that was not played is marked."""
    played = Played(2)
    played.start_round()
    played.apply(commands.report(played.state, 1, 0, 0, "p1", NOW, forfeit=True))
    (outcome,) = outcomes(played.state, player)
    assert outcome.code == code
    assert not outcome.is_played


def test_a_match_that_has_not_begun_is_worth_nothing() -> None:
    """Neither player has points before the first result."""
    played = Played(2)
    played.start_round()
    assert [outcomes(played.state, player)[0].points for player in ("p1", "p2")] == [0, 0]


@pytest.mark.parametrize("kind", ["swiss", "round_robin", "knockout", "simul"])
def test_all_players_at_once(kind: str) -> None:
    """One pass over the matches gives what is found for each player."""
    played = Played(7, format=kind)
    played.play(lambda match: None if match.first == "p3" else match.second)
    found = all_outcomes(played.state)
    assert found == {entry.player: outcomes(played.state, entry.player) for entry in played.state.entries}
    assert len(found) == 7
