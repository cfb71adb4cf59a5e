"""Watching a live game."""

from __future__ import annotations

from pathlib import Path

from parlour.client.client import connect
from parlour.client.terminal.table_screen import TableScreen
from parlour.client.terminal.watch_screen import WatchScreen
from parlour.protocol.types import Terms
from tests.client.terminal.screens import opened, signed_in


async def test_a_game_is_watched(address: str, tmp_path: Path) -> None:
    """Live games are listed with their boards, and Enter opens one."""
    async with (
        signed_in(address, tmp_path) as session,
        connect(address, name="Watched Wren") as one,
        connect(address, name="Watched Vole") as other,
        opened(session, tmp_path) as shown,
    ):
        pending = await one.seek(Terms("mapello"))
        table = await other.accept(pending.seek)
        await shown.press("w")
        screen = await shown.at(WatchScreen)
        await shown.shows("mapello Watched")
        live = screen.query_one("#live")
        live.highlighted = live.get_option_index(table.room)  # type: ignore[attr-defined]
        await shown.shows(" a   b   c ")
        await shown.press("enter")
        watched = await shown.at(TableScreen)
        assert watched.view.table.room == table.room
        assert watched.view.seat is None
        await shown.shows("to move:", "V replay")
