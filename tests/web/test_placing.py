"""Isaac's bars are placed whole: with mouse, finger and keyboard."""

from __future__ import annotations

from urllib.parse import urljoin

from playwright.async_api import Locator, Page, expect

from tests.web.conftest import NewPage
from tests.web.page_actions import choose_game, wait_for_turn

PHONE = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}


async def start(page: Page) -> None:
    """Start a game against a bot, as the player who moves first, and choose a bar of 4."""
    await choose_game(page, "Isaac")
    await page.get_by_role("button", name="New table").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_text("A bot", exact=True).click()
    await dialog.get_by_text("Dark", exact=True).click()
    await dialog.get_by_role("button", name="Play").click()
    await wait_for_turn(page, "mine")
    await bar(page, 4).click()
    await expect(page.get_by_text("Bar of 4: choose where it goes.")).to_be_visible()


def bar(page: Page, length: int) -> Locator:
    return page.locator(".tray-box.own").get_by_role("button", name=f"bar of {length}")


def cell(page: Page, name: str) -> Locator:
    return page.locator(f'.cell[data-name="{name}"]')


async def is_standing(page: Page) -> bool:
    box = await page.locator(".ghost rect").first.bounding_box()
    assert box is not None
    return box["height"] > box["width"]


async def test_a_bar_follows_the_pointer_and_turns(new_page: NewPage) -> None:
    """No dots: the bar itself follows the mouse, turns with R, wheel and button, and a click places it."""
    page = await new_page()
    await start(page)
    assert await page.locator(".picks circle").count() == 0
    await cell(page, "e5").hover()
    ghost = page.locator(".ghost")
    await expect(ghost).to_be_visible()
    standing = await is_standing(page)
    await page.keyboard.press("r")
    assert await is_standing(page) is not standing
    await page.mouse.wheel(0, 100)
    await expect(page.locator("main")).to_be_visible()
    assert await is_standing(page) is standing
    await expect(page.locator(".prompt .words")).to_contain_text("bar of 4")
    await bar(page, 4).click()
    await expect(page.locator(".step")).to_have_count(0)
    await expect(ghost).to_have_count(0)
    await bar(page, 4).click()
    await page.get_by_role("button", name="Turn", exact=True).click()
    await cell(page, "e5").hover()
    assert await is_standing(page) is not standing
    await cell(page, "e5").click()
    await expect(page.locator(".moves button").first).to_be_visible()
    first = page.locator(".moves button").first
    await expect(first).to_have_text("d5-g5" if standing else "e4-e7")


async def test_a_bar_is_placed_by_keyboard_and_blocked_by_others(new_page: NewPage) -> None:
    """Arrows move the bar, Enter places it, and where it does not fit the page says so and places nothing."""
    page = await new_page()
    await start(page)
    await page.locator('.cell[tabindex="0"]').focus()
    await page.keyboard.type("c1")
    await expect(page.locator(".prompt .words")).to_contain_text("b1-e1")
    await page.keyboard.press("Enter")
    moves = page.locator(".moves button")
    await expect(moves).to_have_count(2)
    await wait_for_turn(page, "mine")
    await bar(page, 7).click()
    await page.locator('.cell[tabindex="0"]').focus()
    await page.keyboard.type("c1")
    await expect(page.locator(".ghost.blocked")).to_be_visible()
    await expect(page.locator(".prompt .words")).to_have_text("It does not fit there.")
    await page.keyboard.press("Enter")
    await expect(moves).to_have_count(2)
    await page.keyboard.press("Escape")
    await expect(page.locator(".step")).to_have_count(0)


async def test_a_finger_leaves_the_bar_until_it_is_placed(new_page: NewPage) -> None:
    """A touch shows the bar, a touch on it takes it away, and only the button places it."""
    page = await new_page(**PHONE)
    await start(page)
    ghost, place = page.locator(".ghost"), page.get_by_role("button", name="Place", exact=True)
    await cell(page, "e5").tap()
    await expect(ghost).to_be_visible()
    await expect(place).to_be_in_viewport(ratio=1)
    await cell(page, "e5").tap()
    await expect(ghost).to_have_count(0)
    await expect(place).to_have_count(0)
    await cell(page, "e5").tap()
    await place.click()
    await expect(page.locator(".moves button").first).to_have_text("d5-g5")


async def test_a_bar_is_dragged_from_the_tray(new_page: NewPage) -> None:
    """Pressing a bar in the tray chooses it, and it is placed where the button is released; in a study, too."""
    page = await new_page()
    await start(page)
    await bar(page, 4).click()
    await drag_to(page, bar(page, 3), "e5")
    await expect(page.locator(".moves button").first).to_be_visible()

    await page.goto(urljoin(page.url, "/study/position/isaac"))
    own = page.get_by_role("button", name="bar of 3")
    await drag_to(page, own, "e5")
    await expect(page.locator(".variations button")).to_have_count(1)
    await page.get_by_role("button", name="bar of 4").click()
    await cell(page, "c3").hover()
    await expect(page.locator(".ghost")).to_be_visible()


async def drag_to(page: Page, slot: Locator, name: str) -> None:
    await slot.hover()
    await page.mouse.down()
    await cell(page, name).hover()
    await expect(page.locator(".ghost")).to_be_visible()
    await page.mouse.up()
