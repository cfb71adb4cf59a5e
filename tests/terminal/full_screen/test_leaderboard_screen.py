"""The strongest players of each game."""

from __future__ import annotations

from pathlib import Path

from parlour.terminal.full_screen.leaderboard_screen import LeaderboardScreen
from parlour.terminal.full_screen.start_screen import StartScreen
from tests.terminal.full_screen.screens import opened, signed_in


async def test_a_game_without_rated_players(address: str, tmp_path: Path) -> None:
    """Left and right switch the game; where no player is rated, a sentence says how to be the first."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.press("l")
        await shown.at(LeaderboardScreen)
        for card in session.client.games:
            await shown.shows(f"Leaderboard: {card.name}", "No player has a rating")
            await shown.press("right")
        await shown.press("q")
        await shown.at(StartScreen)
