"""Clocks and results in words."""

from __future__ import annotations

import pytest

from parlour.protocol.types import Clock, Result
from parlour.server.pages.words import clock_in_words, result_in_words


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
        (Clock("delay", 300_000, 3_000), "5 min, delay 3 s"),
        (Clock("bronstein", 300_000, 3_000), "5 min, up to 3 s back"),
    ],
)
def test_clocks(clock: Clock, words: str) -> None:
    """Every kind of clock has words."""
    assert clock_in_words(clock) == words


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (Result(0, "points", (50, 30)), "fern beat carp at Mapello, 50 to 30"),
        (Result(1, "points", (30, 50)), "carp beat fern at Mapello, 50 to 30"),
        (Result(1, "resigned", (30, 20)), "carp beat fern at Mapello"),
        (Result(None, "agreed"), "fern and carp drew at Mapello"),
        (Result(None, "aborted"), "fern and carp: Mapello, not finished"),
    ],
)
def test_results(result: Result, words: str) -> None:
    """The winner and the winner's score come first; a score means nothing after a resignation."""
    assert result_in_words("Mapello", ("fern", "carp"), result) == words
