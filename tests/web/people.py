"""What somebody does on the page, by clicks and keys."""

from __future__ import annotations

import random

from playwright.async_api import Page, expect

MAY_BE_PICKED = ".cell.may, .slot.may, .stepper .primary"
MIDDLES = """
(places) => [...document.querySelectorAll(places)].map((place) => {
  const box = place.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})
"""


async def choose_game(page: Page, game: str) -> None:
    await page.locator(".game", has_text=game).click()


async def look_for_anyone(page: Page, game: str) -> None:
    """Press the big button; whoever presses it second is at the table at once."""
    await choose_game(page, game)
    await page.get_by_role("button", name=f"Play {game}").click()


async def meet(pages: tuple[Page, Page], game: str) -> None:
    """Both find each other by quick match."""
    for page in pages:
        await look_for_anyone(page, game)
    for page in pages:
        await page.wait_for_url("**/table/*")
        await expect(page.get_by_role("grid")).to_be_visible()


async def make_turn(page: Page, chance: random.Random) -> None:
    """Pick whatever is offered until it is the other one's turn, or the game is over."""
    state = page.locator("main.table")
    while await state.get_attribute("data-turn") == "mine":
        before = await state.get_attribute("data-version")
        middles = await page.evaluate(MIDDLES, MAY_BE_PICKED)
        if middles:
            await page.mouse.click(*chance.choice(middles))
        await page.wait_for_function(
            "(before) => document.querySelector('main.table')?.dataset.version !== before", arg=before
        )


async def play_to_the_end(pages: tuple[Page, Page], chance: random.Random) -> None:
    """Take turns until there is a result."""
    over = "document.querySelector('main.table')?.dataset.turn === 'over'"
    mine_or_over = "['mine', 'over'].includes(document.querySelector('main.table')?.dataset.turn)"
    while not await pages[0].evaluate(over):
        for page in pages:
            if await page.locator("main.table").get_attribute("data-turn") == "mine":
                await make_turn(page, chance)
        ready = [page for page in pages if await page.evaluate(mine_or_over)]
        if not ready:
            await pages[0].wait_for_timeout(5)


async def mover_of(pages: tuple[Page, Page]) -> Page:
    """The one who has the turn."""
    while True:
        for page in pages:
            if await page.locator('main.table[data-turn="mine"]').count():
                return page
        await pages[0].wait_for_timeout(5)
