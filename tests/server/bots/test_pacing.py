"""How long a bot may search, and how long it waits before it plays."""

from __future__ import annotations

import pytest

from parlour.games import find
from parlour.protocol.types import Clock, Player, Terms
from parlour.server.bots.pacing import FULL_TIME, MAX_BUDGET, MIN_BUDGET, Pace, share, time_budget
from parlour.server.rooms.events import Participant, Played
from parlour.server.rooms.setup import create
from parlour.server.rooms.state import RoomState, evolve, initial_state

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


def room(clock: Clock, *, alone: bool = False) -> RoomState:
    """Return a room in which both sides have moved once, and the bot is to move."""
    person = Participant("p", Player("Person"), level="1" if alone else None)
    players = (Participant("c", Player("Computer 1", bot=True), level="1"), person)
    event = create(Terms("replica", clock=clock), dict(find("replica").options({})), None, players, NOW)
    begun = initial_state("abcdef", event)
    for _ in range(2):
        begun = evolve(begun, Played(NOW, begun.rules.moves(begun.state)[0]))
    return begun


@pytest.mark.parametrize("clock", CLOCKS, ids=lambda clock: clock.kind)
@pytest.mark.parametrize("spent", [0, 500, 5_000, 9_900, 59_000, 61_000, 74_000])
def test_a_bot_never_loses_on_time(clock: Clock, spent: int) -> None:
    """Whatever is left, search and wait end before the clock does, unless it has run out already."""
    table = room(clock)
    now = NOW + spent
    seconds = time_budget(table, now)
    assert seconds is not None
    wait = Pace().wait(table, now)
    total = {"byoyomi": 75_000, "canadian": 120_000}.get(
        clock.kind, clock.main + (clock.step if clock.kind == "delay" else 0)
    )
    if spent + 300 < total:
        assert spent + (seconds + wait) * 1000 < total


def test_without_a_clock_there_is_no_limit() -> None:
    """Only the level limits the search."""
    assert time_budget(room(Clock()), NOW) is None


def test_bots_play_at_a_human_pace() -> None:
    """A turn lasts a moment against people, and longer when a bot plays itself."""
    pace = Pace(against_people=300, against_itself=1_000)

    assert pace.wait(room(Clock()), NOW) == 0.3
    assert pace.wait(room(Clock(), alone=True), NOW) == 1.0
    assert pace.wait(room(Clock()), NOW + 250) == 0.05
    assert pace.wait(room(Clock()), NOW + 2_000) == 0


def test_jobs_that_wait_shorten_a_search() -> None:
    """The more of them wait for each engine, the shorter, but there is always some time."""
    assert share(None, 0, 2) is None
    assert share(5.0, 0, 2) == 5.0
    assert share(None, 2, 2) == FULL_TIME / 2
    assert share(0.3, 2, 2) == 0.3
    assert share(None, 10_000, 2) == MIN_BUDGET


def test_a_day_is_not_spent_thinking() -> None:
    """With days for a move, a search has a limit too."""
    assert time_budget(room(Clock("days", 86_400_000)), NOW) == MAX_BUDGET
