"""The start screen: every way to start a game, and the lobby."""

from __future__ import annotations

from pathlib import Path

from parlour.client.client import connect
from parlour.client.terminal.help_screen import HelpScreen
from parlour.client.terminal.new_table_screen import NewTableScreen
from parlour.client.terminal.start_screen import StartScreen
from parlour.client.terminal.table_screen import TableScreen
from parlour.client.terminal.waiting_screen import WaitingScreen
from parlour.protocol.types import Clock, Terms
from tests.client.terminal.screens import opened, signed_in


async def test_the_menu_is_complete(address: str, tmp_path: Path) -> None:
    """All games for a quick match and all other entries fit on one screen of 80 x 24."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        text = await shown.shows("online,", "Open tables", "Your games")
        for card in session.client.games:
            assert card.name in text
        for words in ("Quick match", "New table", "The computer", "A friend, with a code", "Two players at this screen",
                      "Watch", "My games", "Leaderboard", "Rules", "Settings", "My account", "Quit",
                      "connected", session.client.you.name):  # fmt: skip
            assert words in text, words


async def test_an_open_table_appears_and_is_taken(address: str, tmp_path: Path) -> None:
    """Open tables are listed at once and can be filtered, and Enter joins one."""
    async with (
        signed_in(address, tmp_path) as session,
        connect(address, name="Seeking Seal") as other,
        opened(session, tmp_path) as shown,
    ):
        pending = await other.seek(Terms("mapello", clock=Clock("fischer", 300_000, 3_000)), "first")
        await shown.shows("Seeking Seal: Mapello  5 min + 3 s")
        await shown.press("slash", *"nothing", "enter")
        await shown.until(lambda: "Seeking Seal" not in shown.text)
        await shown.press("slash", *"seal", "enter")
        await shown.shows("Seeking Seal")
        await shown.press("tab")
        lists = shown.app.screen.query_one("#lists")
        lists.highlighted = lists.get_option_index(f"seek:{pending.seek}")  # type: ignore[attr-defined]
        await shown.press("enter")
        screen = await shown.at(TableScreen)
        assert screen.view.table.room == (await pending.table()).room


async def test_a_challenge_is_accepted_by_code(address: str, tmp_path: Path) -> None:
    """A code leads to the challenger's table; a wrong one is refused with a sentence."""
    async with signed_in(address, tmp_path) as session, connect(address) as other, opened(session, tmp_path) as shown:
        pending = await other.challenge(Terms("replica"))
        await shown.press("i", *"wrong", "enter")
        await shown.until(lambda: "What would you like to play?" not in shown.text)
        await shown.press("i", *pending.seek, "enter")
        await shown.at(TableScreen)


async def test_a_quick_match(address: str, tmp_path: Path) -> None:
    """Enter on a game queues for it; the table opens when an opponent is found."""
    async with signed_in(address, tmp_path) as session, connect(address) as other, opened(session, tmp_path) as shown:
        menu = shown.app.screen.query_one("#menu")
        menu.highlighted = menu.get_option_index("quick:mitsudomoe")  # type: ignore[attr-defined]
        await shown.press("enter")
        await shown.at(WaitingScreen)
        await shown.shows("Looking for an opponent", "Mitsudomoe  10 min + 5 s")
        pending = await other.queue(Terms("mitsudomoe", clock=Clock("fischer", 600_000, 5_000)))
        await shown.at(TableScreen)
        await pending.room()


async def test_waiting_can_be_stopped(address: str, tmp_path: Path) -> None:
    """Escape cancels the place in the queue."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        menu = shown.app.screen.query_one("#menu")
        menu.highlighted = menu.get_option_index("quick:isaac")  # type: ignore[attr-defined]
        await shown.press("enter")
        screen = await shown.at(WaitingScreen)
        await shown.press("escape")
        await shown.at(StartScreen)
        assert screen.pending.done


async def test_a_challenge_is_shown(address: str, tmp_path: Path) -> None:
    """A challenge by name is at the top of the list."""
    async with (
        signed_in(address, tmp_path, "Invited Ibex") as session,
        connect(address, name="Inviting Iguana") as other,
        opened(session, tmp_path) as shown,
    ):
        await other.challenge(Terms("replica"), to=session.client.you.name)
        await shown.shows("Challenges to you", "Inviting Iguana: Replica")


async def test_the_keys_of_the_menu(address: str, tmp_path: Path) -> None:
    """The letters in the menu work."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
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
