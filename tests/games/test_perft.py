"""Move counts equal those of other programs, and random matches are whole games."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from parlour import games
from parlour.games.perft import divide, perft, random_match


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


@pytest.mark.parametrize("key", games.keys())
def test_a_random_match_is_played_to_its_end(key: str) -> None:
    """It ends, within the game's bound, and every move of it was legal."""
    game = games.find(key)
    match = random_match(game, game.options({}), Random(5))

    assert match.outcome is not None
    assert 0 < len(match.moves) <= game.info.max_plies
    for state, move in zip(match.states, match.moves, strict=False):
        assert game.check(state, move) == move


@pytest.mark.parametrize("key", games.keys())
def test_a_seed_decides_a_random_match(key: str) -> None:
    """The same seed plays the same match, another seed another one."""
    game = games.find(key)
    once, again, other = (random_match(game, game.options({}), Random(seed)) for seed in (5, 5, 6))

    assert once.moves == again.moves
    assert once.moves != other.moves
