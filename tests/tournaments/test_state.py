"""A tournament follows from its log alone."""

from __future__ import annotations

import pytest

from parlour.tournaments import commands
from parlour.tournaments.events import Created
from parlour.tournaments.state import Match, evolve, fold, is_over
from tests.tournaments.playing import NOW, Played, settings


@pytest.mark.parametrize("kind", ["round_robin", "swiss", "knockout"])
def test_the_fold_of_the_log_is_the_tournament(kind: str) -> None:
    """At every point, the log up to there gives the state at that point."""
    played = Played(5, format=kind)
    played.start_round()
    assert fold(played.log) == played.state
    played.play_round()
    assert fold(played.log) == played.state
    assert fold(played.log[:1]).status == "open"
    played.play()
    assert fold(played.log) == played.state
    assert played.state.is_finished


def test_a_log_begins_with_its_creation() -> None:
    """Anything else is an error of the caller."""
    played = Played(2)
    with pytest.raises(ValueError, match="begins"):
        fold(played.log[1:])
    with pytest.raises(ValueError, match="once"):
        evolve(played.state, Created(NOW, settings()))


def test_the_points_of_a_match() -> None:
    """A win is one point and a draw half a point; a game that neither player came to play is none."""
    match = Match("a", "b", ("a", None, None, "b"), forfeits=(2,))
    assert (match.points("a"), match.points("b")) == (1.5, 1.5)
    assert match.leader is None
    assert match.opponent("a") == "b"


@pytest.mark.parametrize(
    ("games", "winners", "expected"),
    [
        (1, (), False),
        (1, ("a",), True),
        (1, (None,), False),
        (1, (None, "a"), False),  # the other side is still to be played
        (1, (None, "a", "b"), True),
        (2, ("a", "b"), False),
        (2, ("a", "b", None, "b"), True),
        (3, ("a", "a"), True),
        (4, ("a", None, "a"), True),
        (4, ("a", None, None), False),
    ],
)
def test_when_a_match_of_a_knockout_is_over(games: int, winners: tuple[str | None, ...], expected: bool) -> None:
    """It is over once the other player cannot draw level any more, and after one pair of additional games."""
    assert is_over(settings(format="knockout", games=games), Match("a", "b", winners)) is expected


def test_seeding_is_by_rating() -> None:
    """Of two equal players the one who entered first is seeded higher."""
    played = Played(4, rating=lambda number: 1500 + 100 * (number == 3))
    assert [entry.player for entry in played.state.seeding] == ["p3", "p1", "p2", "p4"]
    played.apply(commands.withdraw(played.state, "p1", NOW))
    assert played.state.active == ["p3", "p2", "p4"]
