"""What somebody does on the page, by clicks and keys, and hears from it."""

from __future__ import annotations

import asyncio
import random

from playwright.async_api import Page, expect

MAY_BE_PICKED = ".cell.may, .slot.may, .stepper .primary"
TURN = "(awaited) => awaited.find((turn) => document.querySelector(`main.table[data-turn=${turn}]`))"
MIDDLES = """
(places) => [...document.querySelectorAll(places)].map((place) => {
  const box = place.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})
"""
OTHER_VERSION = "(before) => document.querySelector('main.table')?.dataset.version !== before"

# Keeps whatever is told loudly, since some of it is soon gone.
LISTEN = """
() => {
  window.told = new Set();
  new MutationObserver(() => {
    for (const alert of document.querySelectorAll("[role=alert]")) window.told.add(alert.textContent);
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}
"""
TOLD = "(words) => [...window.told].some((told) => told.includes(words))"


async def listen(page: Page) -> None:
    """Hear from now on what the page tells loudly, until it is loaded anew."""
    await page.evaluate(LISTEN)


async def is_told(page: Page, words: str) -> None:
    """Wait until these words were said to one who listens, be they still there or not."""
    await page.wait_for_function(TOLD, arg=words)


async def is_there(page: Page) -> None:
    """Wait until the page has what it asked for."""
    await expect(page.locator("h1").first).to_be_attached()
    await expect(page.locator(".me")).to_be_visible()
    await expect(page.get_by_text("One moment.")).to_have_count(0)


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


async def comes_to(page: Page, *turns: str) -> str:
    """Wait until the turn is one of these: `mine`, `theirs` or `over`; gives which."""
    found: str = await (await page.wait_for_function(TURN, arg=turns)).json_value()
    return found


async def make_turn(page: Page, chance: random.Random) -> None:
    """Wait for the turn, then pick whatever is offered until the turn is made."""
    await comes_to(page, "mine")
    state = page.locator("main.table")
    while await state.get_attribute("data-turn") == "mine":
        before = await state.get_attribute("data-version")
        middles = await page.evaluate(MIDDLES, MAY_BE_PICKED)
        if middles:
            await page.mouse.click(*chance.choice(middles))
        await page.wait_for_function(OTHER_VERSION, arg=before)


async def play_to_the_end(pages: tuple[Page, Page], chance: random.Random) -> None:
    """Each makes a turn whenever it is his, until there is a result."""

    async def play(page: Page) -> None:
        while await comes_to(page, "mine", "over") == "mine":
            await make_turn(page, chance)

    await asyncio.gather(*map(play, pages))


async def mover_of(pages: tuple[Page, Page]) -> Page:
    """The one who has the turn, as soon as one of them has it."""
    waits = {asyncio.create_task(comes_to(page, "mine")): page for page in pages}
    done, rest = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for each in rest:
        each.cancel()
    first = done.pop()
    await first
    return waits[first]
