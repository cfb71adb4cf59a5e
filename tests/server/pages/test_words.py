"""Results in words."""

from __future__ import annotations

import pytest

from parlour.protocol.types import Result
from parlour.server.pages.words import result_in_words


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
