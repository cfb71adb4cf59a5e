"""Usual clocks are accepted, and for all others a sentence says what is allowed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Clock
from parlour.server.rooms.clock import (
    check,
)
from tests.server.rooms.sample_clocks import (
    BRONSTEIN,
    BYOYOMI,
    CANADIAN,
    DAY,
    DAYS,
    DELAY,
    EVERY,
    HOUR,
    MINUTE,
    SECOND,
)


@pytest.mark.parametrize("clock", EVERY, ids=str)
def test_usual_clocks_are_accepted(clock: Clock) -> None:
    """Each kind is accepted with usual times."""
    check(clock)


@pytest.mark.parametrize(
    "clock",
    [
        Clock("move", main=SECOND),
        Clock("move", main=DAY),
        Clock("fischer", main=DAY, step=HOUR),
        Clock("fischer", main=SECOND, step=SECOND),
        Clock("bronstein", main=DAY, step=HOUR),
        Clock("delay", main=SECOND, step=SECOND),
        Clock("byoyomi", main=DAY, step=HOUR, count=99),
        Clock("byoyomi", main=0, step=SECOND, count=1),
        Clock("canadian", main=DAY, step=HOUR, count=99),
        Clock("canadian", main=0, step=SECOND, count=1),
        Clock("days", main=DAY),
        Clock("days", main=14 * DAY),
    ],
    ids=str,
)
def test_the_limits_themselves_are_accepted(clock: Clock) -> None:
    """The shortest and the longest times are allowed."""
    check(clock)


MAIN_SPAN = "from 1000 ms (1 second) to 86400000 ms (1 day)."
STEP_SPAN = "from 1000 ms (1 second) to 3600000 ms (1 hour)."


@pytest.mark.parametrize(
    ("clock", "sentence"),
    [
        (Clock(main=1), "A clock of kind “none” has no main. Set it to 0."),
        (Clock(step=1), "A clock of kind “none” has no step. Set it to 0."),
        (Clock(count=1), "A clock of kind “none” has no count. Set it to 0."),
        (Clock("move"), f"The main of this move clock must be {MAIN_SPAN}"),
        (Clock("move", main=SECOND - 1), f"The main of this move clock must be {MAIN_SPAN}"),
        (Clock("move", main=DAY + 1), f"The main of this move clock must be {MAIN_SPAN}"),
        (Clock("move", main=SECOND, step=1), "A clock of kind “move” has no step. Set it to 0."),
        (Clock("move", main=SECOND, count=1), "A clock of kind “move” has no count. Set it to 0."),
        (Clock("fischer"), f"The main of this fischer clock must be {MAIN_SPAN}"),
        (Clock("fischer", main=1, step=SECOND), f"The main of this fischer clock must be 0 or {MAIN_SPAN}"),
        (Clock("fischer", main=2**64, step=SECOND), f"The main of this fischer clock must be 0 or {MAIN_SPAN}"),
        (Clock("fischer", main=SECOND, step=1), f"The step of this fischer clock must be 0 or {STEP_SPAN}"),
        (Clock("fischer", main=SECOND, step=HOUR + 1), f"The step of this fischer clock must be 0 or {STEP_SPAN}"),
        (Clock("fischer", main=MINUTE, count=1), "A clock of kind “fischer” has no count. Set it to 0."),
        (Clock("bronstein", step=SECOND), f"The main of this bronstein clock must be {MAIN_SPAN}"),
        (Clock("bronstein", main=MINUTE), f"The step of this bronstein clock must be {STEP_SPAN}"),
        (replace(BRONSTEIN, count=1), "A clock of kind “bronstein” has no count. Set it to 0."),
        (Clock("delay", step=SECOND), f"The main of this delay clock must be {MAIN_SPAN}"),
        (Clock("delay", main=MINUTE), f"The step of this delay clock must be {STEP_SPAN}"),
        (replace(DELAY, count=1), "A clock of kind “delay” has no count. Set it to 0."),
        (Clock("byoyomi", main=MINUTE, count=1), f"The step of this byoyomi clock must be {STEP_SPAN}"),
        (replace(BYOYOMI, main=-1), f"The main of this byoyomi clock must be 0 or {MAIN_SPAN}"),
        (replace(BYOYOMI, count=0), "The count of this byoyomi clock must be from 1 to 99."),
        (replace(BYOYOMI, count=100), "The count of this byoyomi clock must be from 1 to 99."),
        (Clock("canadian", main=MINUTE, count=1), f"The step of this canadian clock must be {STEP_SPAN}"),
        (replace(CANADIAN, main=DAY + 1), f"The main of this canadian clock must be 0 or {MAIN_SPAN}"),
        (replace(CANADIAN, count=0), "The count of this canadian clock must be from 1 to 99."),
        (replace(CANADIAN, count=100), "The count of this canadian clock must be from 1 to 99."),
        (
            Clock("days", main=DAY - 1),
            "The main of this days clock must be from 86400000 ms (1 day) to 1209600000 ms (14 days).",
        ),
        (
            Clock("days", main=14 * DAY + 1),
            "The main of this days clock must be from 86400000 ms (1 day) to 1209600000 ms (14 days).",
        ),
        (replace(DAYS, step=1), "A clock of kind “days” has no step. Set it to 0."),
        (replace(DAYS, count=1), "A clock of kind “days” has no count. Set it to 0."),
    ],
    ids=str,
)
def test_impossible_clocks_are_refused(clock: Clock, sentence: str) -> None:
    """The refusal says what is allowed."""
    with pytest.raises(Refusal) as refusal:
        check(clock)
    assert refusal.value.code is ErrorCode.CLOCK_INVALID
    assert refusal.value.sentence == sentence
