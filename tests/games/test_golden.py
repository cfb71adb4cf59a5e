"""The engines agree with positions that other people's programs produced, on every line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from parlour import games

GOLDEN = Path(__file__).parent / "golden"


def lines(key: str) -> list[dict[str, Any]]:
    with gzip.open(GOLDEN / f"{key}.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.mark.parametrize("key", ["isaac", "mapello", "mitsudomoe", "replica"])
def test_every_golden_line_agrees(key: str) -> None:
    """Legal moves, the position after the move, the winner and the score are those of the golden line."""
    game = games.find(key)
    golden = lines(key)
    for line in golden:
        state = game.parse(line["position"], game.options(line.get("options", {})))
        legal = sorted(game.write(state, move) for move in game.moves(state))

        assert legal == line["legal"], line["position"]
        assert game.print(state) == line["position"]

        if "after" in line:
            after = game.apply(state, game.read(state, line["played"]))
            outcome = game.outcome(after)
            winner = None
            if outcome is not None:
                winner = "draw" if outcome.winner is None else game.info.seats[outcome.winner].name.lower()

            assert game.print(after) == line["after"], line["position"]
            assert winner == line.get("winner"), line["position"]
            if "score" in line:
                assert list(game.scores(after)) == line["score"], line["position"]
    assert len(golden) == 1500
