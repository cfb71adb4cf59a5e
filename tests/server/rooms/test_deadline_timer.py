"""The timer of a room's next deadline is set as rarely as possible, and never fires too late."""

from __future__ import annotations

import pytest

from parlour.server.rooms.commands import BOT_MOVE_WITHIN
from parlour.server.rooms.deadline_timer import MARGIN, DeadlineTimer
from tests.server.rooms.sample_rooms import NOON, SECOND, new_room
from tests.server.rooms.scripted_context import ScriptedContext


@pytest.fixture
def context() -> ScriptedContext:
    return ScriptedContext(new_room())


def test_the_timer_fires_after_the_deadline(context: ScriptedContext) -> None:
    """A margin makes sure that the deadline has passed."""
    fired: list[bool] = []
    timer = DeadlineTimer(context, lambda: fired.append(True))
    assert timer.set(NOON + 5 * SECOND, False) == NOON + 5 * SECOND
    (handle,) = context.timers
    assert handle.seconds == 5 + MARGIN
    handle.fire()
    assert fired == [True]


def test_without_a_deadline_there_is_no_timer(context: ScriptedContext) -> None:
    """A room in which nothing can become due is not checked."""
    assert DeadlineTimer(context, lambda: None).set(None, False) is None
    assert context.timers == []


def test_a_later_deadline_leaves_the_timer_alone(context: ScriptedContext) -> None:
    """Each move sets a later deadline, and resetting the timer would cost more than one early check."""
    timer = DeadlineTimer(context, lambda: None)
    timer.set(NOON + 5 * SECOND, False)
    assert timer.set(NOON + 9 * SECOND, False) == NOON + 9 * SECOND
    (handle,) = context.timers
    assert not handle.is_cancelled


def test_an_earlier_deadline_replaces_the_timer(context: ScriptedContext) -> None:
    """The first timer is cancelled."""
    timer = DeadlineTimer(context, lambda: None)
    timer.set(NOON + 9 * SECOND, False)
    timer.set(NOON + 5 * SECOND, False)
    first, second = context.timers
    assert (first.is_cancelled, second.is_cancelled) == (True, False)
    assert second.seconds == 5 + MARGIN


def test_the_timer_can_be_set_again_after_it_has_fired(context: ScriptedContext) -> None:
    """Also to a later deadline."""
    timer = DeadlineTimer(context, lambda: None)
    timer.set(NOON + 5 * SECOND, False)
    context.timers[0].fire()
    timer.set(NOON + 9 * SECOND, False)
    assert [handle.seconds for handle in context.timers] == [5 + MARGIN, 9 + MARGIN]


def test_a_deadline_in_the_past_is_checked_at_once(context: ScriptedContext) -> None:
    """The wait is never negative."""
    DeadlineTimer(context, lambda: None).set(NOON - 5 * SECOND, False)
    assert context.timers[0].seconds == MARGIN


def test_a_late_bot_is_checked_periodically(context: ScriptedContext) -> None:
    """The bot's deadline has passed already, so the next check is one interval away instead of at once."""
    assert DeadlineTimer(context, lambda: None).set(NOON - SECOND, True) == NOON + BOT_MOVE_WITHIN
    assert context.timers[0].seconds == BOT_MOVE_WITHIN / 1000 + MARGIN


def test_closing_cancels_the_timer(context: ScriptedContext) -> None:
    """A closed room is not checked any more."""
    timer = DeadlineTimer(context, lambda: None)
    timer.set(NOON + 5 * SECOND, False)
    timer.close()
    assert context.timers[0].is_cancelled
