"""Commands of a replay."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from parlour.server.archive.record import sealed
from parlour.server.archive.storage import record_of
from parlour.server.archive.text_format import write
from parlour.terminal.ui.replay import NO_BOARDS
from tests.server.archive.sample_games import finished
from tests.terminal.plain.test_line_client import typing


async def test_a_replay_is_stepped_through_and_saved(address: str, tmp_path: Path) -> None:
    """Forward, back, by number, in words, and as a file once the game is over."""
    file = tmp_path / "game.txt"
    async with typing(address, tmp_path) as typist:
        typist.type("here mapello", "f7", "e7", "replay", f"save {file}", "leave", "resign", "yes", "replay")
        typist.type("first", "next", "back 5", "go x", "go 2", "moves", "cells", f"save {file}", "leave", "leave")
        text = await typist.reads("You are back in the lobby.")

    for sentence in (
        "You can save a game once it is over.",
        "Before the first move.",
        "Move 1 of 2: f7.",
        "Give a number from 0 to 2.",
        "Move 2 of 2: e7. White wins: Black resigned.",
        "  2. e7",
        f"Saved as {file}.",
        "Replay closed.",
    ):
        assert sentence in text
    assert "f7" in file.read_text()


async def test_a_record_by_other_rules(address: str, tmp_path: Path) -> None:
    """Its moves and its result are shown without boards, and it is saved as it was read."""
    record = sealed(replace(record_of(finished("mapello", 3, 6)), rules_version=99))
    async with typing(address, tmp_path, record=write(record)) as typist:
        typist.type("back 2", "cells", "moves", f"save {tmp_path / 'again.txt'}", "leave")
        said = await typist.reads("Replay closed.")

    moves = [entry.move for entry in record.moves]
    assert f"Move 6 of 6: {moves[5]}. {NO_BOARDS} Second wins: First resigned." in said
    assert f"Move 4 of 6: {moves[3]}. {NO_BOARDS}" in said
    assert f"  2. {moves[1]}" in said
    assert (tmp_path / "again.txt").read_text(encoding="utf-8") == write(record)
