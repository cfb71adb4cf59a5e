"""The layout editor."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from tests.e2e.processes import ServerProcess
from tests.web.accessibility import findings
from tests.web.conftest import ROOT, NewPage

FIFTH_GAME = ROOT / "tests" / "games" / "fifth_game"


async def rows(page: Page) -> list[str]:
    """Return the rows of the layout's text."""
    return (await page.get_by_role("textbox", name="As text").input_value()).split("\n")


async def play_on_it(page: Page) -> None:
    """Start a game against a bot on the current layout."""
    await page.get_by_role("button", name="Play on this board").click()
    await page.get_by_role("dialog").get_by_text("A bot").click()
    await page.get_by_role("dialog").get_by_role("button", name="Play").click()
    await page.wait_for_url("**/table/*")


async def test_a_layout_is_drawn_and_played(new_page: NewPage) -> None:
    """Pieces go only where they are allowed, with the chosen symmetry, and a game starts on the layout."""
    page = await new_page("/editor")
    await page.locator('.cell[data-name="c3"]').click()
    await page.get_by_text("Bonus 8").click()
    await page.locator('.cell[data-name="b7"]').click()
    await page.get_by_text("Joker 8").click()
    await page.locator('.cell[data-name="a5"]').click()
    await page.locator('.cell[data-name="d4"]').click()
    drawn = await rows(page)
    assert drawn[7][2] == drawn[2][7] == "#"
    assert drawn[3][1] == drawn[6][8] == "*"
    assert drawn[5][0] == drawn[4][9] == "J"
    assert sum(row.count("J") for row in drawn) == 2

    await play_on_it(page)
    await expect(page.locator('.cell[data-name="c3"]')).to_have_attribute("aria-label", "c3, Wall")


async def test_a_layout_starts_from_one_of_the_game(new_page: NewPage) -> None:
    """The game's own layouts can be loaded, and each random one is different."""
    page = await new_page("/editor/mapello/board")
    empty = await rows(page)
    loaded = [empty]
    for name in ("Default", "Random", "Random"):
        await page.get_by_role("button", name=name, exact=True).click()
        await expect(page.get_by_role("textbox", name="As text")).not_to_have_value("\n".join(loaded[-1]))
        loaded.append(await rows(page))
    await page.get_by_role("button", name="Clear").click()
    await expect(page.get_by_role("textbox", name="As text")).to_have_value("\n".join(empty))


async def test_a_layout_is_saved_and_offered(new_page: NewPage) -> None:
    """A saved layout is in the form for a new table of its game, also after the page is reloaded."""
    page = await new_page("/editor/mapello/board")
    await page.locator('.cell[data-name="c3"]').click()
    await page.get_by_label("Name").fill("Two walls")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("button", name="Two walls", exact=True)).to_be_visible()
    await page.goto(page.url.removesuffix("/editor/mapello/board"))
    await page.locator(".game", has_text="Mapello").click()
    await page.get_by_role("button", name="New table").click()
    await page.get_by_role("dialog").get_by_label("Board").select_option(label="Two walls")
    await expect(page.get_by_role("dialog").get_by_text("custom board")).to_be_visible()


async def test_an_invalid_layout_is_explained(new_page: NewPage) -> None:
    """The server's objection is shown, and the layout cannot be saved or played."""
    page = await new_page("/editor/mapello/board")
    await page.get_by_text("None", exact=True).click()
    for cell in ("d5", "e4", "f7", "g6", "d6", "e7", "f4", "g5"):  # neither player can move
        await page.locator(f'.cell[data-name="{cell}"]').click()
    await expect(page.get_by_role("status").filter(has_text="move")).to_be_visible()
    await expect(page.get_by_role("button", name="Play on this board")).to_be_disabled()
    await expect(page.get_by_role("button", name="Save")).to_be_disabled()


async def test_a_text_that_is_no_board_is_explained(new_page: NewPage) -> None:
    """It stays where it was typed, cannot be played, and gives way to the next change of the board."""
    page = await new_page("/editor/mapello/board")
    field, play = page.get_by_role("textbox", name="As text"), page.get_by_role("button", name="Play on this board")
    before = await field.input_value()
    await field.fill("nonsense")
    await field.blur()
    await expect(page.get_by_role("alert")).to_contain_text("It needs 10 rows of 10 characters")
    await expect(field).to_have_value("nonsense")
    await expect(play).to_be_disabled()
    assert await findings(page) == []
    await field.fill(before)
    await field.blur()
    await expect(page.get_by_role("alert")).to_have_count(0)
    await expect(play).to_be_enabled()


async def test_an_unknown_game_has_no_editor(new_page: NewPage) -> None:
    """The page says so instead of waiting."""
    page = await new_page("/editor/replica")
    await expect(page.locator("main").get_by_role("alert")).to_have_text("There is no board editor for this game.")


class TestFifthGame:
    """A game that is not part of Parlour, with a smaller board and its own symbols, gets an editor from its options."""

    @pytest_asyncio.fixture(loop_scope="session")
    async def server(
        self, built: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> AsyncIterator[ServerProcess]:
        """A server with the fifth game."""
        monkeypatch.setenv("PARLOUR_GAMES", str(FIFTH_GAME))
        one = ServerProcess(tmp_path / "data")
        await one.start()
        yield one
        await one.kill()

    async def test_its_layout_is_drawn_and_accepted(self, new_page: NewPage) -> None:
        """The palette, the limits and the text follow the game's own specification."""
        page = await new_page("/editor/noughts/board")
        await expect(page.get_by_role("heading", level=1)).to_have_text("Noughts and crosses board editor")
        await expect(page.get_by_role("gridcell")).to_have_count(9)
        await expect(page.locator("input[name=piece]")).to_have_count(4)  # cross, nought, block and the eraser
        await page.get_by_text("None", exact=True).click()
        await page.locator('.cell[data-name="b2"]').click()
        await page.locator('.cell[data-name="c3"]').click()  # the only cross is on b2
        assert await rows(page) == ["---", "-x-", "---"]
        await expect(page.get_by_role("button", name="Play on this board")).to_be_disabled()
        await page.get_by_text("Nought 1").click()
        await page.locator('.cell[data-name="a1"]').click()
        await page.get_by_text("Block 2").click()
        for cell in ("c1", "c3"):
            await page.locator(f'.cell[data-name="{cell}"]').click()
        await page.locator('.cell[data-name="b2"]').click()  # no block may be in the middle
        assert await rows(page) == ["--#", "-x-", "o-#"]
        await expect(page.get_by_role("button", name="Play on this board")).to_be_enabled()
        assert await findings(page) == []

    async def test_both_editors_can_be_reached(self, new_page: NewPage) -> None:
        """The form for a new table and the editor itself link to the editor of each game."""
        page = await new_page()
        await page.locator(".game", has_text="Noughts").click()
        await page.get_by_role("button", name="New table").click()
        await page.get_by_role("link", name="Open the editor").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Noughts and crosses board editor")
        await page.get_by_role("navigation", name="Editors").get_by_role("link", name="Mapello").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Mapello board editor")
        await expect(page.get_by_role("gridcell")).to_have_count(100)
