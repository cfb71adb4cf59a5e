"""A tournament on the screen."""

from __future__ import annotations

from pathlib import Path

from parlour.client.client import connect
from parlour.protocol.messages import Tournament, TournamentChanged, TournamentSummary
from parlour.protocol.types import Terms, TournamentSettings
from parlour.terminal.full_screen.question_screen import QuestionScreen
from parlour.terminal.full_screen.table_screen import TableScreen
from parlour.terminal.full_screen.tournament_screen import TournamentScreen, changed
from tests.client.cups import cup
from tests.terminal.full_screen.screens import opened, signed_in


async def test_a_player_enters_and_withdraws(address: str, tmp_path: Path) -> None:
    """With the code, a player enters and is listed; the player can withdraw and come back, and reads the chat."""
    async with (
        cup(address, "Screen arena", code="sesame", berserk=True, min_players=3) as (organiser, id),
        signed_in(address, tmp_path) as session,
        opened(session, tmp_path, size=(100, 30)) as shown,
    ):
        shown.app.show_tournament(id)
        await shown.at(TournamentScreen)
        await shown.shows("Screen arena", "waits for 3 more", "No players yet.")
        await shown.press("j", *"sesame", "enter")
        await shown.shows("waits for 2 more", f"*1  {session.client.you.name}")
        await organiser.tournaments.say(id, "Good luck!")
        await shown.shows(": Good luck!")
        await shown.press("w")
        await shown.at(QuestionScreen)
        await shown.press("n")
        await shown.at(TournamentScreen)
        await shown.shows("w withdraw")
        await shown.press("w")
        await shown.shows("Withdraw from it?", "You can join again", "y yes")
        await shown.press("y")
        await shown.shows("You have withdrawn.", "j join")
        await shown.press("j", *"sesame", "enter")
        await shown.shows("waits for 2 more")


async def test_the_keys_that_do_something_are_shown(address: str, tmp_path: Path) -> None:
    """A spectator can join, a player can pause, go on and withdraw, and a table is offered once there is one."""
    async with (
        cup(address, "Key arena", min_players=2) as (_, id),
        signed_in(address, tmp_path) as session,
        connect(address) as first,
        connect(address) as second,
        opened(session, tmp_path, size=(80, 24)) as shown,
    ):
        shown.app.show_tournament(id)
        await shown.at(TournamentScreen)
        await shown.shows("j join  c chat  Up/Down read  q back")
        await shown.press("w")
        await shown.shows("You do not take part.")
        await shown.press("j")
        await shown.shows("p pause  w withdraw  c chat  Up/Down read  q back")
        await shown.press("p")
        await shown.shows("You are not paired", "p resume  w withdraw")
        await first.join_tournament(id)
        await second.join_tournament(id)
        await shown.shows("t top table  p resume  w withdraw  c chat")
        await shown.press("t")
        await shown.at(TableScreen)
        await shown.press("q")
        await shown.at(TournamentScreen)  # and not the start screen
        await shown.shows("Key arena", "t top table")


async def test_narrow_windows(address: str, tmp_path: Path) -> None:
    """In 60 columns a long name ends with a sign, and of the standings only whole columns are shown."""
    name = "The long name of a Swiss tournament in the autumn of 2026"
    async with (
        cup(address, name, format="swiss", rounds=3, min_players=4) as (_, id),
        signed_in(address, tmp_path, "Long Named Jackdaw") as session,
        opened(session, tmp_path, size=(60, 24)) as shown,
    ):
        await session.client.join_tournament(id)
        shown.app.show_tournament(id)
        await shown.at(TournamentScreen)
        text = await shown.shows("The long name of a", "~ ● connected", "Points  Buchholz\n")
        assert "Sonneborn" not in text
        await shown.pilot.resize_terminal(100, 24)
        await shown.shows(f"{name} ", "Buchholz  Sonneborn-Berger")


async def test_a_game_opens_by_itself(address: str, tmp_path: Path) -> None:
    """A player who looks at the tournament is taken to the table, where B halves the clock."""
    async with (
        cup(address, "Opening arena", berserk=True) as (_, id),
        signed_in(address, tmp_path) as session,
        connect(address) as rival,
        opened(session, tmp_path, size=(100, 30)) as shown,
    ):
        shown.app.show_tournament(id)
        await shown.at(TournamentScreen)
        await shown.press("j")
        await shown.shows("You take part.")
        await rival.join_tournament(id)
        await shown.at(TableScreen)
        await shown.press("B")
        await shown.shows("Halve it?", "y yes")
        await shown.press("y")
        await shown.until(lambda: any(shown.table.view.table.replica.berserk))
        first = shown.table.view.table.room
        await shown.press("Q")
        await shown.shows("Resign?", "y yes")
        await shown.press("y")
        await shown.until(lambda: isinstance(shown.app.screen, TableScreen) and shown.table.view.table.room != first)


async def test_a_player_who_writes_is_not_interrupted(address: str, tmp_path: Path) -> None:
    """While a line is open, a game that begins is announced. It can be reached afterwards."""
    async with (
        cup(address, "Patient arena") as (_, id),
        signed_in(address, tmp_path) as session,
        connect(address) as rival,
        opened(session, tmp_path, size=(100, 30)) as shown,
    ):
        shown.app.show_tournament(id)
        await shown.at(TournamentScreen)
        await shown.press("j")
        await shown.shows("You take part.")
        await shown.press("c", *"hello")
        await rival.join_tournament(id)
        await shown.shows("You play ", "hello")
        await shown.press("enter", "t")
        await shown.at(TableScreen)


def test_a_change_replaces_parts() -> None:
    """What is not sent stays, and a change that arrives late is ignored."""
    settings = TournamentSettings(name="Cup", format="swiss", terms=Terms("replica"))
    before = Tournament(n=5, summary=TournamentSummary("t", settings, "running", 4), round=1, featured="old")
    after = changed(before, TournamentChanged(tournament="t", n=6, round=2))
    assert (after.n, after.round, after.summary, after.featured) == (6, 2, before.summary, None)
    assert changed(after, TournamentChanged(tournament="t", n=4, round=1)) is after
