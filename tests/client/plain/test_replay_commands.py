"""Commands of a replay."""

from __future__ import annotations

from pathlib import Path

from tests.client.plain.test_line_client import typing


async def test_a_replay_is_stepped_through_and_saved(address: str, tmp_path: Path) -> None:
    """Forward, back, by number, in words, and as a file once the game is over."""
    file = tmp_path / "game.txt"
    async with typing(address, tmp_path) as typist:
        typist.type("here mapello", "f7", "e7", "replay", f"save {file}", "leave", "resign", "replay")
        typist.type("first", "next", "back 5", "go x", "go 2", "moves", "cells", f"save {file}", "leave", "leave")
        text = await typist.reads("You are back in the lobby.")

    for sentence in (
        "You can save a game once it is over.",
        "Before the first move.",
        "Move 1 of 2: f7.",
        "Give a number from 0 to 2.",
        "Move 2 of 2: e7. White wins: the other side resigned.",
        "  2. e7",
        f"Saved as {file}.",
        "Replay closed.",
    ):
        assert sentence in text
    assert "f7" in file.read_text()
