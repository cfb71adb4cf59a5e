"""Terminals without Unicode."""

from __future__ import annotations

from pathlib import Path

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from parlour.terminal.full_screen.ascii_filter import AsciiFilter
from parlour.terminal.full_screen.rules_screen import RulesScreen
from parlour.terminal.full_screen.start_screen import StartScreen
from tests.terminal.full_screen.screens import opened, signed_in


def test_columns_are_kept() -> None:
    """Whatever is drawn takes as many columns as before, in the same style."""
    style = Style(bold=True)
    segments = [Segment("plain", style), Segment("🔎 a…│棋▆é", style)]
    filtered = AsciiFilter().apply(segments, Color(0, 0, 0))
    assert filtered == [Segment("plain", style), Segment("/  a.|?? ?", style)]
    assert [cell_len(each.text) for each in filtered] == [cell_len(each.text) for each in segments]


async def test_every_part_of_a_screen_is_ascii(address: str, tmp_path: Path) -> None:
    """Scroll bars and the command palette, too, which Textual draws."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path, unicode=False) as shown:
        await shown.at(StartScreen)
        await shown.press("ctrl+p")
        assert (await shown.shows("/  Search for commands.", "Key: i")).isascii()
        await shown.press("escape")
        await shown.at(StartScreen)
        await shown.press("r")
        await shown.at(RulesScreen)
        assert (await shown.shows("ISAAC")).isascii()
