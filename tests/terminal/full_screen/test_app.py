"""Navigation between screens."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.client.client import connect
from parlour.protocol.types import Terms
from parlour.terminal.full_screen.new_table_screen import NewTableScreen
from parlour.terminal.full_screen.page import Page
from parlour.terminal.full_screen.quit_screen import QuitScreen
from parlour.terminal.full_screen.settings_screen import SettingsScreen
from parlour.terminal.full_screen.start_screen import StartScreen
from parlour.terminal.full_screen.table_screen import TableScreen
from parlour.terminal.full_screen.watch_screen import WatchScreen
from parlour.terminal.ui.settings import SettingsFile
from tests.terminal.full_screen.screens import opened, signed_in


async def test_a_table_replaces_the_screens_that_led_to_it(address: str, tmp_path: Path) -> None:
    """Leaving it returns to the start screen, which lists the game as ongoing."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        shown.app.show_new_table(against="computer")
        await shown.at(NewTableScreen)
        view = await session.view(await session.client.play_computer(Terms("isaac"), "random"))
        shown.app.show_table(view)
        await shown.at(TableScreen)
        assert [type(screen) for screen in shown.app.screen_stack[1:]] == [StartScreen, TableScreen]
        await shown.press("q")
        await shown.shows("Leave?", "y yes")
        await shown.press("y")
        await shown.at(StartScreen)
        await shown.shows("Isaac against Computer")


async def test_settings_are_saved(address: str, tmp_path: Path) -> None:
    """A change is in the app and in the file."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        shown.app.save_settings(game="isaac")
        assert shown.app.settings.game == "isaac"
    assert SettingsFile(tmp_path / "terminal.json").read().game == "isaac"


async def test_the_app_follows_a_new_identity(address: str, tmp_path: Path) -> None:
    """After signing out, the title shows the new guest and the lobby is followed again."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        before = session.client.you.name
        await shown.shows(before)
        await session.sign_out()
        shown.app.identity_changed()
        await shown.shows(session.client.you.name, "online,")
        assert session.client.you.name != before


async def test_a_turn_in_another_game_is_announced_once(address: str, tmp_path: Path) -> None:
    """The start screen says that it is the player's turn, and so does another screen, but not about what was seen."""
    async with (
        signed_in(address, tmp_path) as session,
        connect(address, name="Turning Tern") as other,
        opened(session, tmp_path) as shown,
    ):
        pending = await other.seek(Terms("mapello"), "first")
        view = await session.view(await session.client.accept(pending.seek))
        theirs = await pending.table()
        shown.app.show_table(view)
        await shown.shows("Turning Tern is thinking.")
        await shown.press("q")
        await shown.shows("Leave?", "y yes")
        await shown.press("y")
        await shown.at(StartScreen)
        await shown.press("s")
        await shown.at(SettingsScreen)
        await theirs.my_turn()
        await theirs.play("f7")
        await shown.shows("It is your turn against Turning Tern")
        await shown.press("q")
        await shown.shows("It is your turn in 1 game: Tab, then Enter to play.", "Turning Tern, your turn")
        await shown.press("tab", "enter")
        await shown.at(TableScreen)
        await shown.my_turn()
        await shown.press("q")
        await shown.shows("Leave?", "y yes")
        await shown.press("y")
        text = await shown.shows("It is your turn in 1 game", "Turning Tern, your turn")
        assert "It is your turn against" not in text


async def test_a_private_game_waits_for_the_player(address: str, tmp_path: Path) -> None:
    """The lobby does not list it, and still the player is told of the turn and of the end."""
    async with (
        signed_in(address, tmp_path, "Private Puma") as session,
        connect(address, name="Secret Swan") as other,
        opened(session, tmp_path) as shown,
    ):
        pending = await other.challenge(Terms("mapello"), seat="first")
        shown.app.show_table(await session.view(await session.client.accept(pending.seek)))
        theirs = await pending.table()
        await shown.shows("Secret Swan is thinking.")
        await shown.press("q")
        await shown.shows("Leave?", "y yes")
        await shown.press("y")
        await shown.at(StartScreen)
        await shown.press("s")
        await shown.at(SettingsScreen)
        await theirs.until(lambda table: not table.players[1].online)
        await theirs.play("f7")
        await shown.shows("It is your turn against Secret Swan")
        await shown.press("q")
        await shown.shows("It is your turn in 1 game", "Mapello against Secret Swan, your turn")
        assert shown.app.your_turns == {theirs.room}
        await shown.press("s")
        await shown.at(SettingsScreen)
        await theirs.resign()
        await shown.shows("Your game against Secret Swan is over")
        await shown.press("q")
        await shown.shows("What would you like to play?", "None.")


@pytest.mark.parametrize(
    ("keys", "leads_to"),
    [
        ("w q q q", WatchScreen),
        ("q y y Y", QuitScreen),
        ("s escape q y", SettingsScreen),
        ("n escape q enter", NewTableScreen),
        ("b ctrl+s ctrl+s", NewTableScreen),
    ],
)
async def test_type_ahead_is_no_command(address: str, tmp_path: Path, keys: str, leads_to: type[Page]) -> None:
    """What was typed before a screen was drawn was not meant for it: only the first key does something."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.at(StartScreen)
        await shown.type_ahead(*keys.split())
        await shown.at(leads_to)
        assert not session.client.ongoing_games


async def test_type_ahead_is_no_name_in_the_palette(address: str, tmp_path: Path) -> None:
    """The palette takes only what was typed after it had been drawn."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.at(StartScreen)
        await shown.type_ahead("ctrl+p", *"quit", "enter")
        await shown.shows("Search for commands")
        await shown.press("escape")
        await shown.at(StartScreen)
        names = [command.title for command in shown.app.get_system_commands(shown.app.screen)]
        assert len(names) == len(set(names))
        assert "Quick match: Isaac" in names
        await shown.press("ctrl+p", *"quit")
        await shown.shows("Key: q")
        await shown.press("enter")
        await shown.at(QuitScreen)
