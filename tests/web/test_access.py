"""The page for people who use keys, or listen, or see little."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.web.access import findings
from tests.web.conftest import NewPage
from tests.web.people import is_there, meet, mover_of


@pytest.mark.parametrize("look", ["light", "dark"])
async def test_axe_finds_nothing_serious(new_page: NewPage, look: str) -> None:
    """At the start, in the settings and at a table with a half-made turn, in both looks."""
    page, other = await new_page(color_scheme=look), await new_page(color_scheme=look)
    await is_there(page)
    assert await findings(page) == []
    await page.goto(f"{page.url}settings")
    await is_there(page)
    assert await findings(page) == []
    await page.get_by_role("link", name="Parlour, to the start").click()
    await meet((page, other), "Mitsudomoe")
    mover = await mover_of((page, other))
    await mover.locator(".cell.may, .slot.may").first.click()
    assert await findings(mover) == []
    await mover.get_by_role("tab", name="About").click()
    assert await findings(mover) == []


async def test_a_turn_by_keys_alone(new_page: NewPage) -> None:
    """From the start to a move on the board, and back through the moves, without a pointer."""
    page, other = await new_page(), await new_page()
    for one in (page, other):
        await one.locator('input[name="game"]:checked').focus()
        while await one.get_by_role("button", name="Play Mapello").count() == 0:
            await one.keyboard.press("ArrowRight")
        await one.get_by_role("button", name="Play Mapello").focus()
        await one.keyboard.press("Enter")
    for one in (page, other):
        await one.wait_for_url("**/table/*")
    mover = await mover_of((page, other))
    await mover.locator('.cell[tabindex="0"]').focus()
    for key in ("PageUp", "Home", "Tab", "Enter"):  # to the far corner, to the first pick from there
        await mover.keyboard.press(key)
    for one in (page, other):
        await expect(one.locator(".moves button")).to_have_count(1)

    await mover.locator(".moves").focus()
    await mover.keyboard.press("ArrowLeft")
    await expect(mover.get_by_text("Looking back at move 0 of 1.")).to_be_visible()
    await mover.keyboard.press("End")
    await expect(mover.get_by_text("Looking back")).to_have_count(0)


async def test_the_keys_are_listed(new_page: NewPage) -> None:
    """The question mark opens a list of keys. None of them does anything behind it, and Escape closes it alone."""
    pages = (await new_page(), await new_page())
    await meet(pages, "Replica")
    mover = await mover_of(pages)
    await mover.locator(".cell.may").first.click()
    await mover.keyboard.press("?")
    keys = mover.get_by_role("dialog", name="Keys")
    await expect(keys.get_by_text("type a whole turn")).to_be_visible()
    assert await findings(mover) == []
    for key in ("Backspace", "Escape"):
        await mover.keyboard.press(key)
    await expect(keys).to_have_count(0)
    await expect(mover.locator(".step")).to_have_count(1)


async def test_a_turn_is_typed(new_page: NewPage) -> None:
    """By names of picks, which are completed, or as the game writes it; what is wrong is said in words and stays."""
    pages = (await new_page(), await new_page())
    await meet(pages, "Replica")
    mover = await mover_of(pages)
    field, offered = mover.get_by_label("Your turn"), mover.locator("#typed-turns option")
    await mover.keyboard.press(":")
    await expect(field).to_be_focused()
    for wrong, why in (("nonsense", "is written like"), ("a1-h8", "cannot be chosen")):
        await field.fill(wrong)
        await field.press("Enter")
        await expect(mover.get_by_role("alert")).to_contain_text(why)
        await expect(field).to_have_value(wrong)
    assert await findings(mover) == []
    await field.fill("")
    typed = ""
    for picks in (1, 2):
        typed = await offered.last.get_attribute("value") or ""
        assert len(typed.split()) == picks
        await field.fill(f"{typed} ")
    await field.press("Enter")
    for page in pages:
        await expect(page.locator(".moves button")).to_have_count(1)

    other = await mover_of(pages)
    assert other is not mover
    await other.keyboard.press("/")
    await other.get_by_label("Your turn").fill(turned(typed.replace(" ", "-")))
    await other.get_by_role("button", name="Play", exact=True).click()
    for page in pages:
        await expect(page.locator(".moves button")).to_have_count(2)


def turned(move: str) -> str:
    """The same move from the other side of a board of eight."""
    other = str.maketrans("abcdefgh12345678", "hgfedcba87654321")
    return move.translate(other)


async def test_every_cell_has_a_name(new_page: NewPage) -> None:
    """The board is a grid of cells that say where they are, what stands there and what they offer."""
    pages = (await new_page(), await new_page())
    await meet(pages, "Replica")
    mover = await mover_of(pages)
    await expect(mover.get_by_role("gridcell")).to_have_count(64)
    names = [await cell.get_attribute("aria-label") for cell in await mover.locator(".cell.may").all()]

    assert names
    assert all(
        name is not None and re.fullmatch(r"[a-h][1-8], (White|Black) (man|king)\b.*, can be chosen", name)
        for name in names
    )
    assert await mover.locator('[data-name="a1"]').get_attribute("aria-label") in (
        "a1, Black king, White goal",
        "a1, Black king, White goal, can be chosen",
    )
