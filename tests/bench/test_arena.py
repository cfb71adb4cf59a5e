"""The benchmark that holds an arena while nodes are killed."""

from __future__ import annotations

import pytest

from bench.arena import Outcome, idle_times, pairing_faults, report
from parlour.tournaments.events import Event, GameEnded, RoundStarted

STARTED = RoundStarted(0, 1, (("a", "b"), ("c", "d")))
ENDED = [GameEnded(0, 1, match, 0, None) for match in (0, 1)]


def test_every_pairing_is_played_once() -> None:
    """Nothing is wrong with a log in which each game ends once."""
    assert pairing_faults([STARTED, *ENDED]) == []


@pytest.mark.parametrize(
    "events",
    [
        [STARTED, ENDED[0]],  # never finished
        [STARTED, *ENDED, ENDED[0]],  # twice
        [STARTED, RoundStarted(0, 2, (("a", "c"),)), *ENDED],  # in two games
        [ENDED[0]],  # without having begun
    ],
)
def test_what_is_wrong_is_found(events: list[Event]) -> None:
    """Lost, doubled and overlapping games are reported."""
    assert pairing_faults(events)


def test_the_report() -> None:
    """It says how long players waited."""
    outcome = Outcome(12, 1, 3, [0.5, 1.0, 2.5], [], [])
    assert report(outcome) == (
        "12 games, 1 of them without a move, 3 nodes killed."
        " From idle to paired: median 1.00 s, p99 2.50 s, longest 2.50 s; until the player was told: never."
    )


def test_how_long_players_were_free() -> None:
    """From the end of a game to the next pairing, for each player who is paired again."""
    ended = GameEnded(1_000, 1, 0, 0, None)
    assert idle_times([STARTED, ended, RoundStarted(2_500, 2, (("a", "b"),))]) == [1.5, 1.5]
