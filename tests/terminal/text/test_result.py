"""Results in sentences."""

from __future__ import annotations

import pytest

from parlour.protocol.scene import SeatSpec
from parlour.protocol.types import GameCard, Result
from parlour.terminal.text.result import result_line, short_result, verdict

SEATS = (SeatSpec("White", "light"), SeatSpec("Black", "dark"))
SIDES = ("White", "Black")
CARD = GameCard("replica", "Replica", "", SEATS, (), (), {"goal": "a king reached the far corner"})


@pytest.mark.parametrize(
    ("result", "seat", "sentence"),
    [
        (Result(0, "goal"), None, "White wins: a king reached the far corner."),
        (Result(0, "goal"), 0, "You won: a king reached the far corner."),
        (Result(0, "goal", (3, 1)), 1, "You lost: a king reached the far corner. 3 : 1."),
        (Result(1, "resigned"), 0, "You lost: you resigned."),
        (Result(1, "resigned"), 1, "You won: White resigned."),
        (Result(1, "flag", (3, 1)), None, "Black wins: White ran out of time."),
        (Result(1, "flag"), 0, "You lost: you ran out of time."),
        (Result(1, "abandoned"), 0, "You lost: you were away for too long."),
        (Result(None, "agreed"), 0, "Draw: you both agreed."),
        (Result(None, "agreed"), None, "Draw: both players agreed."),
        (Result(None, "repetition"), 1, "Draw: the same position came up three times."),
        (Result(None, "goal", (2, 2)), 1, "Draw: a king reached the far corner. 2 : 2."),
        (Result(None, "aborted"), 0, "The game was aborted. It does not count."),
        (Result(0, "something_new"), None, "White wins: something_new."),
    ],
)
def test_a_result_is_a_sentence(result: Result, seat: int | None, sentence: str) -> None:
    """Players read it from their side, spectators with the name of the side; the game names its own reasons."""
    assert result_line(result, SIDES, CARD, seat) == sentence


def test_players_are_named_where_they_are_known() -> None:
    """With names, neither side is called by its colour."""
    assert result_line(Result(1, "resigned"), ("Ann", "Bob"), CARD, 1) == "You won: Ann resigned."
    assert result_line(Result(1, "goal"), ("Ann", "Bob"), CARD) == "Bob wins: a king reached the far corner."


def test_the_verdict_is_short() -> None:
    """It leaves room for what follows it."""
    won, drawn, aborted = Result(1, "flag"), Result(None, "agreed"), Result(None, "aborted")

    assert [verdict(won, SIDES, seat) for seat in (1, 0, None)] == ["You won.", "You lost.", "Black wins."]
    assert [verdict(result, SIDES, 0) for result in (drawn, aborted)] == ["Draw.", "Aborted."]


def test_a_result_in_a_list() -> None:
    """A word or two are enough."""
    results = Result(1, "flag"), Result(None, "agreed"), Result(None, "aborted")

    assert [short_result(result, SEATS) for result in results] == ["Black won", "draw", "aborted"]
