"""The list of tournaments."""

from __future__ import annotations

from pathlib import Path

from parlour.terminal.full_screen.tournament_screen import TournamentScreen
from parlour.terminal.full_screen.tournaments_screen import TournamentsScreen
from tests.client.cups import cup
from tests.terminal.full_screen.screens import opened, signed_in


async def test_a_tournament_is_opened_from_the_list(address: str, tmp_path: Path) -> None:
    """Tournaments are listed below what they wait for; Enter opens one."""
    async with (
        cup(address, "Listed arena", start=0) as (organiser, id),
        signed_in(address, tmp_path) as session,
        opened(session, tmp_path, size=(100, 40)) as shown,
    ):
        await shown.press("t")
        screen = await shown.at(TournamentsScreen)
        await shown.shows("Open for entries", "Listed arena: Arena, 10 min")
        listed = screen.query_one("#tournaments")
        listed.highlighted = listed.get_option_index(id)  # type: ignore[attr-defined]
        await shown.press("enter")
        await shown.at(TournamentScreen)
        await shown.shows("Listed arena", "No players yet.")
        await organiser.tournaments.cancel(id)
        await shown.shows("cancelled")
        await shown.press("q")
        await shown.at(TournamentsScreen)
