"""The first paint of pages: it shows the content, stays where it is, and is small."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, Page, expect

from tests.client.cups import cup
from tests.e2e.people import people, sit_down
from tests.e2e.processes import ServerProcess
from tests.web.conftest import NewPage
from tests.web.finished_games import finished_game

MAX_LAYOUT_SHIFT = 0.05
MAX_FIRST_LOAD = 70_000  # bytes with gzip
RECORD_SHIFTS = """
window.layoutShifts = [];
new PerformanceObserver((list) => window.layoutShifts.push(...list.getEntries()))
  .observe({ type: "layout-shift", buffered: true });
"""
LAYOUT_SHIFTS = """
() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(
  window.layoutShifts.map(({ value, sources }) => [value, sources.map(({ node }) => node?.className ?? "")])
))))
"""
LOADED = """
() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .filter(({ initiatorType, name }) => initiatorType !== "other" || name.endsWith(".js"))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
"""


async def invitation(new_page: NewPage) -> tuple[Page, str]:
    """Invite a friend by link, and return the path of the link."""
    host = await new_page()
    await host.get_by_text("A friend", exact=True).click()
    await host.locator(".quick-start .primary").click()
    link = await host.get_by_label("Link", exact=True).input_value()
    return host, f"/join/{link.rsplit('/', 1)[1]}"


async def open_and_measure(page: Page, url: str, awaited: str = ".me, main.table") -> None:
    """Open a page, wait for a part that its script adds, and check that nothing has moved."""
    await page.goto(url)
    await expect(page.locator(awaited)).not_to_have_count(0)
    await expect(page.get_by_text("Loading…")).to_have_count(0)
    shifts = await page.evaluate(LAYOUT_SHIFTS)
    assert sum(value for value, _ in shifts) <= MAX_LAYOUT_SHIFT, (url, shifts)


@pytest.mark.parametrize("viewport", [{"width": 1366, "height": 768}, {"width": 390, "height": 664}])
async def test_nothing_moves(
    browser: Browser, server: ServerProcess, new_page: NewPage, viewport: dict[str, int]
) -> None:
    """Nothing jumps when the script runs and connects, for a new visitor and for a player with a running game."""
    _, invited = await invitation(new_page)
    finished = await finished_game(server.url, moves=2)
    async with cup(server.url, "Still arena") as (_, tournament), people(server.url, "Cid", "Dan") as (cid, dan):
        room = await sit_down(cid, dan, "mapello")
        context = await browser.new_context(viewport=viewport, has_touch=viewport["width"] < 600)  # type: ignore[arg-type]
        await context.add_init_script(RECORD_SHIFTS)
        games = (f"/table/{room}", f"/game/{finished}", f"/study/game/{finished}", "/games")
        tournaments = ("/tournaments", f"/tournaments/{tournament}")
        for path in ("/", "/watch", *games, *tournaments, "/rules/mapello", "/learn/mapello", invited):
            page = await context.new_page()
            await open_and_measure(page, f"http://127.0.0.1:{server.port}{path}")
            if path == "/":
                assert 20_000 < await page.evaluate(LOADED) <= MAX_FIRST_LOAD
            if path != invited:
                await page.close()
        await page.get_by_role("main").get_by_role("button", name="Play").click()
        await page.wait_for_url("**/table/*")
        await open_and_measure(page, f"http://127.0.0.1:{server.port}/", ".return-bar")
        await context.close()


async def test_pages_have_content_without_their_script(new_page: NewPage) -> None:
    """Crawlers and slow phones see the games, the rules, a lesson and an invitation in the HTML itself."""
    _, invited = await invitation(new_page)
    page = await new_page(java_script_enabled=False)
    await expect(page.locator(".game b")).to_have_text(["Isaac", "Mapello", "Mitsudomoe", "Replica"])
    address = page.url.rstrip("/")
    for path, text in (
        ("/rules/replica", "What you need"),
        ("/learn/replica", "Step forward"),
        (invited, "invites you to"),
        ("/settings", "Settings"),
    ):
        await page.goto(address + path)
        await expect(page.locator("main")).to_contain_text(text)
        await expect(page.get_by_role("navigation", name="Pages").first).to_be_attached()
