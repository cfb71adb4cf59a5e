"""Editing a custom board on the screen, for a game of this server and for one that no client has ever seen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widgets import OptionList

from parlour.client.client import Client
from parlour.protocol.types import OptionSpec, Terms
from parlour.terminal.full_screen.layout_editor_screen import LayoutEditorScreen
from parlour.terminal.full_screen.new_table_screen import NewTableScreen
from parlour.terminal.full_screen.table_screen import TableScreen
from tests.terminal.full_screen.conftest import serving
from tests.terminal.full_screen.screens import opened, signed_in

FIFTH_GAME = Path(__file__).parents[2] / "games" / "fifth_game"


@pytest.fixture(scope="module")
def fifth_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with a fifth game: noughts and crosses, whose layouts are 3 x 3."""
    with serving(tmp_path_factory.mktemp("fifth"), "--games", str(FIFTH_GAME)) as address:
        yield address


def layout_option(client: Client, game: str) -> OptionSpec:
    card = next(card for card in client.games if card.key == game)
    return next(option for option in card.options if option.kind == "layout")


async def test_a_board_is_edited_and_played_on(address: str, tmp_path: Path) -> None:
    """Keys place pieces, the server checks each layout, and a game starts on the custom board."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.app.push_screen(NewTableScreen(Terms("mapello"), "here"))
        screen = await shown.at(NewTableScreen)
        screen.form.go("option:board")
        await shown.press("left")
        await shown.until(lambda: screen.form.values["option:board"] == "custom")
        await shown.press("ctrl+s")
        screen_ = await shown.at(LayoutEditorScreen)
        await shown.shows("This board is valid.", "wall  0 left")
        await shown.until(lambda: screen_.editor.text.rpartition("/")[2] in shown.text)
        await shown.pilot.resize_terminal(60, 24)
        await shown.shows("> 1  wall  0", "m  symmetry:", "none")  # nothing is cut off
        await shown.until(lambda: screen_.editor.text.rpartition("/")[2] in shown.text)
        await shown.pilot.resize_terminal(80, 24)
        await shown.press("x", "right", "right", "2", "space")
        await shown.shows("> 2  bonus  7 left")
        await shown.press("m", "1", "up", "space")
        await shown.shows("symmetry: turn", "> 1  wall  6 left")
        await shown.press("u")
        await shown.shows("> 1  wall  8 left")
        text = screen_.editor.text
        await shown.press("enter")
        await shown.at(NewTableScreen)
        await shown.press("ctrl+s")
        table = (await shown.at(TableScreen)).view.table

        assert table.terms.options["board"] == text
        assert text.count("*") == 1


async def test_an_invalid_board_is_not_accepted(address: str, tmp_path: Path) -> None:
    """A piece too many is refused; the server's sentence is shown, and Enter does nothing until the board is valid."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        texts: list[str] = []
        option = layout_option(session.client, "mapello")
        await shown.app.push_screen(LayoutEditorScreen(Terms("mapello"), option, texts.append))
        screen = await shown.at(LayoutEditorScreen)
        await shown.shows("This board is valid.", "> 1  wall  0 left")
        assert screen.cursor is not None
        free = next(cell for cell in screen.editor.spec.pieces[0].cells if screen.editor.cells[cell] == ".")
        screen.cursor.place = free
        await shown.press("space")
        await shown.shows("There are not enough pieces left", "> 1  wall  0 left")
        screen.editor.cells[free] = "#"  # as a server with other limits might find it
        await shown.press("enter")
        await shown.until(lambda: bool(screen.error))
        await shown.shows(screen.error[:60])
        assert texts == []
        screen.editor.cells[free] = "."
        await shown.press("enter")
        await shown.until(lambda: bool(texts))


async def test_a_board_is_edited_with_the_mouse(address: str, tmp_path: Path) -> None:
    """A click places a piece, and a second click removes it."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        texts: list[str] = []
        option = layout_option(session.client, "mapello")
        await shown.app.push_screen(LayoutEditorScreen(Terms("mapello"), option, texts.append))
        screen = await shown.at(LayoutEditorScreen)
        await shown.shows("This board is valid.")
        await shown.press("x")
        await shown.shows("> 1  wall  8 left")
        await shown.pilot.click("#board", offset=(4 + 4 * 3 + 1, 2))
        await shown.shows("> 1  wall  7 left")
        await shown.pilot.click("#board", offset=(4 + 4 * 3 + 1, 2))
        await shown.shows("> 1  wall  8 left")
        await shown.press("enter")
        await shown.until(lambda: bool(texts))
        assert texts == [screen.editor.text]
        assert shown.app.screen.query(OptionList)


async def test_a_fifth_game_gets_an_editor_for_free(fifth_address: str, tmp_path: Path) -> None:
    """A game in a folder of its own, with another size and other symbols, is edited and played like any other."""
    async with signed_in(fifth_address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.app.push_screen(NewTableScreen(Terms("noughts"), "here"))
        form = (await shown.at(NewTableScreen)).form
        form.go("option:board")
        await shown.press("left")
        await shown.until(lambda: form.values["option:board"] == "custom")
        await shown.press("ctrl+s")
        screen = await shown.at(LayoutEditorScreen)
        await shown.shows("> 1  cross  1 left", "  2  nought  1 left", "  3  block  2 left", "  e  eraser")
        await shown.press("space", "left", "down", "2", "space")
        await shown.press("tab", "right", "right", "space")
        await shown.shows("> 3  block  1 left", "---", "-x-", "o-#", "This board is valid.")
        assert screen.editor.text == "---/-x-/o-#"
        await shown.press("enter")
        await shown.at(NewTableScreen)
        await shown.press("ctrl+s")
        table = (await shown.at(TableScreen)).view.table

        assert table.terms.options["board"] == "---/-x-/o-#"
        assert [place for place, *_ in table.scene.pieces] == [0, 2, 4]
