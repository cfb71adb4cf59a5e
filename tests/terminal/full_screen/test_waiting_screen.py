"""Waiting for an opponent."""

from __future__ import annotations

from pathlib import Path

from parlour.client.client import connect
from parlour.protocol.types import Terms
from parlour.terminal.full_screen.start_screen import StartScreen
from parlour.terminal.full_screen.table_screen import TableScreen
from parlour.terminal.full_screen.waiting_screen import WaitingScreen
from tests.terminal.full_screen.screens import opened, signed_in


async def test_the_table_opens_with_the_opponent(address: str, tmp_path: Path) -> None:
    """The screen shows what is waited for, and then the game."""
    async with signed_in(address, tmp_path) as session, connect(address) as other, opened(session, tmp_path) as shown:
        pending = await session.client.challenge(Terms("mapello"))
        shown.app.show_waiting(pending, "A game for two.", Terms("mapello"))
        await shown.shows("Waiting for an opponent", "A game for two.")
        await other.accept(pending.seek)
        screen = await shown.at(TableScreen)
        assert screen.view.table.room == await pending.room()


async def test_escape_cancels(address: str, tmp_path: Path) -> None:
    """The seek is withdrawn, and the start screen is back."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        pending = await session.client.seek(Terms("mapello"))
        shown.app.show_waiting(pending, "A game for two.", Terms("mapello"))
        await shown.at(WaitingScreen)
        await shown.press("escape")
        await shown.at(StartScreen)
        assert pending.done


async def test_a_game_with_the_computer_while_waiting(address: str, tmp_path: Path) -> None:
    """C leaves the queue and starts the same game against the computer, once."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        pending = await session.client.queue(Terms("mapello"))
        shown.app.show_waiting(pending, "A game for two.", Terms("mapello"))
        await shown.at(WaitingScreen)
        await shown.press("c", "c")
        screen = await shown.at(TableScreen)
        assert pending.done
        assert screen.view.table.opponent is not None
        assert screen.view.table.opponent.bot
        assert len(session.client.ongoing_games) == 1


async def test_a_declined_invitation_is_said(address: str, tmp_path: Path) -> None:
    """The screen stops waiting, and says so."""
    async with (
        signed_in(address, tmp_path) as session,
        connect(address, name="Declining Deer") as other,
        opened(session, tmp_path) as shown,
    ):
        pending = await session.client.challenge(Terms("mapello"), to="Declining Deer")
        shown.app.show_waiting(pending, "You invited Declining Deer.", Terms("mapello"))
        await shown.shows("Waiting for 0:01")
        await other.decline(pending.seek)
        await shown.shows("The challenge was declined. Press c to play the computer, or Esc to go back.")
        await shown.press("escape")
        await shown.at(StartScreen)
