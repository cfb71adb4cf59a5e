"""A table: moves with the keyboard, the mouse and as text, offers, chat, and leaving."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from textual import events

from parlour.client.client import connect
from parlour.protocol.types import Terms
from parlour.terminal.full_screen.help_screen import HelpScreen
from parlour.terminal.full_screen.paint import Lines
from parlour.terminal.full_screen.replay_screen import ReplayScreen
from parlour.terminal.full_screen.rules_screen import RulesScreen
from parlour.terminal.full_screen.start_screen import StartScreen
from parlour.terminal.full_screen.table_screen import TableScreen
from parlour.terminal.ui.settings import Settings
from parlour.terminal.ui.table_view import TableView
from tests.terminal.full_screen.screens import Opened, opened, signed_in


@asynccontextmanager
async def against_computer(
    address: str, folder: Path, game: str, *, size: tuple[int, int] = (80, 24), settings: Settings | None = None
) -> AsyncIterator[tuple[Opened, TableView]]:
    """A game against the computer, on the screen."""
    async with signed_in(address, folder) as session:
        view = await session.view(await session.client.play_computer(Terms(game), "random"))
        async with opened(session, folder, view=view, size=size, settings=settings) as shown:
            yield shown, view


def picked(view: TableView) -> tuple[int, ...]:
    return () if view.turn is None else view.turn.picks


async def test_a_turn_by_arrows_and_enter(address: str, tmp_path: Path) -> None:
    """The cursor moves cell by cell; Enter chooses, and the last choice plays the turn."""
    async with against_computer(address, tmp_path, "replica") as (shown, view):
        await shown.my_turn()
        await shown.press("e", "7", "enter")
        await shown.until(lambda: picked(view) == (52,) and bool(view.legal_picks))
        # White sits at the top, so the board is rotated: right on the screen is left on the board.
        assert shown.table.flipped
        await shown.press("right", "up", "enter")
        await shown.until(lambda: len(view.table.moves) >= 1)

        assert view.table.moves[0] == "e7-d6"


async def test_a_turn_by_mouse(address: str, tmp_path: Path) -> None:
    """A click on a piece chooses it, and a click on a cell plays the move, also on a rotated board."""
    async with against_computer(address, tmp_path, "replica") as (shown, view):
        await shown.my_turn()
        await shown.click(52)
        await shown.until(lambda: picked(view) == (52,) and bool(view.legal_picks))
        await shown.click(43)
        await shown.until(lambda: len(view.table.moves) >= 1)

        assert view.table.moves[0] == "e7-d6"


async def test_a_slot_beside_the_board_by_mouse(address: str, tmp_path: Path) -> None:
    """A piece in hand is clicked like a cell."""
    async with against_computer(address, tmp_path, "isaac") as (shown, _):
        await shown.my_turn()
        sidebar = shown.table.query_one("#sidebar", Lines)
        y, x = next((y, line.index("[5x3]")) for y, line in enumerate(sidebar.text.splitlines()) if "[5x3]" in line)
        await shown.pilot.click(sidebar, offset=(x + 3, y))
        await shown.shows("Bar of 5: choose its first end.")


async def test_a_turn_by_typing(address: str, tmp_path: Path) -> None:
    """A colon opens an input line for a move or for picks; an illegal move is explained."""
    async with against_computer(address, tmp_path, "replica") as (shown, view):
        await shown.my_turn()
        await shown.press("colon", *"e7-a1", "enter")
        await shown.shows("cannot be chosen")
        await shown.press("colon", *"e7", "space", *"d6", "enter")
        await shown.until(lambda: len(view.table.moves) >= 1)

        assert view.table.moves[0] == "e7-d6"


async def test_choices_are_undone_step_by_step(address: str, tmp_path: Path) -> None:
    """Backspace undoes one choice, and so does Escape."""
    async with against_computer(address, tmp_path, "isaac") as (shown, view):
        await shown.my_turn()
        await shown.press("5", "enter", "a", "1", "enter")
        await shown.shows("choose its other end", "this turn", "1 bar of 5", "2 a1")
        await shown.press("backspace")
        await shown.shows("choose its first end")
        await shown.press("escape")
        await shown.shows("Choose a bar to place.")

        assert view.turn is not None
        assert view.turn.picks == ()


async def test_tab_moves_between_legal_choices(address: str, tmp_path: Path) -> None:
    """The status says what each choice would do."""
    async with against_computer(address, tmp_path, "mapello") as (shown, _):
        await shown.my_turn()
        await shown.shows("e4: turns 1")
        await shown.press("tab")
        await shown.shows("d5: turns 1")
        await shown.press("shift+tab", "shift+tab")
        await shown.shows("f7: turns 1")


async def test_a_turn_can_be_confirmed_first(address: str, tmp_path: Path) -> None:
    """With the setting, Enter must be pressed once more."""
    async with against_computer(address, tmp_path, "mapello", settings=Settings(confirm=True)) as (shown, view):
        await shown.my_turn()
        await shown.press("f", "7", "enter")
        await shown.shows("Your move is complete. Play it?")
        assert view.table.ply == 0
        await shown.press("enter")
        await shown.until(lambda: view.table.ply >= 1)


async def test_takeback_resigning_and_rematch(address: str, tmp_path: Path) -> None:
    """The computer accepts takebacks and rematches; resigning must be confirmed; a rematch switches sides."""
    async with against_computer(address, tmp_path, "mapello") as (shown, view):
        await shown.my_turn()
        await shown.press("f", "7", "enter")
        await shown.until(lambda: view.table.ply >= 2)
        await shown.press("T")
        await shown.shows("The last move was taken back. 0 moves are left.")
        await shown.press("Q")
        await shown.shows("You would lose the game. Resign?", "y yes")
        await shown.press("y")
        await shown.shows("You lost: you resigned.", "R rematch")
        await shown.press("R")
        await shown.shows("The rematch starts.")
        assert shown.table.view.table.room != view.table.room
        assert shown.table.view.seat == 1


async def test_a_hint_points_at_the_best_move(address: str, tmp_path: Path) -> None:
    """In a casual game the computer suggests a move."""
    async with against_computer(address, tmp_path, "replica") as (shown, _):
        await shown.my_turn()
        await shown.press("H")
        await shown.shows("looks best")


async def test_offers_and_chat(address: str, tmp_path: Path) -> None:
    """Y and N answer an offer; chat messages are shown beside the board."""
    async with signed_in(address, tmp_path) as session, connect(address, name="Offering Otter") as other:
        pending = await other.challenge(Terms("mapello"), seat="first")
        view = await session.view(await session.client.accept(pending.seek))
        theirs = await pending.table()
        async with opened(session, tmp_path, view=view) as shown:
            await shown.shows("Offering Otter is thinking.")
            await theirs.say("Good luck")
            await shown.shows("chat", "Good luck")
            await shown.press("C", *"Thanks", "enter")
            await theirs.until(lambda table: any(said.text == "Thanks" for said in table.chat))
            await theirs.offer("draw")
            await shown.shows("Offering Otter offers a draw.", "Y accept draw")
            await shown.press("N")
            await shown.until(lambda: not view.offers)
            await theirs.play("f7")
            await shown.my_turn()
            await theirs.offer("draw")
            await shown.shows("Y accept")
            await shown.press("Y")
            await shown.shows("The game would end in a draw. Agree to it?", "y yes")
            await shown.press("y")
            await shown.shows("Draw: you both agreed.")


async def test_the_first_move_is_chosen_on_a_custom_board(address: str, tmp_path: Path) -> None:
    """The player who did not design the board decides who moves first."""
    board = (
        "##########/#........#/#........#/#........#/#...XO...#/#...OX...#/#........#/#........#/#........#/##########"
    )
    async with signed_in(address, tmp_path) as session, connect(address) as other:
        pending = await other.challenge(Terms("mapello", {"board": board}), seat="first")
        view = await session.view(await session.client.accept(pending.seek))
        async with opened(session, tmp_path, view=view) as shown:
            await shown.shows("who moves first?", "1 I move first", "custom board")
            await shown.press("1")
            await shown.my_turn()

            assert view.seat == 0


async def test_a_hotseat_game(address: str, tmp_path: Path) -> None:
    """Both players move at this screen, and the status says whose turn it is."""
    async with signed_in(address, tmp_path) as session:
        view = await session.hotseat(Terms("mapello"))
        async with opened(session, tmp_path, view=view) as shown:
            await shown.shows("(Black): Choose a cell.")
            await shown.press("f", "7", "enter")
            await shown.shows("(White): Choose a cell.")
            await shown.press("e", "7", "enter")
            await shown.until(lambda: view.table.ply == 2)
            await shown.press("T")
            await shown.shows("The last move was taken back.")


async def test_a_small_window_asks_for_more_room(address: str, tmp_path: Path) -> None:
    """Moves can still be typed, and the board returns when the window is large enough."""
    async with against_computer(address, tmp_path, "mapello", size=(50, 12)) as (shown, view):
        await shown.shows("This window has 50 x 12 characters", "Enlarge the window")
        await shown.press("colon", *"f7", "enter")
        await shown.until(lambda: view.table.ply >= 1)
        await shown.pilot.resize_terminal(80, 24)
        await shown.shows("moves", "f7", " a   b   c ")


async def test_keys_open_other_screens(address: str, tmp_path: Path) -> None:
    """Help, rules and replay open above the table; q returns to the start screen."""
    async with against_computer(address, tmp_path, "mapello") as (shown, _):
        for key, kind in (("question_mark", HelpScreen), ("L", RulesScreen), ("V", ReplayScreen)):
            await shown.press(key)
            await shown.at(kind)
            await shown.press("q")
            await shown.at(TableScreen)
        flipped = shown.table.flipped
        await shown.press("F")
        assert shown.table.flipped != flipped
        await shown.press("q")
        await shown.shows("Leave?", "y yes")
        await shown.press("y")
        await shown.at(StartScreen)
        await shown.shows("Mapello against Computer")


async def test_every_offer_and_its_outcome(address: str, tmp_path: Path) -> None:
    """Asking is confirmed, every answer is told, and a rematch that is offered after the result is shown with it."""
    async with signed_in(address, tmp_path) as session, connect(address, name="Answering Asp") as other:
        pending = await other.challenge(Terms("mapello"), seat="second")
        view = await session.view(await session.client.accept(pending.seek))
        theirs = await pending.table()
        async with opened(session, tmp_path, view=view) as shown:
            await shown.my_turn()
            await shown.press("f", "7", "enter")
            await theirs.my_turn()
            await shown.press("T")
            await shown.shows("You asked for a takeback. Answering Asp has not answered yet.", "N withdraw")
            await theirs.answer("takeback", False)
            await shown.shows("Answering Asp declined the takeback.", "Answering Asp is thinking.")
            await shown.press("D")
            await shown.shows("Offer Answering Asp a draw?", "y yes")
            await shown.press("y")
            await shown.shows("You offered a draw. Answering Asp has not answered yet.")
            await shown.press("N")
            await shown.shows("You withdrew the draw offer.")
            await theirs.resign()
            await shown.shows("You won: Answering Asp resigned.", "R rematch")
            await theirs.offer("rematch")
            await shown.shows("You won. Answering Asp offers a rematch.", "Y accept rematch")
            await shown.press("Y")
            await shown.shows("The rematch starts.")


async def test_both_answers_to_an_offer_fit_a_narrow_window(address: str, tmp_path: Path) -> None:
    """The key line names what Y and N would answer."""
    async with signed_in(address, tmp_path) as session, connect(address, name="Narrow Newt") as other:
        pending = await other.challenge(Terms("mapello"), seat="first")
        view = await session.view(await session.client.accept(pending.seek))
        theirs = await pending.table()
        async with opened(session, tmp_path, view=view, size=(60, 24)) as shown:
            await theirs.play("f7")
            for offer in ("takeback", "draw"):
                await theirs.offer(offer)
                await shown.shows(f"Y accept {offer}  N decline {offer}  ? keys  q leave")
                await shown.press("N")
                await shown.shows(f"You declined the {offer}.")
            await theirs.resign()
            await theirs.offer("rematch")
            await shown.shows("Y accept rematch  N decline rematch  ? keys  q leave")


async def test_a_burst_of_text_is_never_a_command(address: str, tmp_path: Path) -> None:
    """Keys that arrive all at once go into the line that the first one opened, and no question is answered by them."""
    async with against_computer(address, tmp_path, "mapello") as (shown, view):
        await shown.my_turn()
        for text in ("CQQuick game", "Qy", "QY", "Dy", "qy", "Ay"):
            for key in text:
                shown.table.post_message(events.Key("space" if key == " " else key, key))
            await shown.until(lambda text=text: "QQuick game" in shown.text or "n no" in shown.text)  # type: ignore[misc]
            await shown.press("escape")
            await shown.until(lambda: shown.table.input.line is None and shown.table.input.question is None)
        assert view.table.result is None
        for key in ":f7\r":
            name = {":": "colon", "\r": "enter"}.get(key, key)
            shown.table.post_message(events.Key(name, key))
        await shown.until(lambda: view.table.ply >= 1)
        assert view.table.moves[0] == "f7"


async def test_bursts_of_random_keys(address: str, tmp_path: Path) -> None:
    """The real screen survives them, and the game goes on: no burst ends it or leaves the table."""
    rng = Random(7)
    keys = [*"QDYyNnqAaCTRHFW:/e5f712 " * 9, *"?LV", *("enter", "tab", "escape", "backspace", "up", "pagedown") * 9]
    async with against_computer(address, tmp_path, "replica") as (shown, view):
        await shown.my_turn()
        screen = shown.table
        for _ in range(20):
            for key in rng.choices(keys, k=rng.randrange(1, 160)):
                screen.post_message(events.Key(key, key if len(key) == 1 else None))
            await shown.pilot.pause()
            screen.input.close()
            while shown.app.screen is not screen:
                await shown.app.pop_screen()
        assert screen.is_open
        assert view.table.result is None


async def test_an_impossible_choice_is_explained(address: str, tmp_path: Path) -> None:
    """A click on a cell that cannot be chosen, and the key of an action that is not possible."""
    async with against_computer(address, tmp_path, "mapello") as (shown, _):
        await shown.my_turn()
        await shown.click(22)
        await shown.shows("c3 cannot be chosen: a disc there would turn none.", "Choose a cell.")
        await shown.press("R")
        await shown.shows("You can offer a rematch once the game is over.", "Choose a cell.")


async def test_spectators_of_a_rematch(address: str, tmp_path: Path) -> None:
    """They are not offered one; once the players have agreed on it, they can go on to watch it."""
    async with (
        signed_in(address, tmp_path) as session,
        connect(address, name="Played Pika") as one,
        connect(address, name="Played Puma") as other,
    ):
        pending = await one.challenge(Terms("mapello"), seat="first")
        theirs = await other.accept(pending.seek)
        async with opened(session, tmp_path, view=await session.open(theirs.room)) as shown:
            await shown.shows("Played Pika", "V replay")
            await theirs.resign()
            text = await shown.shows("Played Pika wins: Played Puma resigned.", "N new game")
            assert "rematch" not in text
            await theirs.offer("rematch")
            await (await pending.table()).answer("rematch", True)
            await shown.shows("The rematch starts. R watches it.", "R watch rematch")
            await shown.press("R")
            await shown.shows("Black to move: Played Puma.")


async def test_long_chats_and_wide_characters(address: str, tmp_path: Path) -> None:
    """Messages are shown whole, announced, and can be scrolled back while writing."""
    async with signed_in(address, tmp_path) as session, connect(address, name="Chatting Cat") as other:
        pending = await other.challenge(Terms("mapello"), seat="first")
        view = await session.view(await session.client.accept(pending.seek))
        theirs = await pending.table()
        async with opened(session, tmp_path, view=view) as shown:
            await theirs.say("よろしくお願いします, and a good long game with many stars to you!")
            await shown.shows("よろしくお願いします", "good long game", "to you!")
            for number in range(12):
                await theirs.say(f"message {number}")
            await shown.shows("Chatting Cat wrote: message 11")
            await shown.press("C")
            await shown.shows("PgUp/PgDn scroll")
            await shown.press("pageup", "pageup")
            await shown.shows("よろしくお願いします")
            await shown.press(*"hi", "enter")
            await theirs.until(lambda table: table.chat[-1].text == "hi")


async def test_chat_in_a_narrow_window(address: str, tmp_path: Path) -> None:
    """A long message is cut with dots when it is announced, and shown whole while the player writes."""
    async with signed_in(address, tmp_path) as session, connect(address, name="Wordy Wombat") as other:
        pending = await other.challenge(Terms("mapello"), seat="first")
        view = await session.view(await session.client.accept(pending.seek))
        theirs = await pending.table()
        async with opened(session, tmp_path, view=view, size=(60, 24)) as shown:
            await theirs.say("a long story that is told at length " * 5 + "and ends")
            text = await shown.shows("Wordy Wombat wrote: a long story", "...")
            assert "and ends" not in text
            await shown.press("C")
            await shown.shows("PgUp/PgDn scroll", "and ends")
            for _ in range(9):
                await shown.press("pageup")
            await shown.press("pagedown")
            await shown.shows("and ends")  # however often it was scrolled beyond the first line
            await shown.press(*"indeed", "enter")
            await shown.shows("You wrote: indeed")
