"""Time in which players could not be served is not charged, and no game is lost by it."""

from __future__ import annotations

from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.protocol.messages import RoomEvent
from parlour.protocol.types import Clock
from parlour.server.outages import UNKNOWN_NODES, Outage, SeatNode, SeatNodes
from parlour.server.rooms import view
from parlour.server.rooms.commands import (
    FIRST_MOVE_WITHIN,
    RETURN_WITHIN,
    Events,
    claim_in,
    current_outages,
    deadline,
    excuse_outages,
    expire,
)  # fmt: skip
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

Outages = list[Outage]

clocks_with_time = st.sampled_from(TIMED)


@st.composite
def outages(draw: st.DrawFn) -> Outages:
    """Return some outages around noon, one after the other."""
    steps = draw(st.lists(st.tuples(st.integers(1, 40_000), st.integers(1_500, 40_000)), max_size=6))
    edges = list(accumulate((part for step in steps for part in step), initial=NOON - 50_000))[1:]
    return [Outage(since, until) for since, until in zip(edges[::2], edges[1::2], strict=True)]


def running(clock: Clock) -> RoomState:
    """Return a game in which the clock of the first seat has been running since noon."""
    return played(new_room("replica", clock), None, None)


def excused(room: RoomState, times: Outages, now: int) -> RoomState:
    """Return the room after these outages are known."""
    return fold(room, *excuses(room, times, now))


def excuses(room: RoomState, times: Outages, now: int, nodes: SeatNodes = UNKNOWN_NODES) -> Events:
    """Return what is recorded when these outages are known."""
    return excuse_outages(room, current_outages(room, times), nodes, now)


def overlap(times: Outages, since: int) -> int:
    """Return how many milliseconds of the outages come after a time."""
    return sum(max(0, one.until - max(one.since, since)) for one in times)


def used(room: RoomState, now: int) -> int:
    """Return what is charged for the current turn if it ends now."""
    return max(0, now - room.times.since)


@given(clocks_with_time, outages(), st.integers(0, 100_000))
def test_no_outage_is_charged(clock: Clock, times: Outages, later: int) -> None:
    """No moment of an outage is charged, and every other one is, except the time to reconnect."""
    now = max([NOON, *(one.until for one in times)]) + later
    since_noon = [outage for outage in times if outage.until + RETURN_WITHIN > NOON]
    charged = used(excused(running(clock), times, now), now)
    most = now - NOON - overlap(times, NOON)

    assert max(0, most - RETURN_WITHIN * len(since_noon)) <= charged <= most
    if all(one.since > NOON for one in since_noon) and all(
        after.since - before.until >= RETURN_WITHIN for before, after in pairwise([*since_noon, Outage(now, now)])
    ):
        assert charged == most - RETURN_WITHIN * len(since_noon)


@given(clocks_with_time, outages())
def test_no_flag_falls_during_an_outage(clock: Clock, times: Outages) -> None:
    """A player with time left when an outage starts still has it after the outage and the time to reconnect."""
    room = running(clock)
    for outage in times:
        if outage.since > NOON and expire(room, outage.since, 0):
            break
        room = excused(room, [outage], outage.until)
        assert expire(room, max(NOON, outage.until + RETURN_WITHIN), 0) == ()


@given(st.sampled_from(CLOCKS), outages(), st.booleans())
def test_the_same_outage_counts_once(clock: Clock, times: Outages, gone: bool) -> None:
    """It does not matter whether outages become known one by one or together, nor how often."""
    room = fold(running(clock), *([Disconnected(NOON, 1)] if gone else []))
    now = NOON + DAY
    at_once = excused(room, times, now)
    one_by_one = room
    for number, outage in enumerate(times):
        one_by_one = excused(one_by_one, times[: number + 1], max(NOON, outage.until))
        assert not excuses(one_by_one, times[: number + 1], now)

    assert not excuses(at_once, times, now)
    assert (one_by_one.times, one_by_one.offline_since, one_by_one.turn_began) == (
        at_once.times, at_once.offline_since, at_once.turn_began,
    )  # fmt: skip


@given(clocks_with_time, outages())
def test_a_later_turn_gains_nothing(clock: Clock, times: Outages) -> None:
    """An outage that was over before the turn began does not affect it."""
    began = max([NOON, *(one.until + RETURN_WITHIN for one in times)])
    room = played(new_room("replica", clock), None, None, now=began)

    assert not excuses(room, times, began + SECOND)


@given(clocks_with_time, outages())
def test_excuses_are_part_of_a_snapshot(clock: Clock, times: Outages) -> None:
    """A room loaded from a snapshot knows what was excused."""
    room = excused(running(clock), times, NOON + DAY)

    assert unpack(room.pack()) == room


def test_all_nodes_dead_for_a_minute() -> None:
    """A player with 10 seconds left before an outage of 60 has them afterwards, and then the flag falls."""
    room = running(Clock("move", main=10 * SECOND))
    back = NOON + 65 * SECOND
    after = excused(room, [Outage(NOON + 5 * SECOND, back)], back)

    assert expire(room, back) != ()
    assert expire(after, back) == ()
    assert deadline(after) == NOON + 70 * SECOND + RETURN_WITHIN + after.lag_cap
    (ended,) = expire(after, NOON + 70 * SECOND + RETURN_WITHIN + after.lag_cap)
    assert isinstance(ended, Ended)
    assert ended.result.reason == "flag"


def test_the_first_move_may_take_longer() -> None:
    """The first move could not be made during an outage, so the game is not aborted."""
    room = new_room("replica", FISCHER)
    outage = Outage(NOON + SECOND, NOON + 10 * FIRST_MOVE_WITHIN)
    after = excused(room, [outage], outage.until)

    assert expire(room, outage.until) != ()
    assert expire(after, outage.until + FIRST_MOVE_WITHIN - SECOND - 1) == ()
    assert expire(after, outage.until + FIRST_MOVE_WITHIN - SECOND + RETURN_WITHIN) != ()


@pytest.mark.parametrize("clock", CLOCKS[:2])
def test_offline_players_may_take_longer_to_return(clock: Clock) -> None:
    """A player that was offline when an outage started has as long to return as without it, on any clock."""
    room = fold(running(clock), Disconnected(NOON, 1))
    outage = Outage(NOON + SECOND, NOON + DAY)
    after = excused(room, [outage], outage.until)

    assert claim_in(room, 0, outage.until) == 0
    assert claim_in(after, 0, outage.until) == room.claim_after - SECOND + RETURN_WITHIN


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
    assert not excuses(room, [Outage(NOON + SECOND, NOON + DAY)], NOON + DAY)


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


# -- the outage of a single node

HERE, THERE = SeatNode("here"), SeatNode("there")
CUT_OFF = Outage(NOON + 2 * SECOND, NOON + 5 * SECOND, "there")


def test_only_the_player_on_a_node_is_excused_for_its_outage() -> None:
    """The clock stands still if the mover was on that node, and runs on if it was the opponent."""
    room = running(FISCHER)
    (excuse,) = excuses(room, [CUT_OFF], CUT_OFF.until, (THERE, HERE))

    assert excuse == Excused(CUT_OFF.until, CUT_OFF.since, CUT_OFF.until + RETURN_WITHIN, 0)
    assert used(fold(room, excuse), CUT_OFF.until + RETURN_WITHIN) == 2 * SECOND
    assert not excuses(room, [CUT_OFF], CUT_OFF.until, (HERE, THERE))


def test_both_players_on_a_node_are_excused_together() -> None:
    """One event excuses the mover's clock and the opponent's absence."""
    room = fold(running(FISCHER), Disconnected(NOON, 1))
    (excuse,) = excuses(room, [CUT_OFF], CUT_OFF.until, (THERE, THERE))

    assert isinstance(excuse, Excused)
    assert excuse.seat is None
    assert fold(room, excuse).offline_since[1] == NOON + 3 * SECOND + RETURN_WITHIN


def test_the_absence_of_a_player_on_a_node_is_excused_alone() -> None:
    """The opponent of an absent player is charged for its turn as usual."""
    room = fold(running(FISCHER), Disconnected(NOON, 1))
    (excuse,) = excuses(room, [CUT_OFF], CUT_OFF.until, (HERE, THERE))
    after = fold(room, excuse)

    assert after.offline_since[1] == NOON + 3 * SECOND + RETURN_WITHIN
    assert (after.times, after.turn_began) == (room.times, room.turn_began)


def test_overlapping_outages_are_excused_once() -> None:
    """What an outage of all nodes has excused, that of a single node does not excuse again."""
    everything = Outage(NOON + 4 * SECOND, NOON + 9 * SECOND)
    room = excused(running(FISCHER), [everything], everything.until)

    assert not excuses(room, [CUT_OFF, everything], everything.until, (THERE, HERE))
    first, second = excuses(running(FISCHER), [CUT_OFF, everything], everything.until, (THERE, HERE))
    assert isinstance(first, Excused)
    assert isinstance(second, Excused)
    assert second.since == first.until
