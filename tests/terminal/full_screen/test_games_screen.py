"""The finished games of a player."""

from __future__ import annotations

from pathlib import Path

from parlour.client.client import Client
from parlour.protocol.types import Terms
from parlour.terminal.full_screen.games_screen import GamesScreen
from parlour.terminal.full_screen.replay_screen import ReplayScreen
from tests.terminal.full_screen.screens import opened, signed_in
from tests.waiting import until


async def is_listed(client: Client) -> bool:
    """Return whether the player has a finished game."""
    return bool((await client.records.page(player=client.you.name)).rows)


async def test_finished_games_are_listed_and_opened(address: str, tmp_path: Path) -> None:
    """First there are none; then one, which Enter replays."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.press("m")
        await shown.at(GamesScreen)
        await shown.shows(f"Games of {session.client.you.name}", "No finished games yet.")
        await shown.press("q")
        view = await session.hotseat(Terms("replica"))
        await view.resign()
        await view.table.over()
        await until(lambda: is_listed(session.client))  # a moment after its end
        await shown.press("m")
        await shown.at(GamesScreen)
        text = await shown.shows("> Replica: ", "Black won, 0 moves")
        assert len([line for line in text.splitlines()[1:-2] if line]) == 2  # and none of them is wrapped
        await shown.press("enter")
        await shown.at(ReplayScreen)
