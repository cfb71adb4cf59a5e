"""Levels of the computer play a tournament, and continue one that was interrupted."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from parlour.cli.computer_cup import ComputerCup
from parlour.protocol.errors import Refusal
from parlour.protocol.types import Terms
from parlour.tournaments.events import Event, GameEnded
from parlour.tournaments.log_file import faults
from parlour.tournaments.settings import ComputerPlay
from parlour.tournaments.state import fold
from tests.tournaments.playing import NOW, settings

SETTINGS = settings(terms=Terms("mapello"), format="knockout", games=2, third_place=True, computer=ComputerPlay(seed=5))


class Interrupted(Exception):
    """As by Ctrl-C."""


def cup(known: list[Event], events: list[Event], stop_after: int = 1000) -> ComputerCup:
    """Begin or continue a cup of weak levels; its recorder raises after some events."""

    def record(event: Event) -> None:
        if len(events) == stop_after:
            raise Interrupted
        events.append(event)

    one = ComputerCup(SETTINGS, known, record, lambda: NOW, processes=1)
    for level in ("random", "greedy", "1", "2"):
        one.enter(level, level.title(), 0)
    return one


def test_a_cup_is_played_to_the_end() -> None:
    """The log is valid, and equal seeds give equal logs."""
    logs: list[list[Event]] = [[], []]
    for events in logs:
        assert list(cup([], events).play()) == [1, 2]
        assert fold(events).is_finished
        assert list(faults(events)) == []
    assert logs[0] == logs[1]


def test_an_interrupted_cup_is_continued() -> None:
    """Whatever was recorded before is kept, and the whole log is that of a cup without an interruption."""
    whole: list[Event] = []
    list(cup([], whole).play())
    in_a_match = next(index for index, event in enumerate(whole) if isinstance(event, GameEnded)) + 1
    for stop_after in (3, in_a_match, len(whole) - 1):
        events: list[Event] = []
        with pytest.raises(Interrupted):
            list(cup([], events, stop_after).play())
        list(cup(list(events), events).play())
        assert sorted(map(repr, events)) == sorted(map(repr, whole))
        assert list(faults(events)) == []


def test_a_log_with_other_settings_is_refused() -> None:
    """Another seed would mix the games of two tournaments."""
    events: list[Event] = []
    cup([], events)
    with pytest.raises(Refusal) as caught:
        ComputerCup(replace(SETTINGS, computer=ComputerPlay(seed=6)), events, events.append, lambda: NOW, 1)
    assert caught.value.code == "tournament_invalid"
