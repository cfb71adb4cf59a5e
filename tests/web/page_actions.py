"""What players do on the page, with pointer and keyboard."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress

from playwright.async_api import Page, expect
from playwright.async_api import TimeoutError as NotInTime

from parlour import games
from parlour.bots.levels import think

SELECTABLE = ".cell.selectable, .slot.selectable, [data-extra]"  # the last: buttons for what the board does not offer
TURN = "(awaited) => awaited.find((turn) => document.querySelector(`main.table[data-turn=${turn}]`))"
MISSED_AFTER = 5_000  # milliseconds without a change on the table
CENTRES = """
(places) => [...document.querySelectorAll(places)]
  .map((place) => place.getBoundingClientRect())
  .filter((box) => box.width > 0)
  .map((box) => [box.x + box.width / 2, box.y + box.height / 2])
"""
MOVES = "() => [...document.querySelectorAll('.moves button')].map((move) => move.textContent)"
OTHER_VERSION = "(before) => document.querySelector('main.table')?.dataset.version !== before"

# Alerts are recorded because some disappear before a test can look for them.
RECORD_ALERTS = """
() => {
  window.alerts = new Set();
  new MutationObserver(() => {
    for (const alert of document.querySelectorAll("[role=alert]")) window.alerts.add(alert.textContent);
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}
"""
ALERTED = "(text) => [...window.alerts].some((alert) => alert.includes(text))"

FONTS_LOADED = """
(count) => [...document.fonts].filter(({ family, status }) =>
  family.includes("Parlour Serif") && status === "loaded").length === count
"""


async def record_alerts(page: Page) -> None:
    """Record every alert that the page shows from now on."""
    await page.evaluate(RECORD_ALERTS)


async def wait_for_alert(page: Page, text: str) -> None:
    """Wait until the page has shown an alert with this text, even if it is no longer visible."""
    await page.wait_for_function(ALERTED, arg=text)


async def wait_until_loaded(page: Page) -> None:
    """Wait until the page has loaded its content."""
    await expect(page.locator("h1").first).to_be_attached()
    await expect(page.locator(".me")).to_be_visible()
    await expect(page.get_by_text("Loading…")).to_have_count(0)


async def choose_game(page: Page, game: str) -> None:
    """Choose a game in the lobby."""
    await page.locator(".game", has_text=game).click()


async def join_queue(page: Page, game: str) -> None:
    """Look for any opponent; the second player in the queue is paired at once."""
    await choose_game(page, game)
    await page.get_by_role("button", name=f"Play {game}").click()


async def start_game(pages: tuple[Page, Page], game: str) -> None:
    """Pair both players through the queue."""
    for page in pages:
        await join_queue(page, game)
    for page in pages:
        await page.wait_for_url("**/table/*")
        await expect(page.get_by_role("grid")).to_be_visible()


async def wait_for_turn(page: Page, *turns: str) -> str:
    """Wait until the turn is one of these, `mine`, `theirs` or `over`, and return it."""
    found: str = await (await page.wait_for_function(TURN, arg=turns)).json_value()
    return found


async def make_turn(page: Page, chance: random.Random) -> None:
    """Wait for the player's turn, then pick at random until the turn is complete."""
    await wait_for_turn(page, "mine")
    while await page.locator("main.table").get_attribute("data-turn") == "mine":
        await pick_at_random(page, chance)


async def pick_at_random(page: Page, chance: random.Random) -> None:
    """Make one of the picks on offer, if there is one, and wait until the table has changed."""
    before = await page.locator("main.table").get_attribute("data-version")
    centres = await page.evaluate(CENTRES, SELECTABLE)
    if centres:
        await page.mouse.click(*chance.choice(centres))
    with suppress(NotInTime):  # what is above the board may have moved it under the mouse: the caller tries again
        await page.wait_for_function(OTHER_VERSION, arg=before, timeout=MISSED_AFTER)


async def make_sensible_turn(page: Page, key: str) -> None:
    """Make the turn of a weak bot. Where random turns lead nowhere, a game is much shorter this way."""
    game = games.find(key)
    state = game.initial(game.options({}))
    for text in await page.evaluate(MOVES):
        state = game.apply(state, game.read(state, text))
    move = think(game, state, "2", seed=1).move
    picks = game.scan(state, game.write(state, move))
    while await page.locator("main.table").get_attribute("data-turn") == "mine":
        before = await page.locator("main.table").get_attribute("data-version")
        next_pick = picks[await page.locator(".step").count()]
        await page.mouse.click(*(await page.evaluate(CENTRES, f'[data-place="{next_pick}"]'))[0])
        await page.wait_for_function(OTHER_VERSION, arg=before)


async def play_to_the_end(pages: tuple[Page, Page], take_turn: Callable[[Page], Awaitable[None]]) -> None:
    """Let both players take turns until there is a result."""

    async def play(page: Page) -> None:
        while await wait_for_turn(page, "mine", "over") == "mine":
            await take_turn(page)

    await asyncio.gather(*map(play, pages))


async def page_to_move(pages: tuple[Page, Page]) -> Page:
    """Wait until it is one player's turn, and return that player's page."""
    waits = {asyncio.create_task(wait_for_turn(page, "mine")): page for page in pages}
    done, rest = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for each in rest:
        each.cancel()
    first = done.pop()
    await first
    return waits[first]


async def wait_for_fonts(page: Page, count: int) -> None:
    """Wait until the browser has loaded this number of parts of the font of headings."""
    await page.wait_for_function(FONTS_LOADED, arg=count)
