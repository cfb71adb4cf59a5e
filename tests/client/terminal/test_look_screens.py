"""Screens to look at things: watching, old games, leaders, rules, settings, one's account."""

from __future__ import annotations

from pathlib import Path

from parlour.client.parlour import connect
from parlour.client.terminal.account_screen import AccountScreen
from parlour.client.terminal.form import Form
from parlour.client.terminal.games_screen import GamesScreen
from parlour.client.terminal.leaders_screen import LeadersScreen
from parlour.client.terminal.replay_screen import ReplayScreen
from parlour.client.terminal.rules_screen import RulesScreen
from parlour.client.terminal.settings_screen import SettingsScreen
from parlour.client.terminal.start_screen import StartScreen
from parlour.client.terminal.table_screen import TableScreen
from parlour.client.terminal.watch_screen import WatchScreen
from parlour.client.visit.settings import SettingsFile
from parlour.protocol.tables import Terms
from tests.client.terminal.screens import opened, visiting


async def test_a_game_is_watched(address: str, tmp_path: Path) -> None:
    """Live games are listed with their boards, and Enter goes there."""
    async with (
        visiting(address, tmp_path) as visit,
        connect(address, name="Watched Wren") as one,
        connect(address, name="Watched Vole") as other,
        opened(visit, tmp_path) as shown,
    ):
        waiting = await one.seek(Terms("mapello"))
        table = await other.accept(waiting.seek)
        await shown.press("w")
        screen = await shown.at(WatchScreen)
        await shown.shows("mapello Watched")
        live = screen.query_one("#live")
        live.highlighted = live.get_option_index(table.room)  # type: ignore[attr-defined]
        await shown.shows(" a   b   c ")
        await shown.press("enter")
        watched = await shown.at(TableScreen)
        assert watched.sitting.table.room == table.room
        assert watched.sitting.seat is None
        await shown.shows("to move:", "V look back")


async def test_an_old_game_is_looked_at(address: str, tmp_path: Path) -> None:
    """Step, jump, play by itself, ask the computer, save: from the list of one's games."""
    async with visiting(address, tmp_path) as visit, opened(visit, tmp_path) as shown:
        sitting = await visit.share(Terms("mapello"))
        for seat, move in zip(sitting.seats, ("f7", "e7"), strict=True):
            await seat.table.my_turn()
            await seat.table.play(move)
        await sitting.resign()
        await sitting.table.over()
        await sitting.leave()
        await shown.press("m")
        await shown.at(GamesScreen)
        await shown.shows("Mapello", "2 moves")
        await shown.press("enter")
        screen = await shown.at(ReplayScreen)
        await shown.shows("Move 2 of 2: e7", "looking back")
        await shown.press("left")
        await shown.shows("Move 1 of 2: f7")
        await shown.press("home")
        await shown.shows("Before the first of 2 moves.")
        await shown.press("1", "enter")
        await shown.shows("Move 1 of 2: f7")
        await shown.press("A")
        await shown.shows("looks best")
        await shown.press("home", "space")
        await shown.until(lambda: screen.replay.at == 2)
        await shown.press("q")
        await shown.at(GamesScreen)


async def test_the_rules_of_every_game_are_read_with_boards(address: str, tmp_path: Path) -> None:
    """Headings, text and boards of one game after the other."""
    async with visiting(address, tmp_path) as visit, opened(visit, tmp_path, size=(100, 60)) as shown:
        await shown.press("r")
        screen = await shown.at(RulesScreen)
        for card in visit.parlour.games:
            await shown.shows(f"Rules: {card.name}", card.name.upper(), " a  ")
            assert len(screen.query_one("#rules").lines) > 100  # type: ignore[attr-defined]
            await shown.press("right")
        await shown.press("q")
        await shown.at(StartScreen)


async def test_the_leaders_of_each_game(address: str, tmp_path: Path) -> None:
    """Left and right change the game; where nobody leads, a sentence says how one could."""
    async with visiting(address, tmp_path) as visit, opened(visit, tmp_path) as shown:
        await shown.press("l")
        await shown.at(LeadersScreen)
        for card in visit.parlour.games:
            await shown.shows(f"Leaderboard: {card.name}", "Nobody has a rating")
            await shown.press("right")
        await shown.press("q")
        await shown.at(StartScreen)


async def test_settings_are_kept(address: str, tmp_path: Path) -> None:
    """What is changed is in the file at once, and ASCII is drawn at once."""
    async with visiting(address, tmp_path) as visit, opened(visit, tmp_path) as shown:
        await shown.press("s")
        screen = await shown.at(SettingsScreen)
        form = screen.query_one("#form", Form)
        form.go("bell")
        await shown.press("right")
        form.go("characters")
        await shown.press("left")
        await shown.until(lambda: not shown.app.drawing.unicode)
        await shown.press("q")
        await shown.at(StartScreen)
        await shown.shows("o connected")

    kept = SettingsFile(tmp_path / "terminal.json").read()
    assert (kept.bell, kept.characters) == (False, "ascii")


async def test_a_name_is_kept_left_and_found_again(address: str, tmp_path: Path) -> None:
    """Register, sign out, sign in: each time the title says who one is."""
    async with visiting(address, tmp_path) as visit, opened(visit, tmp_path) as shown:
        await shown.press("a")
        screen = await shown.at(AccountScreen)
        form = screen.query_one("#form", Form)
        form.fields[0].value, form.fields[1].value = "Keeping Koala", "a long and strange password"
        form.go("register")
        await shown.press("enter")
        await shown.shows("You are Keeping Koala now.")
        form.go("sign_out")
        await shown.press("enter")
        await shown.shows(", a guest")
        assert visit.parlour.you.name != "Keeping Koala"
        form.go("sign_in")
        await shown.press("enter")
        await shown.until(lambda: visit.parlour.you.name == "Keeping Koala")
        await shown.shows("You are Keeping Koala now.")
        form.fields[1].value = "another password altogether"
        await shown.press("enter")
        await shown.shows("password")
        await shown.press("escape")
        await shown.shows("Keeping Koala", "here,")
