"""Replaying a game."""

from __future__ import annotations

from pathlib import Path

from parlour.client.terminal.games_screen import GamesScreen
from parlour.client.terminal.replay_screen import ReplayScreen
from parlour.protocol.types import Terms
from tests.client.terminal.screens import opened, signed_in


async def test_a_finished_game_is_replayed(address: str, tmp_path: Path) -> None:
    """From the list of games: step, jump, assess and play automatically."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        view = await session.hotseat(Terms("mapello"))
        for seat, move in zip(view.seats, ("f7", "e7"), strict=True):
            await seat.table.my_turn()
            await seat.table.play(move)
        await view.resign()
        await view.table.over()
        await view.leave()
        await shown.press("m")
        await shown.at(GamesScreen)
        await shown.shows("Mapello", "2 moves")
        await shown.press("enter")
        screen = await shown.at(ReplayScreen)
        await shown.shows("Move 2 of 2: e7", "replay")
        await shown.press("left")
        await shown.shows("Move 1 of 2: f7")
        await shown.press("home")
        await shown.shows("Before the first of 2 moves.")
        await shown.press("1", "enter")
        await shown.shows("Move 1 of 2: f7")
        await shown.press("A")
        await shown.shows("looks best")
        await shown.press("home", "space")
        await shown.until(lambda: screen.replay.ply == 2)
        await shown.press("q")
        await shown.at(GamesScreen)
