"""Blocking, muting and reporting on a screen of the terminal client."""

from __future__ import annotations

from pathlib import Path

from parlour.client.client import connect
from parlour.terminal.full_screen.form import Form
from parlour.terminal.full_screen.player_screen import PlayerScreen
from tests.terminal.full_screen.screens import opened, signed_in


async def test_a_player_is_muted_blocked_and_reported(address: str, tmp_path: Path) -> None:
    """Each button says what it did; without a name nothing is done."""
    async with (
        signed_in(address, tmp_path) as session,
        connect(address, name="Rude Rook"),
        opened(session, tmp_path) as shown,
    ):
        shown.pilot.app.show_player("Rude Rook")  # type: ignore[attr-defined]
        screen = await shown.at(PlayerScreen)
        await shown.press("enter")
        await shown.shows("You have muted Rude Rook.")
        form = screen.query_one("#form", Form)
        for action, words in (("unmute", "unmuted"), ("block", "blocked"), ("report", "reported")):
            form.go(action)
            await shown.press("enter")
            await shown.shows(f"You have {words} Rude Rook.")
        found = await session.client.moderation.block_list()
        assert (found.blocked, found.muted) == (("Rude Rook",), ())
        form.fields[0].value = ""
        await shown.press("enter")
        await shown.shows("Enter the name of the player first.")
