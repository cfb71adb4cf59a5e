"""The command palette."""

from __future__ import annotations

from pathlib import Path

from textual.command import CommandList

from parlour.terminal.full_screen.new_table_screen import NewTableScreen
from parlour.terminal.full_screen.palette import Palette
from parlour.terminal.full_screen.start_screen import StartScreen
from parlour.terminal.full_screen.tournament_screen import TournamentScreen
from tests.client.cups import cup
from tests.terminal.full_screen.screens import opened, signed_in


async def test_the_keys_of_a_tournament_are_commands(address: str, tmp_path: Path) -> None:
    """What can be done in a tournament is found by name."""
    async with (
        cup(address, "Palette arena", min_players=3) as (_, id),
        signed_in(address, tmp_path) as session,
        opened(session, tmp_path) as shown,
    ):
        shown.app.show_tournament(id)
        await shown.at(TournamentScreen)
        await shown.shows("j join")
        await shown.press("ctrl+p")
        await shown.shows("Search for commands")
        await shown.press(*"join")
        await shown.shows("Key: j")
        await shown.press("enter")
        await shown.at(TournamentScreen)
        await shown.shows("You take part.", "p pause")


async def test_a_closed_palette_does_nothing_more(address: str, tmp_path: Path) -> None:
    """What it would have shown a moment later is not missed by anyone."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.at(StartScreen)
        await shown.press("ctrl+p")
        await shown.shows("Search for commands")
        palette, done = shown.app.screen, []
        assert isinstance(palette, Palette)
        palette.set_timer(0.01, lambda: done.append("while open"))
        await shown.until(lambda: bool(done))
        palette.set_timer(0.01, lambda: done.append("when closed"))
        await shown.app.pop_screen()
        await shown.at(StartScreen)
        await shown.pilot.pause(0.05)
        assert done == ["while open"]


async def test_keys_before_the_list_is_laid_out(address: str, tmp_path: Path) -> None:
    """They are ignored, like everything that was typed before it could be seen."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.at(StartScreen)
        for key in ("pagedown", "pageup", "enter"):
            await shown.press("ctrl+p")
            await shown.until(lambda: isinstance(shown.app.screen, Palette) and shown.app.is_drawn)
            palette = shown.app.screen
            assert isinstance(palette, Palette)
            commands = palette.query_one(CommandList)
            commands.styles.max_height = 0
            await shown.press("q", "u")
            await shown.until(lambda commands=commands: commands.option_count > 0)  # type: ignore[misc]
            await shown.until(lambda commands=commands: not commands.scrollable_content_region)  # type: ignore[misc]
            commands.highlighted = 0
            await shown.press(key)
            assert shown.app.screen is palette
            await shown.press("escape")
            await shown.at(StartScreen)


async def test_a_palette_that_is_closed_while_it_searches(address: str, tmp_path: Path) -> None:
    """An opponent was found: the table takes its place, and the search ends."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.at(StartScreen)
        for _ in range(5):
            await shown.press("ctrl+p")
            await shown.until(lambda: isinstance(shown.app.screen, Palette) and shown.app.is_drawn)
            await shown.type_ahead(*"xyz")
            shown.app.show_new_table()
            await shown.at(NewTableScreen)
            await shown.app.pop_screen()
            await shown.at(StartScreen)


async def test_a_palette_that_is_closed_before_it_is_mounted(address: str, tmp_path: Path) -> None:
    """It starts no search."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.at(StartScreen)
        shown.app.action_command_palette()
        await shown.app.pop_screen()
        await shown.at(StartScreen)
        await shown.press("ctrl+p")
        await shown.shows("Search for commands")
