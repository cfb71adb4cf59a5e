"""Watching a live game."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import OptionList

from parlour.client.client import connect
from parlour.protocol.types import Terms
from parlour.terminal.full_screen.table_screen import TableScreen
from parlour.terminal.full_screen.watch_screen import WatchScreen
from tests.terminal.full_screen.screens import opened, signed_in


async def test_a_game_is_watched(address: str, tmp_path: Path) -> None:
    """Live games are listed with their boards. The selected one stays selected and up to date; Enter opens it."""
    async with (
        signed_in(address, tmp_path) as session,
        connect(address, name="Watched Wren") as one,
        connect(address, name="Watched Vole") as other,
        opened(session, tmp_path) as shown,
    ):
        pending = await one.seek(Terms("mapello"), "first")
        await other.accept(pending.seek)
        table = await pending.table()
        await shown.press("w")
        screen = await shown.at(WatchScreen)
        live = screen.query_one("#live", OptionList)
        await shown.until(lambda: table.room in [option.id for option in live.options])
        live.highlighted = live.get_option_index(table.room)
        await shown.shows("Mapello, move 0: Watched Wren", " a   b   c ")
        await table.my_turn()
        await table.play("f7")
        await shown.shows("Mapello, move 1: Watched Wren")
        later = await one.seek(Terms("isaac"))
        second = await other.accept(later.seek)
        await shown.until(lambda: second.room in [option.id for option in live.options])
        await shown.press("enter")
        watched = await shown.at(TableScreen)
        assert watched.view.table.room == table.room
        assert watched.view.seat is None
        await shown.shows("Watched Vole", "V replay")


async def test_a_narrow_window_has_the_board_below(address: str, tmp_path: Path) -> None:
    """The list is above it, and moves beside it when the window is enlarged."""
    async with (
        signed_in(address, tmp_path) as session,
        connect(address, name="Narrow Newt") as one,
        connect(address, name="Narrow Gnu") as other,
        opened(session, tmp_path, size=(60, 24)) as shown,
    ):
        pending = await one.seek(Terms("mapello"), "first")
        room = (await other.accept(pending.seek)).room
        await shown.press("w")
        screen = await shown.at(WatchScreen)
        live, board = screen.query_one("#live", OptionList), screen.query_one("#board")
        await shown.until(lambda: room in [option.id for option in live.options])
        live.highlighted = live.get_option_index(room)
        await shown.shows("Mapello, move 0: Narrow Newt", " a   b   c ")
        assert board.region.y >= live.region.bottom
        await shown.pilot.resize_terminal(100, 24)
        await shown.until(lambda: board.region.x >= live.region.right and board.region.y == live.region.y)
        await shown.shows(" a   b   c ")
