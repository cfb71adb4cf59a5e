"""Requests to search a position."""

from __future__ import annotations

import pytest

from parlour.bots.engine import Engine, Request
from parlour.protocol.errors import ErrorCode, Refusal

BESIDE_THE_CORNER = "......../......../......../......../....b.../......../.W....../.......B w"


def test_a_level_and_a_number_of_nodes() -> None:
    """Nodes limit what a level does."""
    answer = Engine().answer(Request("replica", level=8, nodes=200))

    assert answer.nodes <= 400


def test_seconds_alone_are_a_budget() -> None:
    """A forced win ends the search early, however many seconds there are."""
    answer = Engine().answer(Request("replica", position=BESIDE_THE_CORNER, seconds=3600))

    assert answer.chance == 1.0
    assert answer.line == (answer.move,)


def test_a_finished_game_is_refused() -> None:
    """A finished game, and moves after the end, are refused."""
    engine = Engine()
    move = engine.answer(Request("replica", position=BESIDE_THE_CORNER, level=8)).move
    for moves in ((move,), (move, move)):
        with pytest.raises(Refusal) as refused:
            engine.answer(Request("replica", position=BESIDE_THE_CORNER, level=1, moves=moves))
        assert refused.value.code == ErrorCode.GAME_OVER
