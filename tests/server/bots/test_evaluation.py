"""Evaluations travel from a worker to the node that asked."""

from __future__ import annotations

import msgspec
import pytest

from parlour.bots.engine import Answer
from parlour.server.bots.evaluation import Evaluation

ANSWER = Answer(move="a1", score=12, chance=0.6, line=("a1", "b2"), nodes=100, depth=3)


@pytest.mark.parametrize(
    "evaluation",
    [Evaluation(7, ANSWER), Evaluation(8, None, "game_over", "The game is over in that position.")],
    ids=["an answer", "a refusal"],
)
def test_an_evaluation_survives_the_wire(evaluation: Evaluation) -> None:
    """It has the number of the request, and either an answer or the reason why there is none."""
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(evaluation), type=Evaluation) == evaluation
