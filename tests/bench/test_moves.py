"""The benchmark of a move inside a node."""

from __future__ import annotations

import cProfile
import pstats

from bench.moves import Match, Move, measure, row, tables


async def test_a_match_is_played_to_its_end() -> None:
    """Every frame is a move that the room accepts, so the game is over after the last one."""
    match = Match("mapello", 1, {})
    moves = list(match.play())

    assert len(moves) == len(match.frames)
    assert match.room.state.status == "over"
    assert len(match.frames) > 20
    match.close()


async def test_moves_are_measured() -> None:
    """The result has every move of every match; a profile contains the calls of the room."""
    profile = cProfile.Profile()
    moves = await measure("mapello", {"board": "random"}, 2, profile)

    assert all(min(move.steps) > 0 for move in moves)
    assert len(moves) == sum(len(Match("mapello", seed, {"board": "random"}).frames) for seed in range(2))
    assert any("rooms" in file for file, _, _ in pstats.Stats(profile).stats)  # type: ignore[attr-defined]


def test_the_table_has_quantiles_and_a_histogram() -> None:
    """A row shows the moves as a whole, and how many steps of the event loop took how long."""
    moves = [Move(10, 50 * number, 5) for number in range(1, 101)]

    assert row("replica", moves) == "| replica | 2540.0 | 2565.0 | 5015.0 | 5000.0 | 201 | 2 | 6 | 10 | 20 | 61 |"


def test_every_value_of_every_option_is_played() -> None:
    """Boards of all sizes are among them."""
    names = [name for name, _ in tables("replica", every_option=True)]

    assert names[0] == "replica"
    assert {"replica size=12", "replica size=16"} <= set(names)
    assert [name for name, _ in tables("replica", every_option=False)] == ["replica"]
