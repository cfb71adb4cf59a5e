"""Times and paces as people read and write them."""

from __future__ import annotations

import pytest

from parlour.protocol.errors import Refusal
from parlour.protocol.pace import format_pace
from parlour.protocol.types import Clock, TimeLeft
from parlour.terminal.text.times import (
    PACES,
    format_age,
    format_countdown,
    format_overtime,
    format_time,
    is_low,
    parse_pace,
)


@pytest.mark.parametrize(
    ("text", "clock", "words"),
    [
        ("none", Clock(), "no clock"),
        ("10+5", Clock("fischer", 600_000, 5_000), "10 min + 5 s"),
        ("5 + 0", Clock("fischer", 300_000, 0), "5 min"),
        ("30 a move", Clock("move", 30_000), "30 s a move"),
        ("3 days", Clock("days", 259_200_000), "3 days a move"),
        ("1 day", Clock("days", 86_400_000), "1 day a move"),
        ("10+3x30", Clock("byoyomi", 600_000, 30_000, 3), "10 min + 3 x 30 s"),
        ("10+15/300", Clock("canadian", 600_000, 300_000, 15), "10 min + 15 moves in 5 min"),
        ("5 delay 3", Clock("delay", 300_000, 3_000), "5 min, delay 3 s"),
        ("5 back 3", Clock("bronstein", 300_000, 3_000), "5 min, up to 3 s back"),
    ],
)
def test_every_kind_of_clock_can_be_written(text: str, clock: Clock, words: str) -> None:
    """What is written is read, and said again in words."""
    assert parse_pace(text) == clock
    assert format_pace(clock) == words


def test_the_usual_paces_can_be_read() -> None:
    """Those of the menu are written like any other."""
    assert [format_pace(parse_pace(each)) for each in PACES] == [
        "5 min + 3 s", "10 min + 5 s", "15 min + 10 s", "3 days a move", "no clock",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "soon", "10+", "5 delay", "-1+3", "10+3x", "１０+５x"])
def test_what_is_no_pace_is_refused(text: str) -> None:
    """With a sentence that shows all forms."""
    with pytest.raises(Refusal, match="30 a move"):
        parse_pace(text)


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0, "0.0"), (-5, "0.0"), (9_999, "9.9"), (10_000, "0:10"), (372_000, "6:12"), (3_750_000, "1:02:30"),
     (273_600_000, "3 d 4 h")],
)  # fmt: skip
def test_figures(ms: int, text: str) -> None:
    """Tenths under ten seconds, days above a day."""
    assert format_time(ms) == text


def test_what_stands_beside_a_clock() -> None:
    """Periods and moves that are left; nothing for most clocks."""
    byoyomi, canadian = Clock("byoyomi", 600_000, 30_000, 3), Clock("canadian", 600_000, 300_000, 15)

    assert format_overtime(byoyomi, TimeLeft(5_000, 2)) == "2 x 30 s"
    assert format_overtime(byoyomi, TimeLeft(5_000, 0)) == "last period"
    assert format_overtime(canadian, TimeLeft(5_000, 7)) == "7 moves"
    assert format_overtime(canadian, TimeLeft(5_000, 0)) == "then 15 in 5 min"
    assert format_overtime(Clock("fischer", 1, 1), TimeLeft(1)) == ""


def test_low_time() -> None:
    """Under twenty seconds, or a tenth of a short clock; never with periods left."""
    assert is_low(Clock("fischer", 600_000), TimeLeft(19_000))
    assert not is_low(Clock("fischer", 600_000), TimeLeft(21_000))
    assert not is_low(Clock("fischer", 60_000), TimeLeft(7_000))
    assert not is_low(Clock("byoyomi", 600_000, 30_000, 3), TimeLeft(1_000, 2))


def test_times_past_and_to_come() -> None:
    """In the unit that suits."""
    assert [format_age(ms) for ms in (5_000, 300_000, 10_800_000, 86_400_000, 400_000_000)] == [
        "now", "5 min ago", "3 h ago", "1 day ago", "4 days ago",
    ]  # fmt: skip
    assert [format_countdown(ms) for ms in (0, 1, 48_000, 61_000)] == ["0:00", "0:01", "0:48", "1:01"]
