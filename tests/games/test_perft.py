"""Move counts equal those that were found by other programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from parlour import games
from parlour.games.perft import divide, perft


def cases() -> list[tuple[str, str, str, list[int]]]:
    found = []
    for line in Path(__file__).with_name("perft.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            key, options, position, counts = (field.strip() for field in line.split("|"))
            found.append((key, options, position, [int(count) for count in counts.split()]))
    return found


@pytest.mark.parametrize(("key", "options", "position", "counts"), cases())
def test_counts_equal_the_file(key: str, options: str, position: str, counts: list[int]) -> None:
    """Every depth of a line in perft.txt is counted the same here."""
    game = games.find(key)
    settled = game.options(json.loads(options))
    state = game.initial(settled) if position == "-" else game.parse(position, settled)

    assert [perft(game, state, depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.parametrize("key", games.keys())
def test_divide_adds_up_to_perft(key: str) -> None:
    """The counts behind the first moves are those of the whole, under sorted names."""
    game = games.find(key)
    state = game.initial(game.options({}))
    parts = divide(game, state, 2)

    assert sum(parts.values()) == perft(game, state, 2)
    assert list(parts) == sorted(game.write(state, move) for move in game.moves(state))


@pytest.mark.parametrize("key", games.keys())
def test_every_game_has_a_count(key: str) -> None:
    """No game is left out of perft.txt."""
    assert key in {case[0] for case in cases()}
