"""The players who are online."""

from __future__ import annotations

from pathlib import Path

from parlour.client.client import connect
from parlour.terminal.full_screen.games_screen import GamesScreen
from parlour.terminal.full_screen.new_table_screen import NewTableScreen
from parlour.terminal.full_screen.players_screen import PlayersScreen
from tests.terminal.full_screen.screens import opened, signed_in


async def test_a_player_is_invited_from_the_list(address: str, tmp_path: Path) -> None:
    """Everyone but the user is listed; g shows a player's games, and Enter opens the form with the name."""
    async with (
        signed_in(address, tmp_path) as session,
        connect(address, name="Aardvark Invited"),
        opened(session, tmp_path) as shown,
    ):
        await shown.press("o")
        screen = await shown.at(PlayersScreen)
        while "Aardvark Invited" not in shown.text:
            await shown.press("u")
            await shown.pilot.pause(0.1)
        assert session.client.you.name not in shown.text
        players = screen.query_one("#players")
        names = [row.player.name for row in screen.players]
        players.highlighted = names.index("Aardvark Invited")  # type: ignore[attr-defined]
        await shown.type_ahead("u", "g")  # the list can still be used while it is updated
        await shown.at(GamesScreen)
        await shown.press("q")
        await shown.at(PlayersScreen)
        await shown.press("enter")
        form = await shown.at(NewTableScreen)
        assert form.form.values["invited"] == "Aardvark Invited"
