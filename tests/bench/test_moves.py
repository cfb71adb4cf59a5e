"""The benchmark of a move inside a node."""

from __future__ import annotations

import cProfile
import pstats

from bench.moves import Match, measure


async def test_a_match_is_played_to_its_end() -> None:
    """Every frame is a move that the room accepts, so the game is over after the last one."""
    match = Match("mapello", seed=1)
    match.play()

    assert match.room.state.status == "over"
    assert len(match.frames) > 20
    match.close()


async def test_moves_are_measured() -> None:
    """The result is the CPU time per move; a profile contains the calls of the room."""
    profile = cProfile.Profile()

    assert measure("mapello", 1) > 0
    assert measure("mapello", 1, profile) > 0
    assert any("rooms" in file for file, _, _ in pstats.Stats(profile).stats)  # type: ignore[attr-defined]
