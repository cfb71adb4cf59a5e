"""`parlour think`, as a process that answers JSON Lines."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import msgspec
import pytest

from parlour import games

COMMAND = [sys.executable, "-m", "parlour.cli", "think"]


def think(*requests: dict[str, Any] | bytes) -> list[dict[str, Any]]:
    lines = [request if isinstance(request, bytes) else msgspec.json.encode(request) for request in requests]
    done = subprocess.run(COMMAND, input=b"\n".join(lines) + b"\n", capture_output=True, check=True, timeout=120)
    assert done.stderr == b""
    return [msgspec.json.decode(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("key", games.keys())
def test_the_move_is_legal_and_starts_the_line(key: str) -> None:
    """For every game the answer has a legal move, the expected line, the nodes and the chance of winning."""
    (answer,) = think({"game": key, "level": 2})

    game = games.find(key)
    state = game.initial(game.options({}))
    assert game.read(state, answer["move"]) in game.moves(state)
    assert answer["line"][0] == answer["move"]
    assert 0 <= answer["chance"] <= 1
    assert answer["nodes"] >= 1


def test_the_same_request_gets_the_same_answer() -> None:
    """With a number of nodes and a seed, the answer does not depend on earlier requests."""
    question = {"game": "replica", "nodes": 800, "seed": 5}
    answers = think(question, {"game": "replica", "level": 3, "seed": 1}, question, question)

    assert answers[0] == answers[2] == answers[3]


def test_moves_lead_to_the_position() -> None:
    """`moves` are played from the position before the search."""
    first = think({"game": "replica", "nodes": 300})[0]["move"]
    (answer,) = think({"game": "replica", "nodes": 300, "moves": [first]})

    game = games.find("replica")
    state = game.initial(game.options({}))
    after = game.apply(state, game.read(state, first))
    assert game.read(after, answer["move"]) in game.moves(after)


def test_a_win_in_one_is_found() -> None:
    """A king next to the winning corner moves there."""
    (answer,) = think(
        {
            "game": "replica",
            "level": 8,
            "position": "......../......../......../......../....b.../......../.W....../.......B w",
        }
    )

    assert answer["chance"] == 1.0
    assert answer["move"].startswith("b2-")


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"game": "chess", "level": 1}, "game_unknown"),
        ({"game": "replica"}, "request_malformed"),
        ({"game": "replica", "level": 99}, "level_unknown"),
        ({"game": "replica", "level": 1, "position": "nonsense"}, "position_malformed"),
        ({"game": "replica", "level": 1, "moves": ["a1-b9"]}, "move_malformed"),
        ({"game": "replica", "nodes": 0}, "request_malformed"),
        ({"game": "replica", "level": 1, "depth": 3}, "request_malformed"),
        (b"what?", "request_malformed"),
    ],
)
def test_invalid_requests(request_: dict[str, Any] | bytes, code: str) -> None:
    """They are answered with an error code, and the next line is served."""
    wrong, right = think(request_, {"game": "mapello", "level": "random"})

    assert wrong["error"]["code"] == code
    assert "move" in right
