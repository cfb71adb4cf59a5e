"""How long the computer may think, and how long it waits."""

from __future__ import annotations

from functools import reduce

import pytest

from parlour.games import find
from parlour.protocol.tables import Clock, Terms
from parlour.server.computer.pace import Pace, thinking_time
from parlour.server.rooms.core import Room, created, evolve
from parlour.server.rooms.events import Created, Played
from parlour.server.rooms.opening import Guest, opening

NOW = 1_000_000
CLOCKS = [
    Clock("move", 10_000),
    Clock("fischer", 60_000, 1_000),
    Clock("bronstein", 60_000, 1_000),
    Clock("delay", 60_000, 1_000),
    Clock("byoyomi", 60_000, 5_000, 3),
    Clock("canadian", 60_000, 60_000, 10),
    Clock("days", 86_400_000),
]


def room(clock: Clock, *, alone: bool = False) -> Room:
    """Both sides have moved once, and it is the computer's turn."""
    person = Guest("p", "Person", level="1" if alone else None)
    guests = [Guest("c", "Computer 1", bot=True, level="1"), person]
    first, *rest = opening(Terms("replica", clock=clock), dict(find("replica").options({})), None, guests, NOW)
    assert isinstance(first, Created)
    begun = reduce(evolve, rest, created("abcdef", first))
    for _ in range(2):
        begun = evolve(begun, Played(NOW, begun.rules.moves(begun.state)[0]))
    return begun


@pytest.mark.parametrize("clock", CLOCKS, ids=lambda clock: clock.kind)
@pytest.mark.parametrize("spent", [0, 500, 5_000, 9_900, 59_000, 61_000, 74_000])
def test_the_flag_never_falls_over_a_thought(clock: Clock, spent: int) -> None:
    """Whatever is left, the thought and the wait end before the time does, unless it is over anyway."""
    table = room(clock)
    now = NOW + spent
    seconds = thinking_time(table, now)
    assert seconds is not None
    wait = Pace().wait(table, now)
    total = {"byoyomi": 75_000, "canadian": 120_000}.get(
        clock.kind, clock.main + (clock.step if clock.kind == "delay" else 0)
    )
    if spent + 300 < total:
        assert spent + (seconds + wait) * 1000 < total


def test_without_a_clock_there_is_no_hurry() -> None:
    """The level alone says how long it thinks."""
    assert thinking_time(room(Clock()), NOW) is None


def test_nobody_is_rushed() -> None:
    """A turn lasts a moment against people, and longer where the computer plays itself."""
    pace = Pace(against_people=300, by_itself=1_000)

    assert pace.wait(room(Clock()), NOW) == 0.3
    assert pace.wait(room(Clock(), alone=True), NOW) == 1.0
    assert pace.wait(room(Clock()), NOW + 250) == 0.05
    assert pace.wait(room(Clock()), NOW + 2_000) == 0
