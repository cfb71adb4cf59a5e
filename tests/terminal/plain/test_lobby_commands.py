"""Commands of the lobby."""

from __future__ import annotations

from pathlib import Path

from parlour.client.client import connect
from parlour.protocol.types import Terms
from tests.terminal.plain.test_line_client import typing


async def test_games_rules_and_previews(address: str, tmp_path: Path) -> None:
    """Games are listed with options and levels; rules and starting positions are printed."""
    async with typing(address, tmp_path) as typist:
        typist.type("games", "rules mapello", "preview mapello", "paces", "leaderboard isaac", "rules chess")
        text = await typist.reads("This server has no game “chess”.")

    assert "replica: Replica." in text
    assert "  levels:\n    random Random (" in text
    assert "): Plays any legal move.\n" in text
    assert "MAPELLO" in text
    assert "    a   b   c " in text
    assert "10+5          ten minutes, plus five seconds after each move" in text
    assert "No player has a rating for this game yet." in text


async def test_open_tables_and_live_games(address: str, tmp_path: Path) -> None:
    """They are listed with the command that joins or watches them."""
    async with typing(address, tmp_path) as typist, connect(address, name="Listed Lynx") as other:
        pending = await other.seek(Terms("isaac"))
        typist.type("tables")
        await typist.reads(f"  join {pending.seek}  Listed Lynx: Isaac")
        await pending.cancel()
        typist.type("open", "mine", "wait")
        await typist.reads(
            "You have no ongoing games.", "You have not played any games yet.", "You are not looking for an opponent."
        )
