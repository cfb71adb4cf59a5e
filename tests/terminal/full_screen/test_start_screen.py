"""The start screen: every way to start a game, and the lobby."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events
from textual.widgets import OptionList

from parlour.client.client import connect
from parlour.client.tokens import TokenFile
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import Challenged, LiveGame, OpenSeek
from parlour.protocol.types import Clock, Player, Terms
from parlour.terminal.full_screen.help_screen import HelpScreen
from parlour.terminal.full_screen.new_table_screen import NewTableScreen
from parlour.terminal.full_screen.quit_screen import QuitScreen
from parlour.terminal.full_screen.start_screen import StartScreen
from parlour.terminal.full_screen.table_screen import TableScreen
from parlour.terminal.full_screen.waiting_screen import WaitingScreen
from parlour.terminal.ui.player_session import PlayerSession
from tests.terminal.full_screen.screens import opened, signed_in


async def test_the_menu_is_complete(address: str, tmp_path: Path) -> None:
    """All games for a quick match and all other entries fit on one screen of 80 x 24."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        text = await shown.shows("online,", "Open tables", "Your games")
        for card in session.client.games:
            assert card.name in text
        for words in ("Quick match", "New table", "Play the computer", "A friend, with a code",
                      "Two players on this screen", "Learn a game", "Invite a player by name", "Who is online",
                      "Tournaments", "Watch", "My games", "Leaderboard", "Rules", "Settings", "My account", "Quit",
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


async def test_an_invitation_is_shown_and_declined(address: str, tmp_path: Path) -> None:
    """An invitation by name is at the top of the list, and x declines it."""
    async with (
        signed_in(address, tmp_path, "Invited Ibex") as session,
        connect(address, name="Inviting Iguana") as other,
        opened(session, tmp_path) as shown,
    ):
        pending = await other.challenge(Terms("replica"), to=session.client.you.name)
        await shown.shows("Invitations", "Inviting Iguana: Replica", "1 player invited you")
        await shown.press("x")
        await shown.shows("You declined the invitation.")
        with pytest.raises(Refusal, match="declined"):
            await pending.room()


async def test_the_keys_of_the_menu(address: str, tmp_path: Path) -> None:
    """The letters in the menu work."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.press("b")
        screen = await shown.at(NewTableScreen)
        assert screen.form.values["against"] == "computer"
        await shown.press("escape")
        await shown.at(StartScreen)
        await shown.press("h")
        screen = await shown.at(NewTableScreen)
        assert screen.form.values["against"] == "here"
        await shown.press("escape")
        await shown.at(StartScreen)
        await shown.press("question_mark")
        await shown.at(HelpScreen)
        await shown.shows("On the board", "At the table")
        await shown.press("q")
        await shown.at(StartScreen)
        await shown.press("q")
        await shown.at(QuitScreen)


async def test_a_player_is_invited_by_name(address: str, tmp_path: Path) -> None:
    """The name is typed, the form asks for the rest, and the game starts when the player accepts."""
    async with (
        signed_in(address, tmp_path) as session,
        connect(address, name="Named Newt") as other,
        opened(session, tmp_path) as shown,
    ):
        notifications = other.notifications()
        await shown.press("v", *"Named Newt", "enter")
        await shown.at(NewTableScreen)
        await shown.press("ctrl+s")
        await shown.at(WaitingScreen)
        await shown.shows("You invited Named Newt")
        challenged = await anext(notifications)
        assert isinstance(challenged, Challenged)
        await other.accept(challenged.seek)
        await shown.at(TableScreen)


async def test_typed_text_is_never_a_command(address: str, tmp_path: Path) -> None:
    """All keys of a line that arrive at once go into the line that the first one opened."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        screen = await shown.at(StartScreen)
        menu = screen.query_one("#menu")
        for key in "/quick bar q":
            menu.post_message(events.Key("slash" if key == "/" else "space" if key == " " else key, key))
        await shown.shows("Filter: quick bar q")
        await shown.press("enter")
        await shown.shows("only “quick bar q”")


async def test_hints_of_lines_fit(address: str, tmp_path: Path) -> None:
    """In 60 columns, the hint in an empty line is not cut off."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path, size=(60, 24)) as shown:
        for key, end in (("v", "a player"), ("i", "invite a friend"), ("/", "with this text")):
            await shown.press(key)
            await shown.shows(end)
            await shown.press("escape")
        shown.app.show_table(await session.hotseat(Terms("replica")))
        await shown.at(TableScreen)
        await shown.press(":")
        await shown.shows("Esc cancels")


async def test_games_are_counted(address: str, tmp_path: Path) -> None:
    """One game is not "1 games"."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.shows("online, ")
        screen = await shown.at(StartScreen)
        assert screen.lobby is not None
        screen.lobby.live = {"R": LiveGame("R", "isaac", ())}
        screen.show_lists()
        await shown.shows("online, 1 game")
        assert "1 games" not in shown.text


async def test_offline_the_computer_comes_first(address: str, tmp_path: Path) -> None:
    """The screen says so, and how to meet other players; what needs no one else comes first."""
    tokens = TokenFile(tmp_path / "tokens.json")
    async with (
        PlayerSession(address, token_key="local", tokens=tokens) as session,
        opened(session, tmp_path) as shown,
    ):
        text = await shown.shows("offline", "parlour play --server", "serve.")
        assert "Quick match" not in text
        assert text.splitlines()[2].split("│")[0].strip().startswith("> Play the computer")
        await shown.press("enter")
        screen = await shown.at(NewTableScreen)
        against = next(field for field in screen.form.fields if field.key == "against")
        assert [choice.value for choice in against.choices[:3]] == ["computer", "here", "computers"]
        await shown.press("escape")
        await shown.at(StartScreen)
        await shown.press("n")  # for the other terminals of the user
        screen = await shown.at(NewTableScreen)
        assert screen.form.values["against"] == "open"


async def test_notices_about_the_session_are_shown_whole(address: str, tmp_path: Path) -> None:
    """A name that is taken and another terminal of the same player need more than two lines."""
    async with signed_in(address, tmp_path) as first, signed_in(address, tmp_path) as session:
        session.notices.insert(0, f"The name Bartholomew is taken here. You are {first.client.you.name}.")
        async with opened(session, tmp_path, size=(60, 24)) as shown:
            await shown.shows("The name Bartholomew is taken", "with --profile NAME.", "What would you like to play?")


async def test_the_selected_table_stays_selected(address: str, tmp_path: Path) -> None:
    """The first line that can be chosen is selected, and stays so when other lines appear before it."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        screen = await shown.at(StartScreen)
        await shown.shows("online, ")
        assert screen.lobby is not None
        lists = screen.query_one("#lists", OptionList)
        seeks = [OpenSeek(name, Player(name), Terms("isaac")) for name in ("Later Lark", "Early Emu")]
        screen.lobby.seeks = {seeks[1].seek: seeks[1]}
        screen.show_lists()
        assert lists.highlighted_option is not None
        assert lists.highlighted_option.id == "seek:Early Emu"
        screen.lobby.seeks = {seek.seek: seek for seek in seeks}
        screen.show_lists()
        assert lists.highlighted_option.id == "seek:Early Emu"
