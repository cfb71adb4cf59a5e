"""Commands about the settings."""

from __future__ import annotations

from pathlib import Path

from parlour.terminal.ui.settings import SettingsFile
from tests.terminal.plain.test_line_client import typing


async def test_settings_are_shown_and_changed(address: str, tmp_path: Path) -> None:
    """A change is saved; an unknown setting or value is refused with what is possible."""
    async with typing(address, tmp_path) as typist:
        typist.type("settings", "set bell off", "set bell maybe", "set tone high", "set pace soon", "nonsense", "join")
        text = await typist.reads("Usage: join CODE")

    assert "  bell = on\n" in text
    assert "\nbell = off\n" in text
    assert "bell must be one of: on, off." in text
    assert "There is no setting “tone”." in text
    assert "“soon” is not a pace." in text
    assert "Unknown command “nonsense”." in text
    assert not SettingsFile(tmp_path / "terminal.json").read().bell


async def test_keys_are_set_one_by_one(address: str, tmp_path: Path) -> None:
    """Without keys an action has its usual ones again; other words are refused with the actions."""
    async with typing(address, tmp_path) as typist:
        typist.type("set keys", "set keys fly=x", "set keys resign=X ctrl+r", "set keys chat = t", "set keys resign=")
        text = await typist.reads("\nkeys = chat=t\n")

    assert text.count("Write an action and its keys: set keys resign=X. The actions are choose, next_pick") == 2
    assert "\nkeys = resign=X ctrl+r, chat=t\n" in text
    assert SettingsFile(tmp_path / "terminal.json").read().keys == {"chat": "t"}
