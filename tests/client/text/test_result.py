"""Results in sentences."""

from __future__ import annotations

import pytest

from parlour.client.text.result import result_line, short_result
from parlour.protocol.scene import SeatSpec
from parlour.protocol.types import GameCard, Result

SEATS = (SeatSpec("White", "light"), SeatSpec("Black", "dark"))
CARD = GameCard("replica", "Replica", "", SEATS, (), (), {"goal": "a king reached the far corner"})


@pytest.mark.parametrize(
    ("result", "seat", "sentence"),
    [
        (Result(0, "goal"), None, "White wins: a king reached the far corner."),
        (Result(0, "goal"), 0, "You won: a king reached the far corner."),
        (Result(0, "goal", (3, 1)), 1, "You lost: a king reached the far corner. 3 : 1."),
        (Result(1, "resigned"), 0, "You lost: you resigned."),
        (Result(1, "resigned"), 1, "You won: the other side resigned."),
        (Result(1, "flag"), None, "Black wins: on time."),
        (Result(1, "abandoned"), 0, "You lost: you were offline too long."),
        (Result(None, "agreed"), 0, "A draw: by agreement."),
        (Result(None, "aborted"), 0, "The game was aborted."),
        (Result(0, "something_new"), None, "White wins: something_new."),
    ],
)
def test_a_result_is_a_sentence(result: Result, seat: int | None, sentence: str) -> None:
    """Players read it from their side, spectators with the name of the side; the game names its own reasons."""
    assert result_line(result, SEATS, CARD, seat) == sentence


def test_a_result_in_a_list() -> None:
    """A word or two are enough."""
    results = Result(1, "flag"), Result(None, "agreed"), Result(None, "aborted")

    assert [short_result(result, SEATS) for result in results] == ["Black won", "draw", "aborted"]
