"""Commands of the lobby."""

from __future__ import annotations

from pathlib import Path

from parlour.client.client import connect
from parlour.protocol.types import Terms
from parlour.terminal.ui.settings import SettingsFile
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


async def test_settings_are_shown_and_changed(address: str, tmp_path: Path) -> None:
    """A change is saved; an unknown setting or value is refused with what is possible."""
    async with typing(address, tmp_path) as typist:
        typist.type("settings", "set bell off", "set bell maybe", "set tone high", "set pace soon", "nonsense", "join")
        text = await typist.reads("Usage: join CODE")

    assert "  bell = True" in text
    assert "bell must be one of: on, off." in text
    assert "There is no setting “tone”." in text
    assert "“soon” is not a pace." in text
    assert "Unknown command “nonsense”." in text
    assert not SettingsFile(tmp_path / "terminal.json").read().bell
