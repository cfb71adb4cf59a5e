"""Time in which nobody could be served: nobody is charged with it, and nobody loses by it."""

from __future__ import annotations

from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.protocol.messages import Happened
from parlour.protocol.tables import Clock
from parlour.server.rooms import clock as clocks
from parlour.server.rooms import presenter
from parlour.server.rooms.core import Room, unpack
from parlour.server.rooms.decide import FIRST_MOVE_WITHIN, RETURN_WITHIN, claim_in, deadline, due, excuse
from parlour.server.rooms.events import Ended, Excused, Gone
from tests.server.rooms.tables import ADA, CLOCKS, DAY, FISCHER, NOON, RESIGN, SECOND, TIMED, fold, played, table, told

Outages = list[tuple[int, int]]

clocks_with_time = st.sampled_from(TIMED)


@st.composite
def outages(draw: st.DrawFn) -> Outages:
    """Some outages around noon, one after the other."""
    steps = draw(st.lists(st.tuples(st.integers(1, 40_000), st.integers(1_500, 40_000)), max_size=6))
    edges = list(accumulate((part for step in steps for part in step), initial=NOON - 50_000))[1:]
    return list(zip(edges[::2], edges[1::2], strict=True))


def running(clock: Clock) -> Room:
    """A game in which the clock of the first seat runs since noon."""
    return played(table("replica", clock), None, None)


def excused(room: Room, times: Outages, now: int) -> Room:
    """The room after it has heard of these outages."""
    return fold(room, *excuse(room, times, now))


def overlap(times: Outages, since: int) -> int:
    """How many milliseconds of the outages come after that moment."""
    return sum(max(0, end - max(begin, since)) for begin, end in times)


def used(room: Room, now: int) -> int:
    """What is charged for the present turn, if it ends now."""
    return max(0, now - room.times.since)


@given(clocks_with_time, outages(), st.integers(0, 100_000))
def test_no_outage_is_charged(clock: Clock, times: Outages, later: int) -> None:
    """The mover pays for no moment of an outage, and for every other one but those that it takes to come back."""
    now = max([NOON, *(until for _, until in times)]) + later
    since_noon = [outage for outage in times if outage[1] + RETURN_WITHIN > NOON]
    charged = used(excused(running(clock), times, now), now)
    most = now - NOON - overlap(times, NOON)

    assert max(0, most - RETURN_WITHIN * len(since_noon)) <= charged <= most
    if all(since > NOON for since, _ in since_noon) and all(
        after[0] - before[1] >= RETURN_WITHIN for before, after in pairwise([*since_noon, (now, now)])
    ):
        assert charged == most - RETURN_WITHIN * len(since_noon)


@given(clocks_with_time, outages())
def test_no_flag_falls_by_an_outage(clock: Clock, times: Outages) -> None:
    """Who has time left when an outage begins has it still when it is over and there was time to come back."""
    room = running(clock)
    for since, until in times:
        if since > NOON and due(room, since, 0):
            break
        room = excused(room, [(since, until)], until)
        assert due(room, max(NOON, until + RETURN_WITHIN), 0) == ()


@given(st.sampled_from(CLOCKS), outages(), st.booleans())
def test_the_same_outage_counts_once(clock: Clock, times: Outages, gone: bool) -> None:
    """It does not matter whether a room hears of outages one by one or of all, nor how often."""
    room = fold(running(clock), *([Gone(NOON, 1)] if gone else []))
    now = NOON + DAY
    at_once = excused(room, times, now)
    one_by_one = room
    for number, (_, until) in enumerate(times):
        one_by_one = excused(one_by_one, times[: number + 1], max(NOON, until))
        assert excuse(one_by_one, times[: number + 1], now) == ()

    assert excuse(at_once, times, now) == ()
    assert (one_by_one.times, one_by_one.chairs, one_by_one.turn_began) == (
        at_once.times, at_once.chairs, at_once.turn_began,
    )  # fmt: skip


@given(clocks_with_time, outages())
def test_a_later_turn_is_not_given_anything(clock: Clock, times: Outages) -> None:
    """An outage after which everybody could come back before the turn began is no concern of it."""
    began = max([NOON, *(until + RETURN_WITHIN for _, until in times)])
    room = played(table("replica", clock), None, None, now=began)

    assert excuse(room, times, began + SECOND) == ()


@given(clocks_with_time, outages())
def test_excuses_are_part_of_the_room(clock: Clock, times: Outages) -> None:
    """A room that is loaded from a snapshot knows what was excused."""
    room = excused(running(clock), times, NOON + DAY)

    assert unpack(room.pack()) == room


def test_all_nodes_dead_for_a_minute() -> None:
    """With 10 seconds left, after an outage of 60: the mover has them again, and then his flag falls."""
    room = running(Clock("move", main=10 * SECOND))
    back = NOON + 65 * SECOND
    after = excused(room, [(NOON + 5 * SECOND, back)], back)

    assert due(room, back) != ()
    assert due(after, back) == ()
    assert deadline(after) == NOON + 70 * SECOND + RETURN_WITHIN + clocks.LAG_CAP
    (ended,) = due(after, NOON + 70 * SECOND + RETURN_WITHIN + clocks.LAG_CAP)
    assert isinstance(ended, Ended)
    assert ended.result.reason == "flag"


def test_a_game_that_has_not_begun_waits_longer() -> None:
    """Nobody could make the first move during an outage, so the game is not called off by it."""
    room = table("replica", FISCHER)
    outage = (NOON + SECOND, NOON + 10 * FIRST_MOVE_WITHIN)
    after = excused(room, [outage], outage[1])

    assert due(room, outage[1]) != ()
    assert due(after, outage[1] + FIRST_MOVE_WITHIN - SECOND - 1) == ()
    assert due(after, outage[1] + FIRST_MOVE_WITHIN - SECOND + RETURN_WITHIN) != ()


@pytest.mark.parametrize("clock", CLOCKS[:2])
def test_nobody_could_come_back(clock: Clock) -> None:
    """Who was gone when an outage began has as long to come back as without it, on any clock."""
    room = fold(running(clock), Gone(NOON, 1))
    outage = (NOON + SECOND, NOON + DAY)
    after = excused(room, [outage], outage[1])

    assert claim_in(room, 0, outage[1]) == 0
    assert claim_in(after, 0, outage[1]) == room.claim_after - SECOND + RETURN_WITHIN


@pytest.mark.parametrize(
    "room",
    [
        table("replica", FISCHER, (ADA, None)),
        told(running(FISCHER), ADA, RESIGN),
        running(Clock()),
    ],
    ids=["waiting", "over", "without a clock"],
)
def test_where_no_time_counts_nothing_is_noted(room: Room) -> None:
    """The log of a room in which nobody's time runs tells of no outage."""
    assert excuse(room, [(NOON + SECOND, NOON + DAY)], NOON + DAY) == ()


@pytest.mark.parametrize("clock", TIMED)
def test_everybody_is_told_the_clocks(clock: Clock) -> None:
    """What is left is that of the room as it is now."""
    room = running(clock)
    event = Excused(NOON + 9 * SECOND, NOON + 2 * SECOND, NOON + 5 * SECOND)
    after = fold(room, event)
    update, _ = presenter.update(presenter.scene(room), after, event)

    assert isinstance(update, Happened)
    assert update.clocks == presenter.times(after, event.at)
    assert update.clocks != presenter.times(room, event.at)
