"""Many games between levels."""

from __future__ import annotations

from parlour.bots.contest import Played
from parlour.bots.elo import Tally
from parlour.cli.contests import Meeting, Standing, meetings, play, played
from parlour.games import find


def meeting(number: int) -> Meeting:
    return Meeting("replica", {}, "greedy", "random", number, seed=2)


def test_the_same_meeting_gives_the_same_game() -> None:
    """Nothing but the thinking time differs."""
    one, two = play(meeting(3)), play(meeting(3))

    assert (one.winner, one.reason, one.plies, one.turns) == (two.winner, two.reason, two.plies, two.turns)


def test_a_share_of_time_goes_with_its_level() -> None:
    """Whichever seat the level has."""
    for number in (0, 1):
        standing = Standing()
        todo = Meeting("replica", {}, "7", "7", number, seed=2, scales=(0.01, 0.2))
        standing.add(todo, play(todo))

        small, large = standing.seconds_per_move
        assert large > 2 * small


def test_wins_are_counted_for_the_level_not_the_seat() -> None:
    """In games of odd number the first level has the second seat."""
    standing = Standing()
    standing.add(meeting(0), Played(0, "corner", 10, (1.0, 2.0), (5, 5)))
    standing.add(meeting(1), Played(0, "corner", 10, (1.0, 2.0), (5, 5)))
    standing.add(meeting(2), Played(None, "draw", 10, (1.0, 2.0), (5, 5)))

    assert standing.tally == Tally(wins=1, losses=1, draws=1)
    assert standing.seconds == (4.0, 5.0)
    assert standing.turns == (15, 15)


def test_all_games_are_played_by_several_processes() -> None:
    """Each once, whatever the order."""
    options = find("mapello").options({})
    todo = meetings("mapello", options, "random", "greedy", 5, seed=1, scales=(1.0, 1.0))

    done = [each.number for each, _ in played(todo, 2)]

    assert sorted(done) == [0, 1, 2, 3, 4]
