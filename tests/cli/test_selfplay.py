"""Games between levels of the computer."""

from __future__ import annotations

from parlour.bots.contest import Played
from parlour.bots.elo import Tally
from parlour.cli.selfplay import MatchResult, Pairing, pairings, play, play_all
from parlour.games import find


def pairing(number: int) -> Pairing:
    return Pairing("replica", {}, "greedy", "random", number, seed=2)


def test_equal_pairings_give_equal_games() -> None:
    """Only the thinking time differs."""
    one, two = play(pairing(3)), play(pairing(3))

    assert (one.winner, one.reason, one.plies, one.turns) == (two.winner, two.reason, two.plies, two.turns)


def test_a_time_factor_belongs_to_its_level() -> None:
    """The factor applies to the level, whichever seat it has."""
    for number in (0, 1):
        result = MatchResult()
        todo = Pairing("replica", {}, "7", "7", number, seed=2, scales=(0.01, 0.2))
        result.add(todo, play(todo))

        small, large = result.seconds_per_move
        assert large > 2 * small


def test_wins_are_counted_for_the_level_not_the_seat() -> None:
    """In games with an odd number the first level has the second seat."""
    result = MatchResult()
    result.add(pairing(0), Played(0, "corner", 10, (1.0, 2.0), (5, 5)))
    result.add(pairing(1), Played(0, "corner", 10, (1.0, 2.0), (5, 5)))
    result.add(pairing(2), Played(None, "draw", 10, (1.0, 2.0), (5, 5)))

    assert result.tally == Tally(wins=1, losses=1, draws=1)
    assert result.seconds == (4.0, 5.0)
    assert result.turns == (15, 15)


def test_several_processes_play_all_games() -> None:
    """Each game is played once, in any order."""
    options = find("mapello").options({})
    todo = pairings("mapello", options, "random", "greedy", 5, seed=1, scales=(1.0, 1.0))

    done = [each.number for each, _ in play_all(todo, 2)]

    assert sorted(done) == [0, 1, 2, 3, 4]
