"""Results in sentences."""

from __future__ import annotations

import pytest

from parlour.client.words.outcome import outcome, short
from parlour.protocol.scene import SeatSpec
from parlour.protocol.tables import GameCard, Result

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
        (Result(1, "abandoned"), 0, "You lost: you were away too long."),
        (Result(None, "agreed"), 0, "A draw: agreed by both."),
        (Result(None, "aborted"), 0, "The game was called off."),
        (Result(0, "something_new"), None, "White wins: something_new."),
    ],
)
def test_an_outcome_is_a_sentence(result: Result, seat: int | None, sentence: str) -> None:
    """For a player from their side, for others with the name of the side; reasons of the game in its words."""
    assert outcome(result, SEATS, CARD, seat) == sentence


def test_an_outcome_in_a_list() -> None:
    """In two words."""
    results = Result(1, "flag"), Result(None, "agreed"), Result(None, "aborted")

    assert [short(result, SEATS) for result in results] == ["Black won", "draw", "called off"]
