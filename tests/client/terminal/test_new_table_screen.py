"""The form for a new table is made from what the server says about the games."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import OptionList

from parlour.client.terminal.editor_screen import EditorScreen
from parlour.client.terminal.new_table_screen import NewTableScreen
from parlour.client.terminal.table_screen import TableScreen
from parlour.client.terminal.waiting_screen import WaitingScreen
from parlour.protocol.tables import Terms
from tests.client.terminal.screens import Opened, opened, visiting


async def form_of(shown: Opened, game: str, against: str = "") -> NewTableScreen:
    screen = NewTableScreen(Terms(game), against)
    await shown.app.push_screen(screen)
    return await shown.at(NewTableScreen)


async def test_the_options_of_every_game_are_there(address: str, tmp_path: Path) -> None:
    """Each option of each game has a line, with its help when it is pointed at."""
    async with visiting(address, tmp_path) as visit, opened(visit, tmp_path) as shown:
        for card in visit.parlour.games:
            screen = await form_of(shown, card.key)
            for spec in card.options:
                screen.form.go(f"option:{spec.key}")
                await shown.shows(spec.title)
            await shown.press("escape")


async def test_every_level_is_there(address: str, tmp_path: Path) -> None:
    """All levels of the computer can be chosen, in every game: those of the ladder and those with names."""
    async with visiting(address, tmp_path) as visit, opened(visit, tmp_path) as shown:
        for card in visit.parlour.games:
            screen = await form_of(shown, card.key, "computer")
            level = next(field for field in screen.form.fields if field.key == "level")
            assert [choice.value for choice in level.choices] == [level.key for level in card.levels]
            await shown.press("escape")


async def test_a_game_against_the_computer(address: str, tmp_path: Path) -> None:
    """Options, level and side are taken from the form."""
    async with visiting(address, tmp_path) as visit, opened(visit, tmp_path) as shown:
        screen = await form_of(shown, "replica", "computer")
        screen.form.go("option:size")
        await shown.press("right")
        screen.form.go("level")
        await shown.press("left", "left")
        screen.form.go("seat")
        await shown.press("right", "ctrl+s")
        table = (await shown.at(TableScreen)).sitting.table

        assert table.terms.options["size"] == 12
        assert table.seat == 1
        assert table.opponent is not None
        assert table.opponent.name == "Computer 1"


async def test_the_computer_plays_itself(address: str, tmp_path: Path) -> None:
    """Two levels, and nobody at the keyboard."""
    async with visiting(address, tmp_path) as visit, opened(visit, tmp_path) as shown:
        await form_of(shown, "mapello", "computers")
        await shown.press("ctrl+s")
        screen = await shown.at(TableScreen)
        await shown.until(lambda: screen.sitting.table.ply > 2)
        assert not screen.sitting.is_player


async def test_a_friend_gets_a_code(address: str, tmp_path: Path) -> None:
    """It is shown while one waits."""
    async with visiting(address, tmp_path) as visit, opened(visit, tmp_path) as shown:
        await form_of(shown, "isaac", "friend")
        await shown.press("ctrl+s")
        screen = await shown.at(WaitingScreen)
        await shown.shows(f"Tell your friend this code: {screen.waiting.seek}")


async def test_a_pace_of_ones_own(address: str, tmp_path: Path) -> None:
    """Every kind of clock can be written; one that cannot be read is explained."""
    async with visiting(address, tmp_path) as visit, opened(visit, tmp_path) as shown:
        screen = await form_of(shown, "isaac", "computer")
        screen.form.go("own_pace")
        await shown.press(*"soon", "ctrl+s")
        await shown.shows("“soon” is no pace.")
        await shown.press(*["backspace"] * 4, *"10+3x30", "ctrl+s")
        table = (await shown.at(TableScreen)).sitting.table
        assert (table.terms.clock.kind, table.terms.clock.count) == ("byoyomi", 3)


async def test_a_board_is_drawn_by_hand(address: str, tmp_path: Path) -> None:
    """Tools by keys, checked by the server while one draws, and the game is played on it."""
    async with visiting(address, tmp_path) as visit, opened(visit, tmp_path) as shown:
        screen = await form_of(shown, "mapello", "here")
        screen.form.go("option:board")
        await shown.press("left")
        await shown.until(lambda: screen.form.values["option:board"] == "drawn by you")
        await shown.press("ctrl+s")
        editor = await shown.at(EditorScreen)
        await shown.shows("This board can be played.", "0 left")
        await shown.press("x", "b", "space")
        await shown.shows("7 left")
        await shown.press("m", "w", "up", "space")
        await shown.shows("symmetry: turn", "6 left")
        await shown.press("u")
        await shown.shows("8 left")
        layout = editor.layout_
        assert layout is not None
        layout.cells[0] = "."
        await shown.press("enter")
        await shown.shows("rim")
        layout.cells[0] = "#"
        await shown.press("enter")
        await shown.at(NewTableScreen)
        await shown.press("ctrl+s")
        table = (await shown.at(TableScreen)).sitting.table

        assert table.terms.options["board"] == layout.text
        assert layout.text.count("*") == 1


async def test_a_board_is_drawn_by_mouse(address: str, tmp_path: Path) -> None:
    """A press puts the tool on a cell, and the same again takes it off."""
    async with visiting(address, tmp_path) as visit, opened(visit, tmp_path) as shown:
        texts: list[str] = []
        await shown.app.push_screen(EditorScreen(Terms("mapello"), "board", texts.append))
        editor = await shown.at(EditorScreen)
        await shown.shows("This board can be played.")
        await shown.press("x", "w")
        await shown.shows("8 left")
        await shown.pilot.click("#board", offset=(4 + 4 * 3 + 1, 2))
        await shown.shows("w  wall  7 left")
        await shown.pilot.click("#board", offset=(4 + 4 * 3 + 1, 2))
        await shown.shows("w  wall  8 left")
        await shown.press("enter")
        await shown.until(lambda: bool(texts))
        assert editor.layout_ is not None
        assert texts == [editor.layout_.text]
        assert shown.app.screen.query(OptionList)
