"""A table: picked by keys, by mouse and by typing, with everything around the board."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from parlour.client.parlour import connect
from parlour.client.terminal.help_screen import HelpScreen
from parlour.client.terminal.paint import Lines
from parlour.client.terminal.replay_screen import ReplayScreen
from parlour.client.terminal.rules_screen import RulesScreen
from parlour.client.terminal.start_screen import StartScreen
from parlour.client.terminal.table_screen import TableScreen
from parlour.client.visit.settings import Settings
from parlour.client.visit.sitting import Sitting
from parlour.protocol.tables import Terms
from tests.client.terminal.screens import Opened, opened, visiting


@asynccontextmanager
async def against_computer(
    address: str, folder: Path, game: str, *, size: tuple[int, int] = (80, 24), settings: Settings | None = None
) -> AsyncIterator[tuple[Opened, Sitting]]:
    """A table with the computer at the other side, as the screen shows it."""
    async with visiting(address, folder) as visit:
        sitting = await visit.sit(await visit.parlour.play_computer(Terms(game), "random"))
        async with opened(visit, folder, sitting=sitting, size=size, settings=settings) as shown:
            yield shown, sitting


def picked(sitting: Sitting) -> tuple[int, ...]:
    return () if sitting.turn is None else sitting.turn.picks


async def test_a_turn_by_arrows_and_enter(address: str, tmp_path: Path) -> None:
    """The cursor moves cell by cell; Enter chooses, and the last choice plays the turn."""
    async with against_computer(address, tmp_path, "replica") as (shown, sitting):
        await shown.my_turn()
        await shown.press("e", "7", "enter")
        await shown.until(lambda: picked(sitting) == (52,) and bool(sitting.offered))
        # White sits at the top, so the board is turned: right on the screen is left on the board.
        assert shown.table.flipped
        await shown.press("right", "up", "enter")
        await shown.until(lambda: len(sitting.table.moves) >= 1)

        assert sitting.table.moves[0] == "e7-d6"


async def test_a_turn_by_mouse(address: str, tmp_path: Path) -> None:
    """A press on a piece chooses it, a press on a cell plays it, whichever way the board is turned."""
    async with against_computer(address, tmp_path, "replica") as (shown, sitting):
        await shown.my_turn()
        await shown.click(52)
        await shown.until(lambda: picked(sitting) == (52,) and bool(sitting.offered))
        await shown.click(43)
        await shown.until(lambda: len(sitting.table.moves) >= 1)

        assert sitting.table.moves[0] == "e7-d6"


async def test_a_slot_beside_the_board_by_mouse(address: str, tmp_path: Path) -> None:
    """What is in hand is pressed like a cell."""
    async with against_computer(address, tmp_path, "isaac") as (shown, _):
        await shown.my_turn()
        pane = shown.table.query_one("#pane", Lines)
        y, x = next((y, line.index("[5x3]")) for y, line in enumerate(pane.text.splitlines()) if "[5x3]" in line)
        await shown.pilot.click(pane, offset=(x + 3, y))
        await shown.shows("Bar of 5: choose its first end.")


async def test_a_turn_by_typing(address: str, tmp_path: Path) -> None:
    """A colon opens a line for a whole turn, or for picks; what cannot be played is explained."""
    async with against_computer(address, tmp_path, "replica") as (shown, sitting):
        await shown.my_turn()
        await shown.press("colon", *"e7-a1", "enter")
        await shown.shows("cannot be chosen")
        await shown.press("colon", *"e7", "space", *"d6", "enter")
        await shown.until(lambda: len(sitting.table.moves) >= 1)

        assert sitting.table.moves[0] == "e7-d6"


async def test_a_half_chosen_turn_is_taken_back_step_by_step(address: str, tmp_path: Path) -> None:
    """Backspace takes one choice back, and Escape does the same."""
    async with against_computer(address, tmp_path, "isaac") as (shown, sitting):
        await shown.my_turn()
        await shown.press("5", "enter", "a", "1", "enter")
        await shown.shows("choose its other end", "this turn", "1 bar of 5", "2 a1")
        await shown.press("backspace")
        await shown.shows("choose its first end")
        await shown.press("escape")
        await shown.shows("Choose a bar to place.")

        assert sitting.turn is not None
        assert sitting.turn.picks == ()


async def test_tab_walks_over_what_may_be_chosen(address: str, tmp_path: Path) -> None:
    """And tells what each would do."""
    async with against_computer(address, tmp_path, "mapello") as (shown, _):
        await shown.my_turn()
        await shown.shows("e4: turns 1")
        await shown.press("tab")
        await shown.shows("d5: turns 1")
        await shown.press("shift+tab", "shift+tab")
        await shown.shows("f7: turns 1")


async def test_a_turn_can_be_confirmed_first(address: str, tmp_path: Path) -> None:
    """With the setting, Enter has to be pressed once more."""
    async with against_computer(address, tmp_path, "mapello", settings=Settings(confirm=True)) as (shown, sitting):
        await shown.my_turn()
        await shown.press("f", "7", "enter")
        await shown.shows("Your turn is complete. Play it?")
        assert sitting.table.ply == 0
        await shown.press("enter")
        await shown.until(lambda: sitting.table.ply >= 1)


async def test_taking_back_resigning_and_another_game(address: str, tmp_path: Path) -> None:
    """The computer gives turns back; resigning asks first; after it the sides change."""
    async with against_computer(address, tmp_path, "mapello") as (shown, sitting):
        await shown.my_turn()
        await shown.press("f", "7", "enter")
        await shown.until(lambda: sitting.table.ply >= 2)
        await shown.press("T")
        await shown.shows("The last turn was taken back. 0 moves are left.")
        await shown.press("Q")
        await shown.shows("Press Q again to give the game up.")
        await shown.press("Q")
        await shown.shows("You lost: you resigned.", "R rematch")
        await shown.press("R")
        await shown.shows("Another game begins.")
        assert shown.table.sitting.table.room != sitting.table.room
        assert shown.table.sitting.seat == 1


async def test_a_hint_points_at_the_best_move(address: str, tmp_path: Path) -> None:
    """In a casual game the computer says what it would do."""
    async with against_computer(address, tmp_path, "replica") as (shown, _):
        await shown.my_turn()
        await shown.press("H")
        await shown.shows("looks best")


async def test_two_players_offer_answer_and_talk(address: str, tmp_path: Path) -> None:
    """Offers stand where the eye is; Y and N answer them; what is said is shown beside the board."""
    async with visiting(address, tmp_path) as visit, connect(address, name="Offering Otter") as other:
        waiting = await other.challenge(Terms("mapello"), seat="first")
        sitting = await visit.sit(await visit.parlour.accept(waiting.seek))
        theirs = await waiting.table()
        async with opened(visit, tmp_path, sitting=sitting) as shown:
            await shown.shows("Offering Otter is thinking.")
            await theirs.say("Good luck")
            await shown.shows("talk", "Good luck")
            await shown.press("C", *"Thanks", "enter")
            await theirs.until(lambda table: any(said.text == "Thanks" for said in table.talk))
            await theirs.offer("draw")
            await shown.shows("Offering Otter offers a draw.", "Y accept")
            await shown.press("N")
            await shown.until(lambda: not sitting.offers)
            await theirs.play("f7")
            await shown.my_turn()
            await theirs.offer("draw")
            await shown.shows("Y accept")
            await shown.press("Y")
            await shown.shows("A draw: agreed by both.")


async def test_who_moves_first_is_chosen_where_the_board_was_drawn(address: str, tmp_path: Path) -> None:
    """The one who did not draw the board says who begins."""
    board = (
        "##########/#........#/#........#/#........#/#...XO...#/#...OX...#/#........#/#........#/#........#/##########"
    )
    async with visiting(address, tmp_path) as visit, connect(address) as other:
        waiting = await other.challenge(Terms("mapello", {"board": board}), seat="first")
        sitting = await visit.sit(await visit.parlour.accept(waiting.seek))
        async with opened(visit, tmp_path, sitting=sitting) as shown:
            await shown.shows("who shall move first?", "1 I move first", "own board")
            await shown.press("1")
            await shown.my_turn()

            assert sitting.seat == 0


async def test_two_people_share_the_screen(address: str, tmp_path: Path) -> None:
    """Each moves in turn, and the sentence says whose turn it is."""
    async with visiting(address, tmp_path) as visit:
        sitting = await visit.share(Terms("mapello"))
        async with opened(visit, tmp_path, sitting=sitting) as shown:
            await shown.shows("Black: Choose a cell.")
            await shown.press("f", "7", "enter")
            await shown.shows("White: Choose a cell.")
            await shown.press("e", "7", "enter")
            await shown.until(lambda: sitting.table.ply == 2)
            await shown.press("T")
            await shown.shows("The last turn was taken back.")


async def test_a_small_window_asks_for_more_room(address: str, tmp_path: Path) -> None:
    """The move line still works there, and the board comes back with the room."""
    async with against_computer(address, tmp_path, "mapello", size=(60, 15)) as (shown, sitting):
        await shown.shows("The board needs", "Make it larger")
        await shown.press("colon", *"f7", "enter")
        await shown.until(lambda: sitting.table.ply >= 1)
        await shown.pilot.resize_terminal(80, 24)
        await shown.shows("moves", "f7", " a   b   c ")


async def test_the_keys_lead_elsewhere_and_back(address: str, tmp_path: Path) -> None:
    """Help, rules and a look back lie over the table; q leaves it for the first screen."""
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
        await shown.at(StartScreen)
        await shown.shows("mapello against Computer")
