"""Rules to read and try, and boards to draw."""

from __future__ import annotations

import random
import re

from playwright.async_api import expect

from tests.web.conftest import NewPage
from tests.web.people import MAY_BE_PICKED


async def test_rules_have_pictures_and_a_board_to_try(new_page: NewPage) -> None:
    """Pictures are boards that can be listened to, and a turn can be tried against the computer and taken back."""
    page = await new_page("/rules/mapello")
    await expect(page.get_by_role("heading", name="Mapello", level=1)).to_be_visible()
    pictures = page.locator("figure [role=img]")
    assert await pictures.count() > 5
    assert all([await picture.get_attribute("aria-label") for picture in await pictures.all()])
    assert "![" not in await page.locator("article").inner_text()

    await page.get_by_role("button", name="Try Mapello").click()
    await page.locator(f".trial :is({MAY_BE_PICKED})").first.click()
    await expect(page.locator(".trial [aria-label*='last move']").first).to_be_attached()
    await expect(page.locator(f".trial :is({MAY_BE_PICKED})").first).to_be_visible()
    await page.get_by_role("button", name="Take back").click()
    await expect(page.locator(".trial [aria-label*='last move']")).to_have_count(0)


async def test_a_board_is_drawn_by_clicks_and_played_on(new_page: NewPage) -> None:
    """Walls, bonuses and jokers go where they may, both sides alike; the board is kept, and a table has it."""
    page = await new_page("/editor")
    await page.locator('.cell[data-name="c3"]').click()
    await page.get_by_text("Bonus 8").click()
    await page.locator('.cell[data-name="b7"]').click()
    await page.get_by_text("Joker 8").click()
    await page.locator('.cell[data-name="a5"]').click()
    rows = (await page.get_by_role("textbox", name="As text").input_value()).split("\n")
    assert rows[7][2] == rows[2][7] == "#"
    assert rows[3][1] == rows[6][8] == "*"
    assert rows[5][0] == rows[4][9] == "J"
    assert sum(row.count("J") for row in rows) == 2

    await page.get_by_role("button", name="Play on this board").click()
    await page.get_by_role("dialog").get_by_text("A bot").click()
    await page.get_by_role("dialog").get_by_role("button", name="Play").click()
    await page.wait_for_url("**/table/*")
    await expect(page.locator('.cell[data-name="c3"]')).to_have_attribute("aria-label", "c3, Wall")


async def test_a_game_by_keys_alone(new_page: NewPage) -> None:
    """From the start to the result against the computer, without a pointer."""
    page = await new_page(reduced_motion="reduce")
    await page.locator('input[name="game"]:checked').focus()
    while await page.get_by_role("button", name="Play Mapello").count() == 0:
        await page.keyboard.press("ArrowRight")
    await page.locator('input[name="against"]:checked').focus()
    while await page.get_by_label("Level").count() == 0:
        await page.keyboard.press("ArrowRight")
    await page.get_by_role("button", name="Play Mapello").focus()
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/table/*")
    chance = random.Random(4)
    state = page.locator("main.table")
    while True:
        await expect(state).to_have_attribute("data-turn", re.compile("mine|over"))
        if await state.get_attribute("data-turn") == "over":
            break
        version = await state.get_attribute("data-version")
        names = await page.locator(".cell.may").evaluate_all("(cells) => cells.map((cell) => cell.dataset.name)")
        await page.locator('.cell[tabindex="0"]').focus()
        await page.keyboard.type(chance.choice(names))
        await page.keyboard.press("Enter")
        await page.wait_for_function(
            "(before) => document.querySelector('main.table')?.dataset.version !== before", arg=version
        )
    await expect(page.get_by_role("dialog", name="Result")).to_be_focused()
