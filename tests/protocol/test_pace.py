"""The pace of a game in words."""

from __future__ import annotations

import pytest

from parlour.protocol.pace import format_pace
from parlour.protocol.types import Clock


@pytest.mark.parametrize(
    ("clock", "words"),
    [
        (Clock(), "no clock"),
        (Clock("fischer", 600_000, 5_000), "10 min + 5 s"),
        (Clock("fischer", 90_000), "90 s"),
        (Clock("days", 3 * 86_400_000), "3 days a move"),
        (Clock("move", 30_000), "30 s a move"),
        (Clock("byoyomi", 600_000, 30_000, 3), "10 min + 3 x 30 s"),
        (Clock("canadian", 600_000, 300_000, 15), "10 min + 15 moves in 5 min"),
        (Clock("canadian", 600_000, 300_000, 1), "10 min + 1 move in 5 min"),
        (Clock("delay", 300_000, 3_000), "5 min, delay 3 s"),
        (Clock("bronstein", 300_000, 3_000), "5 min, up to 3 s back"),
    ],
)
def test_clocks(clock: Clock, words: str) -> None:
    """Every kind of clock has words."""
    assert format_pace(clock) == words
