"""The documentation in a browser, under the server's Content-Security-Policy: any violation fails the test."""

from __future__ import annotations

import json
import re

from playwright.async_api import Page, expect

from tests.web.accessibility import findings
from tests.web.conftest import NewPage


async def frames(page: Page) -> list[str]:
    """Return the frames that the console shows, as JSON."""
    return await page.locator(".frames summary code").all_inner_texts()


async def test_the_console_plays(new_page: NewPage) -> None:
    """A reader connects, begins a game and plays a move with the examples, from the keyboard."""
    page = await new_page("/docs/console/")
    await page.get_by_role("button", name="Connect").press("Enter")
    await expect(page.get_by_role("status").filter(has_text="Connected as")).to_be_visible()
    example, text = page.get_by_label("Example"), page.get_by_label("Message")

    async def send(name: str, message: dict[str, object], until: str) -> None:
        await example.select_option(name)
        shown = json.loads(await text.input_value())
        assert shown["t"] == name
        assert "id" not in shown
        await text.fill(json.dumps(shown | message))
        await text.press("Control+Enter")
        await expect(page.locator(".frame").filter(has_text=until).last).to_be_visible()

    terms = {"terms": {"game": "replica"}, "levels": [None, "1"]}
    await send("create", terms | {"position": None}, '"t":"ok"')
    await send("join", {}, '"t":"choices"')
    await send("play", {"ply": 0, "move": "g5-f5"}, '"g5-f5",null')
    received = " ".join(await frames(page))
    assert '"token":"(hidden)"' in received
    assert "refused" not in received

    await text.fill("{")
    await text.press("Control+Enter")
    await expect(page.get_by_role("alert")).to_contain_text("This is not JSON")
    assert await findings(page) == []
    await page.set_viewport_size({"width": 390, "height": 664})
    await page.locator(".frame details").evaluate_all("(frames) => frames.forEach((frame) => (frame.open = true))")
    assert await findings(page, "scrollable-region-focusable") == []


async def test_the_search_and_the_links(new_page: NewPage) -> None:
    """The page links to the documentation, the search finds a section, and the logo leads back to the lobby."""
    page = await new_page("/")
    await page.get_by_role("link", name="Docs").click()
    await expect(page.get_by_role("heading", name="Documentation", level=1)).to_be_visible()

    await page.wait_for_load_state()  # the script of the page handles the key
    await page.keyboard.press("/")
    await page.keyboard.type("retry_after")
    await expect(page.locator("#results a").first).to_be_visible()
    await page.keyboard.press("Escape")
    await page.get_by_label("Search the documentation").fill("canonical bytes")
    await expect(page.get_by_role("link", name="The protocol: The hash of a scene")).to_be_visible()
    await page.keyboard.press("ArrowDown")
    await expect(page.locator("#results a").first).to_be_focused()
    await page.get_by_role("link", name="The protocol: The hash of a scene").press("Enter")
    await expect(page).to_have_url(re.compile(r"/docs/protocol/#the-hash-of-a-scene$"))

    await page.get_by_role("link", name="Parlour: play").click()
    await expect(page.get_by_role("heading", name="Choose a game")).to_be_visible()


async def test_the_theme_is_that_of_the_page(new_page: NewPage) -> None:
    """The theme that a player chose holds in the documentation too; both themes and a narrow window are readable."""
    page = await new_page("/docs/records/", color_scheme="light", viewport={"width": 390, "height": 844})
    assert await findings(page) == []
    await page.get_by_role("button", name="Dark theme").click()
    await page.goto(page.url.replace("records", "rules/isaac"))
    assert await page.evaluate("document.documentElement.classList.contains('dark')")
    assert await findings(page) == []
    assert not await page.evaluate("document.documentElement.scrollWidth > innerWidth")
    await page.get_by_text("All pages").click()
    await expect(page.get_by_role("link", name="Hosting")).to_be_visible()
