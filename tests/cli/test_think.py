"""`parlour think` as programs use it."""

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
def test_the_move_is_legal_and_begins_the_line(key: str) -> None:
    """For every game: a move that the rules read, with its line, its nodes and its chance."""
    (answer,) = think({"game": key, "level": 2})

    game = games.find(key)
    state = game.initial(game.options({}))
    assert game.read(state, answer["move"]) in game.moves(state)
    assert answer["line"][0] == answer["move"]
    assert 0 <= answer["chance"] <= 1
    assert answer["nodes"] >= 1


def test_the_same_line_gives_the_same_answer() -> None:
    """With a number of nodes and a seed, whatever was asked before."""
    question = {"game": "replica", "nodes": 800, "seed": 5}
    answers = think(question, {"game": "replica", "level": 3, "seed": 1}, question, question)

    assert answers[0] == answers[2] == answers[3]


def test_moves_lead_to_the_position() -> None:
    """Moves from a position are played before the thought."""
    first = think({"game": "replica", "nodes": 300})[0]["move"]
    (answer,) = think({"game": "replica", "nodes": 300, "moves": [first]})

    game = games.find("replica")
    state = game.initial(game.options({}))
    after = game.apply(state, game.read(state, first))
    assert game.read(after, answer["move"]) in game.moves(after)


def test_an_instant_win_is_found() -> None:
    """A king beside the corner that wins the game goes there."""
    (answer,) = think(
        {
            "game": "replica",
            "level": 8,
            "position": "......../......../......../......../....b.../......../.W....../........ w",
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
def test_what_is_wrong_is_said(request_: dict[str, Any] | bytes, code: str) -> None:
    """With a code, and the next line is served."""
    wrong, right = think(request_, {"game": "mapello", "level": "random"})

    assert wrong["error"]["code"] == code
    assert "move" in right
