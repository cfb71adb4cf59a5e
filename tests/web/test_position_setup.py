"""Positions that are set up by hand for study, in every game."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import unquote

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, expect

from tests.e2e.processes import ServerProcess
from tests.web.accessibility import findings
from tests.web.conftest import ROOT, NewPage

FIFTH_GAME = ROOT / "tests" / "games" / "fifth_game"
PHONE = {"viewport": {"width": 390, "height": 664}}


async def open_form(page: Page, game: str) -> tuple[Locator, Locator]:
    """Choose a game and take all pieces off. Return the field with the text and the button to study."""
    await page.locator(".set-up select").select_option(game)
    field, study = page.get_by_role("textbox"), page.get_by_role("button", name="Study this position")
    await expect(page.get_by_text("This position can be studied.")).to_be_visible()
    await expect(study).to_be_enabled()
    await page.get_by_role("button", name="Clear").click()
    await expect(page.locator(".board [data-piece]")).to_have_count(0)
    return field, study


async def put(page: Page, item: str, *cells: str) -> None:
    await page.locator(".segments label", has=page.get_by_role("radio", name=item, exact=True)).click()
    for cell in cells:
        await page.locator(f'.cell[data-name="{cell}"]').click()


async def is_studied(page: Page, position: str) -> None:
    """Wait for the analysis board of a position."""
    await page.wait_for_url("**/study/position/**")
    await expect(page.locator(".study .board")).to_be_visible()
    assert position in unquote(page.url)


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
async def test_replica(new_page: NewPage, options: dict[str, object]) -> None:
    """Pieces are put on cells until the position is possible; the text follows, and what is missing is said."""
    page = await new_page("/study", **options)
    field, study = await open_form(page, "replica")
    status = page.locator(".set-up p[role=status]")
    await expect(status).to_contain_text("White has no king.")
    await expect(study).to_be_disabled()
    await put(page, "White king", "h8")
    await expect(status).to_contain_text("Black has no king.")
    await put(page, "Black king", "a1")
    await put(page, "Black man", "c2", "c3")
    await put(page, "Empty", "c2")
    await expect(field).to_have_value(".......W/......../......../......../......../..b...../......../B....... w")
    await page.get_by_role("group", name="To move").get_by_text("Black").click()
    await expect(field).to_have_value(".......W/......../......../......../......../..b...../......../B....... b")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert await findings(page) == []
    await study.click()
    await is_studied(page, "/..b...../......../B....... b")
    await expect(page.locator(".prompt .words")).to_contain_text("Black:")


async def test_by_keyboard(new_page: NewPage) -> None:
    """The palette is one stop of Tab and changes with the arrows; the board takes the names of cells."""
    page = await new_page("/study")
    field, _ = await open_form(page, "replica")
    await page.get_by_role("radio", name="White man").focus()
    await page.keyboard.press("ArrowRight")
    await expect(page.get_by_role("radio", name="White king")).to_be_checked()
    await page.locator(".cell[tabindex='0']").focus()
    await page.keyboard.type("c3")
    await page.keyboard.press("Enter")
    await expect(page.locator('.cell[data-name="c3"]')).to_have_attribute("aria-label", "c3, White king")
    await expect(field).to_have_value("......../......../......../......../......../..W...../......../........ w")


async def test_mapello(new_page: NewPage) -> None:
    """Walls, jokers and bonuses are put like discs; the points for bonuses taken are numbers."""
    page = await new_page("/study")
    field, study = await open_form(page, "mapello")
    await put(page, "Black disc", "e5", "f6")
    await put(page, "White disc", "e6", "f5")
    await put(page, "Joker", "a5")
    await put(page, "Wall", "c3")
    await put(page, "Bonus", "c5")
    await expect(field).to_have_value(
        "##########/#........#/#........#/#........#/#...OX...#/J.*.XO...#/#........#/#.#......#/#........#/"
        "########## b 0,0"
    )
    await expect(study).to_be_enabled()
    points = page.get_by_role("group", name="Black’s bonus points")
    await points.get_by_role("button", name="More").click()
    await expect(page.get_by_text("4 discs are too few for that.")).to_be_visible()
    await points.get_by_role("button", name="Less").click()
    await study.click()
    await is_studied(page, "/J.*.XO...#/")


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
async def test_isaac(new_page: NewPage, options: dict[str, object]) -> None:
    """A bar is put between two cells; in the scoring phase the hands and the points can be changed."""
    page = await new_page("/study", **options)
    field, study = await open_form(page, "isaac")
    await put(page, "Dark bar", "c4", "g4")
    await expect(field).to_have_value("Dc4-g4 d p 54221,54321 0,0 0,0 -")
    await put(page, "Light bar", "a1", "b2")
    await expect(page.get_by_role("alert")).to_contain_text("A bar covers 3 to 7 cells")
    await put(page, "Light bar", "a3", "a1")
    await expect(field).to_have_value("Dc4-g4,La1-a3 d p 54221,44321 0,0 0,0 -")
    await expect(page.get_by_role("alert")).to_have_count(0)
    await page.get_by_role("group", name="Phase").get_by_text("Scoring").click()
    await expect(page.get_by_text("has a bar in hand that fits")).to_be_visible()
    await put(page, "Take away")
    hand = page.get_by_role("group", name="Light's bars")
    await hand.get_by_role("button", name="bar of 3, 4 left").click()
    await page.get_by_role("spinbutton", name="Dark’s points").fill("12")
    await page.get_by_role("spinbutton", name="Dark’s points").press("Tab")
    await expect(field).to_have_value("Dc4-g4,La1-a3 d s 54221,34321 12,0 0,3 -")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert await findings(page) == []
    await study.click()
    await is_studied(page, "Dc4-g4,La1-a3 d s 54221,34321 12,0 0,3 -")


async def test_mitsudomoe(new_page: NewPage) -> None:
    """Rings and balls are put on top of a stack and taken from there; the supplies follow."""
    page = await new_page("/study")
    field, study = await open_form(page, "mitsudomoe")
    await expect(field).to_have_value("/".join([".,.,.,.,."] * 5) + " w 8,8")
    await put(page, "White ring", "a1", "b1", "c1", "c1")
    await put(page, "White ball", "a1", "b1", "c1")
    await put(page, "Black ring", "c5", "d5", "e5", "a3")
    await put(page, "Black ball", "c5", "d5", "e5")
    await expect(study).to_be_enabled()
    await put(page, "Take the top", "a3")
    await expect(field).to_have_value(".,.,bB,bB,bB/.,.,.,.,./.,.,.,.,./.,.,.,.,./wW,wW,wwW,.,. w 4,5")
    assert await findings(page) == []
    await study.click()
    await is_studied(page, "wW,wW,wwW,.,. w 4,5")


async def test_the_first_position_returns(new_page: NewPage) -> None:
    """A text that is none leaves the board, from which one can go on by hand."""
    page = await new_page("/study")
    field, study = await open_form(page, "replica")
    await page.get_by_role("button", name="First position").click()
    await expect(page.locator(".board [data-piece]")).to_have_count(24)
    first = await field.input_value()
    await field.fill("nonsense")
    await expect(page.get_by_role("alert")).to_contain_text("A Replica position is its rows")
    await expect(study).to_be_disabled()
    await put(page, "Empty", "a1")
    await put(page, "Black king", "a1")
    await expect(field).to_have_value(first)
    await expect(study).to_be_enabled()


class TestFifthGame:
    """A game without an editor."""

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

    async def test_its_positions_are_set_up_as_text(self, new_page: NewPage) -> None:
        """There is no palette, and the board follows the text."""
        page = await new_page("/study")
        await page.locator(".set-up select").select_option("noughts")
        await expect(page.get_by_role("textbox")).to_have_value(".../.../... x")
        await expect(page.get_by_role("radio")).to_have_count(0)
        await page.get_by_role("textbox").fill(".../.x./... o")
        await expect(page.locator(".board [data-piece]")).to_have_count(1)
        await page.get_by_role("button", name="Study this position").click()
        await is_studied(page, ".../.x./... o")
