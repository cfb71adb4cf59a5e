"""Time in which players could not be served is not charged, and no game is lost by it."""

from __future__ import annotations

from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.protocol.messages import RoomEvent
from parlour.protocol.types import Clock
from parlour.server.rooms import clock as clocks
from parlour.server.rooms import view
from parlour.server.rooms.commands import FIRST_MOVE_WITHIN, RETURN_WITHIN, claim_in, deadline, excuse_outages, expire
from parlour.server.rooms.events import Disconnected, Ended, Excused
from parlour.server.rooms.state import RoomState, unpack
from tests.server.rooms.sample_rooms import (
    ADA,
    CHOOSING,
    CLOCKS,
    DAY,
    FISCHER,
    NOON,
    RESIGN,
    SECOND,
    TIMED,
    commanded,
    fold,
    new_room,
    played,
)  # fmt: skip

Outages = list[tuple[int, int]]

clocks_with_time = st.sampled_from(TIMED)


@st.composite
def outages(draw: st.DrawFn) -> Outages:
    """Return some outages around noon, one after the other."""
    steps = draw(st.lists(st.tuples(st.integers(1, 40_000), st.integers(1_500, 40_000)), max_size=6))
    edges = list(accumulate((part for step in steps for part in step), initial=NOON - 50_000))[1:]
    return list(zip(edges[::2], edges[1::2], strict=True))


def running(clock: Clock) -> RoomState:
    """Return a game in which the clock of the first seat has been running since noon."""
    return played(new_room("replica", clock), None, None)


def excused(room: RoomState, times: Outages, now: int) -> RoomState:
    """Return the room after these outages are known."""
    return fold(room, *excuse_outages(room, times, now))


def overlap(times: Outages, since: int) -> int:
    """Return how many milliseconds of the outages come after a time."""
    return sum(max(0, end - max(begin, since)) for begin, end in times)


def used(room: RoomState, now: int) -> int:
    """Return what is charged for the current turn if it ends now."""
    return max(0, now - room.times.since)


@given(clocks_with_time, outages(), st.integers(0, 100_000))
def test_no_outage_is_charged(clock: Clock, times: Outages, later: int) -> None:
    """No moment of an outage is charged, and every other one is, except the time to reconnect."""
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
def test_no_flag_falls_during_an_outage(clock: Clock, times: Outages) -> None:
    """A player with time left when an outage starts still has it after the outage and the time to reconnect."""
    room = running(clock)
    for since, until in times:
        if since > NOON and expire(room, since, 0):
            break
        room = excused(room, [(since, until)], until)
        assert expire(room, max(NOON, until + RETURN_WITHIN), 0) == ()


@given(st.sampled_from(CLOCKS), outages(), st.booleans())
def test_the_same_outage_counts_once(clock: Clock, times: Outages, gone: bool) -> None:
    """It does not matter whether outages become known one by one or together, nor how often."""
    room = fold(running(clock), *([Disconnected(NOON, 1)] if gone else []))
    now = NOON + DAY
    at_once = excused(room, times, now)
    one_by_one = room
    for number, (_, until) in enumerate(times):
        one_by_one = excused(one_by_one, times[: number + 1], max(NOON, until))
        assert excuse_outages(one_by_one, times[: number + 1], now) == ()

    assert excuse_outages(at_once, times, now) == ()
    assert (one_by_one.times, one_by_one.offline_since, one_by_one.turn_began) == (
        at_once.times, at_once.offline_since, at_once.turn_began,
    )  # fmt: skip


@given(clocks_with_time, outages())
def test_a_later_turn_gains_nothing(clock: Clock, times: Outages) -> None:
    """An outage that was over before the turn began does not affect it."""
    began = max([NOON, *(until + RETURN_WITHIN for _, until in times)])
    room = played(new_room("replica", clock), None, None, now=began)

    assert excuse_outages(room, times, began + SECOND) == ()


@given(clocks_with_time, outages())
def test_excuses_are_part_of_a_snapshot(clock: Clock, times: Outages) -> None:
    """A room loaded from a snapshot knows what was excused."""
    room = excused(running(clock), times, NOON + DAY)

    assert unpack(room.pack()) == room


def test_all_nodes_dead_for_a_minute() -> None:
    """A player with 10 seconds left before an outage of 60 has them afterwards, and then the flag falls."""
    room = running(Clock("move", main=10 * SECOND))
    back = NOON + 65 * SECOND
    after = excused(room, [(NOON + 5 * SECOND, back)], back)

    assert expire(room, back) != ()
    assert expire(after, back) == ()
    assert deadline(after) == NOON + 70 * SECOND + RETURN_WITHIN + clocks.LAG_CAP
    (ended,) = expire(after, NOON + 70 * SECOND + RETURN_WITHIN + clocks.LAG_CAP)
    assert isinstance(ended, Ended)
    assert ended.result.reason == "flag"


def test_the_first_move_may_take_longer() -> None:
    """The first move could not be made during an outage, so the game is not aborted."""
    room = new_room("replica", FISCHER)
    outage = (NOON + SECOND, NOON + 10 * FIRST_MOVE_WITHIN)
    after = excused(room, [outage], outage[1])

    assert expire(room, outage[1]) != ()
    assert expire(after, outage[1] + FIRST_MOVE_WITHIN - SECOND - 1) == ()
    assert expire(after, outage[1] + FIRST_MOVE_WITHIN - SECOND + RETURN_WITHIN) != ()


@pytest.mark.parametrize("clock", CLOCKS[:2])
def test_offline_players_may_take_longer_to_return(clock: Clock) -> None:
    """A player that was offline when an outage started has as long to return as without it, on any clock."""
    room = fold(running(clock), Disconnected(NOON, 1))
    outage = (NOON + SECOND, NOON + DAY)
    after = excused(room, [outage], outage[1])

    assert claim_in(room, 0, outage[1]) == 0
    assert claim_in(after, 0, outage[1]) == room.claim_after - SECOND + RETURN_WITHIN


@pytest.mark.parametrize(
    "room",
    [
        CHOOSING,
        commanded(running(FISCHER), ADA, RESIGN),
        running(Clock()),
    ],
    ids=["choosing", "over", "without a clock"],
)
def test_an_outage_is_not_recorded_where_no_time_counts(room: RoomState) -> None:
    """The log of a room in which no clock runs has no outages."""
    assert excuse_outages(room, [(NOON + SECOND, NOON + DAY)], NOON + DAY) == ()


@pytest.mark.parametrize("clock", TIMED)
def test_the_clocks_are_sent_after_an_outage(clock: Clock) -> None:
    """The update has the time left in the room after the excuse."""
    room = running(clock)
    event = Excused(NOON + 9 * SECOND, NOON + 2 * SECOND, NOON + 5 * SECOND)
    after = fold(room, event)
    update, _ = view.update(view.scene(room), after, event)

    assert isinstance(update, RoomEvent)
    assert update.clocks == view.times(after, event.at)
    assert update.clocks != view.times(room, event.at)
