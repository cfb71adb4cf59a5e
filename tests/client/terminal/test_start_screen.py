"""The first screen: every way to a table, and what goes on."""

from __future__ import annotations

from pathlib import Path

from parlour.client.parlour import connect
from parlour.client.terminal.help_screen import HelpScreen
from parlour.client.terminal.new_table_screen import NewTableScreen
from parlour.client.terminal.start_screen import StartScreen
from parlour.client.terminal.table_screen import TableScreen
from parlour.client.terminal.waiting_screen import WaitingScreen
from parlour.protocol.tables import Clock, Terms
from tests.client.terminal.screens import opened, visiting


async def test_every_way_is_listed(address: str, tmp_path: Path) -> None:
    """All games for a quick match, all ways to play and to look, on one screen of 80 x 24."""
    async with visiting(address, tmp_path) as visit, opened(visit, tmp_path) as shown:
        text = await shown.shows("here,", "Open tables", "Your games")
        for card in visit.parlour.games:
            assert card.name in text
        for words in ("Quick match", "New table", "The computer", "Friend, by invitation code", "Two people here",
                      "Watch", "My games", "Leaderboard", "Rules", "Settings", "My name and account", "Quit",
                      "connected", visit.parlour.you.name):  # fmt: skip
            assert words in text, words


async def test_an_open_table_appears_and_is_taken(address: str, tmp_path: Path) -> None:
    """What others put up is listed at once, can be filtered, and Enter sits down there."""
    async with (
        visiting(address, tmp_path) as visit,
        connect(address, name="Seeking Seal") as other,
        opened(visit, tmp_path) as shown,
    ):
        waiting = await other.seek(Terms("mapello", clock=Clock("fischer", 300_000, 3_000)), "first")
        await shown.shows("Seeking Seal: Mapello  5 min + 3 s")
        await shown.press("slash", *"nobody", "enter")
        await shown.until(lambda: "Seeking Seal" not in shown.text)
        await shown.press("slash", *"seal", "enter")
        await shown.shows("Seeking Seal")
        await shown.press("tab")
        lists = shown.app.screen.query_one("#lists")
        lists.highlighted = lists.get_option_index(f"seek:{waiting.seek}")  # type: ignore[attr-defined]
        await shown.press("enter")
        screen = await shown.at(TableScreen)
        assert screen.sitting.table.room == (await waiting.table()).room


async def test_a_friend_is_met_by_code(address: str, tmp_path: Path) -> None:
    """A code leads to the table of whoever made it; a wrong one costs a sentence."""
    async with visiting(address, tmp_path) as visit, connect(address) as other, opened(visit, tmp_path) as shown:
        waiting = await other.challenge(Terms("replica"))
        await shown.press("i", *"wrong", "enter")
        await shown.shows("invitation")
        await shown.press("i", *waiting.seek, "enter")
        await shown.at(TableScreen)


async def test_a_quick_match_waits_and_sits_down(address: str, tmp_path: Path) -> None:
    """Enter on a game takes a place in the queue; when somebody comes, the table is there."""
    async with visiting(address, tmp_path) as visit, connect(address) as other, opened(visit, tmp_path) as shown:
        menu = shown.app.screen.query_one("#menu")
        menu.highlighted = menu.get_option_index("quick:mitsudomoe")  # type: ignore[attr-defined]
        await shown.press("enter")
        await shown.at(WaitingScreen)
        await shown.shows("Looking for somebody", "Mitsudomoe  10 min + 5 s")
        waiting = await other.queue(Terms("mitsudomoe", clock=Clock("fischer", 600_000, 5_000)))
        await shown.at(TableScreen)
        await waiting.room()


async def test_waiting_can_be_stopped(address: str, tmp_path: Path) -> None:
    """Escape gives the place in the queue back."""
    async with visiting(address, tmp_path) as visit, opened(visit, tmp_path) as shown:
        menu = shown.app.screen.query_one("#menu")
        menu.highlighted = menu.get_option_index("quick:isaac")  # type: ignore[attr-defined]
        await shown.press("enter")
        screen = await shown.at(WaitingScreen)
        await shown.press("escape")
        await shown.at(StartScreen)
        assert screen.waiting.over


async def test_an_invitation_is_told_and_taken(address: str, tmp_path: Path) -> None:
    """Somebody who invites you by name is on top of the list."""
    async with (
        visiting(address, tmp_path, "Invited Ibex") as visit,
        connect(address, name="Inviting Iguana") as other,
        opened(visit, tmp_path) as shown,
    ):
        await other.challenge(Terms("replica"), to=visit.parlour.you.name)
        await shown.shows("You are invited", "Inviting Iguana: Replica")


async def test_the_keys_of_the_menu(address: str, tmp_path: Path) -> None:
    """Letters do what the menu says."""
    async with visiting(address, tmp_path) as visit, opened(visit, tmp_path) as shown:
        await shown.press("b")
        screen = await shown.at(NewTableScreen)
        assert screen.form.values["against"] == "computer"
        await shown.press("escape", "h")
        screen = await shown.at(NewTableScreen)
        await shown.until(lambda: screen.form.values["against"] in ("here", "computer"))
        await shown.press("escape")
        await shown.at(StartScreen)
        await shown.press("question_mark")
        await shown.at(HelpScreen)
        await shown.shows("At the table", "What the board shows")
        await shown.press("q")
        await shown.at(StartScreen)
        await shown.press("q")
        assert shown.app.return_code == 0
