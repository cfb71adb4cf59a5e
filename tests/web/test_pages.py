"""Every page: accessible, no wider than the screen, served from one host, and small on the first visit."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser, Request, expect

from tests.e2e.processes import ServerProcess
from tests.web.accessibility import findings
from tests.web.conftest import NewPage
from tests.web.finished_games import finished_game
from tests.web.page_actions import wait_for_fonts, wait_until_loaded

FIRST_VISIT = 70_000  # bytes

PAGES = [
    "/",
    "/watch",
    "/games",
    "/players",
    "/players/Ann/",
    "/rules/isaac",
    "/editor",
    "/account",
    "/settings",
    "/no",
]
WIDTHS = (360, 768, 1366, 3840)
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize(("theme", "width"), [("light", 1366), ("dark", 360)])
async def test_pages_are_accessible_and_fit_the_screen(
    new_page: NewPage, server: ServerProcess, theme: str, width: int
) -> None:
    """Axe finds nothing serious in either theme, on a desktop or a phone, and no page overflows any screen."""
    room = await finished_game(server.url)
    page = await new_page(color_scheme=theme, viewport={"width": width, "height": 740}, reduced_motion="reduce")
    home = page.url.removesuffix("/")
    for path in (*PAGES, f"/game/{room}"):
        await page.goto(home + path)
        await wait_until_loaded(page)
        assert (path, await findings(page)) == (path, [])
        for each in WIDTHS:
            await page.set_viewport_size({"width": each, "height": 740})
            assert (path, each, await page.evaluate(WIDER)) == (path, each, 0)
        await page.set_viewport_size({"width": width, "height": 740})
    await page.goto(home)
    await page.get_by_role("button", name="New table").click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    assert await findings(page) == []


async def test_the_first_visit_is_small(browser: Browser, server: ServerProcess) -> None:
    """Everything that the lobby loads comes from the server itself and is at most 70 kB."""
    page = await (await browser.new_context()).new_page()
    fetched: list[Request] = []
    page.on("requestfinished", lambda request: fetched.extend([request]))
    await page.goto(f"http://127.0.0.1:{server.port}/", wait_until="load")
    await expect(page.locator(".game").first).to_be_visible()

    assert {request.url.split("/")[2] for request in fetched} == {f"127.0.0.1:{server.port}"}
    assert {"document", "script", "stylesheet"} <= {request.resource_type for request in fetched}
    sizes = [(await request.sizes())["responseBodySize"] for request in fetched]
    assert FIRST_VISIT / 2 < sum(sizes) <= FIRST_VISIT


async def test_a_heading_loads_the_letters_that_it_has(new_page: NewPage) -> None:
    """The font of headings comes in parts: English first, the other Latin letters when a name has them."""
    page = await new_page()
    await wait_for_fonts(page, 1)
    for name, parts in (("Émile", 2), ("Łukasz", 3)):
        await page.locator("h1").evaluate("(heading, name) => { heading.textContent = name }", name)
        await wait_for_fonts(page, parts)


async def test_the_page_works_below_a_path(browser: Browser, built: None, tmp_path: Path) -> None:
    """Files, links, the socket, invitations and a reload of a deep address stay below the prefix."""
    server = ServerProcess(tmp_path / "data", "--path-prefix", "/games/parlour")
    await server.start()
    root = f"http://127.0.0.1:{server.port}/games/parlour"
    page = await (await browser.new_context()).new_page()
    outside: list[str] = []
    page.on("request", lambda request: None if request.url.startswith(root) else outside.append(request.url))
    try:
        await page.goto(root)
        await expect(page.locator(".game").first).to_be_visible()
        await wait_for_fonts(page, 1)
        await page.get_by_role("navigation", name="Pages").get_by_role("link", name="Rules").first.click()
        await expect(page).to_have_url(f"{root}/rules")
        await page.get_by_role("link", name="Isaac").first.click()
        await expect(page).to_have_url(f"{root}/rules/isaac")
        await page.reload()
        await expect(page.get_by_role("heading", name="Isaac").first).to_be_visible()
        await page.get_by_role("link", name="Parlour home").click()
        await expect(page).to_have_url(f"{root}/")
        await page.go_back()
        await expect(page).to_have_url(f"{root}/rules/isaac")
        links = await page.locator("a[href]").evaluate_all("all => all.map(each => each.href)")
    finally:
        await server.kill()

    assert [link for link in links if not link.startswith((f"{root}/", "https://"))] == []
    assert outside == []
