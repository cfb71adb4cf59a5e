"""When a process that has ended is started again."""

from __future__ import annotations

from random import Random

from parlour.server.restarts import LONGEST_PAUSE, STABLE_AFTER, Restarts, how_it_ended


def test_a_process_that_keeps_dying_is_started_less_and_less_often() -> None:
    """The first time at once, later after up to 15 seconds."""
    restarts = Restarts(Random(1))
    pauses = [restarts.pause(ran=1.0) for _ in range(10)]
    assert pauses[0] == 0
    assert 0.25 <= pauses[1] <= 0.5
    assert all(LONGEST_PAUSE / 2 <= pause <= LONGEST_PAUSE for pause in pauses[-3:])


def test_a_process_that_ran_for_a_while_is_started_again_at_once() -> None:
    """However often it died before."""
    restarts = Restarts(Random(1))
    for _ in range(5):
        restarts.pause(ran=1.0)
    assert restarts.pause(ran=STABLE_AFTER + 1) == 0


def test_exit_codes_are_explained() -> None:
    """Signals have names, except for the real-time ones."""
    assert how_it_ended(-9) == "was killed by SIGKILL"
    assert how_it_ended(-40) == "was killed by signal 40"
    assert how_it_ended(3) == "exited with code 3"
