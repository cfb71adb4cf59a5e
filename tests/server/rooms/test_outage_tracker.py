"""What a room knows of outages, without a store: the test answers what the tracker asks for."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from parlour.protocol.types import Clock
from parlour.server.outages import Outage, SeatNode
from parlour.server.rooms.effects import LearnOutages, ReadSeatNodes
from parlour.server.rooms.events import Excused
from parlour.server.rooms.outage_tracker import OutageTracker
from tests.server.rooms.sample_rooms import ADA, BEN, NOON, SECOND, new_room, played
from tests.server.rooms.scripted_context import ScriptedContext

RUNNING = played(new_room(clock=Clock("move", main=5 * SECOND)), None, None)
THERE = (SeatNode("there", "", NOON - SECOND), SeatNode())


def tracker() -> tuple[OutageTracker, ScriptedContext]:
    context = ScriptedContext(RUNNING)
    return OutageTracker(context), context


def answered(step: Generator[Any, Any, Any], *answers: object) -> tuple[list[Any], Any]:
    """Run a step with these answers; return the effects it asked for, and its result."""
    effects = []
    try:
        for answer in (None, *answers):
            effects += [step.send(answer)]
    except StopIteration as end:
        return effects, end.value
    raise AssertionError("it asks for more")


def test_outages_are_learned_first() -> None:
    """Beyond what the heartbeat knows, nothing is decided."""
    outages, context = tracker()
    context.beat.known_until = NOON - 1
    assert answered(outages.excuses(RUNNING, NOON), None) == ([LearnOutages(NOON)], ())


def test_an_outage_of_all_nodes_needs_no_further_knowledge() -> None:
    """It is excused without asking where the players were, and considered only once."""
    outages, context = tracker()
    context.beat.outages = [Outage(NOON + SECOND, NOON + 9 * SECOND)]
    context.beat.last_outage_end = NOON + 9 * SECOND
    effects, (excused,) = answered(outages.excuses(RUNNING, NOON + 9 * SECOND))
    assert effects == []
    assert isinstance(excused, Excused)
    later = new_room()  # without a clock
    assert answered(outages.excuses(later, NOON + 9 * SECOND)) == ([], ())
    assert outages.considered_until == NOON + 9 * SECOND


def test_for_an_outage_of_a_node_its_players_are_looked_up() -> None:
    """Only the player that was on that node is excused."""
    outages, context = tracker()
    context.beat.outages = [Outage(NOON + SECOND, NOON + 4 * SECOND, "there")]
    context.beat.last_outage_end = NOON + 4 * SECOND
    effects, (excused,) = answered(outages.excuses(RUNNING, NOON + 4 * SECOND), THERE)
    assert effects == [ReadSeatNodes(ADA.id, BEN.id)]
    assert excused.seat == 0


def test_a_flag_is_settled_when_the_players_node_has_beaten_since() -> None:
    """Until then an outage may be unknown."""
    outages, context = tracker()
    context.beat.beats = {"there": NOON + 4 * SECOND}
    assert answered(outages.is_settled(RUNNING), THERE)[1] is False
    context.beat.beats = {"there": NOON + 5 * SECOND}
    assert answered(outages.is_settled(RUNNING), THERE)[1] is True
    assert answered(outages.is_settled(new_room())) == ([], True)
