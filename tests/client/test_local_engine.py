"""Assessments of saved games on this machine."""

from __future__ import annotations

import sys

import pytest
from msgspec.structs import replace

from parlour.client.local_engine import LocalEngine
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Record
from parlour.server.archive.storage import record_of
from parlour.server.archive.wire import record_message
from parlour.terminal.ui.replay import Replay
from tests.server.archive.sample_games import finished

THINK = [sys.executable, "-m", "parlour.cli", "think"]


def saved(game: str) -> Record:
    return record_message(record_of(finished(game, 3, 6)), 0)


async def test_every_position_of_a_saved_game_is_assessed() -> None:
    """The assessment is that of the player to move, with a move and the line that follows it."""
    record = saved("isaac")
    replay = Replay(record)
    async with LocalEngine(THINK, seconds=0.01) as engine:
        for ply in range(3):
            found = await engine.assess(record, ply, replay.scenes[ply].to_move)
            assert (found.ply, found.seat, found.room) == (ply, replay.scenes[ply].to_move, record.room)
            assert found.line[0] == found.move
            assert 0 <= found.chance <= 1000


async def test_what_cannot_be_assessed_is_refused() -> None:
    """The end of a game, rules that are not available, and an engine that does not know the game or does not start."""
    record = saved("mapello")
    async with LocalEngine(THINK, seconds=0.01) as engine, LocalEngine(["/nowhere/engine"]) as missing:
        cases = [
            (engine, record, None, ErrorCode.GAME_OVER, "over"),
            (engine, replace(record, replayable=False), 0, ErrorCode.RULES_UNSUPPORTED, "not available"),
            (engine, replace(record, terms=replace(record.terms, game="go")), 0, ErrorCode.HINT_REFUSED, "“go”"),
            (missing, record, 0, ErrorCode.HINT_REFUSED, "cannot start the engine"),
        ]
        for asked, told, seat, code, words in cases:
            with pytest.raises(Refusal, match=words) as refused:
                await asked.assess(told, 0, seat)
            assert refused.value.code is code
