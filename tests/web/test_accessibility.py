"""The page with a keyboard, with a screen reader, and with low vision."""

from __future__ import annotations

import random
import re
from typing import Literal
from urllib.parse import urljoin, urlsplit

from playwright.async_api import Page, expect

from tests.e2e.processes import ServerProcess
from tests.web.accessibility import STYLE_RULES, findings
from tests.web.conftest import NewPage
from tests.web.finished_games import finished_game
from tests.web.page_actions import choose_game, page_to_move, start_game, wait_for_turn, wait_until_loaded

Theme = Literal["light", "dark"]
Forced = Literal["active", "none"]

DESKTOP, ZOOMED, PHONE = (1366, 768), (640, 400), (390, 664)
MODES: tuple[tuple[Theme, tuple[int, int], Forced], ...] = (
    ("dark", DESKTOP, "none"),
    ("light", ZOOMED, "none"),  # a window of 1280 x 800 pixels at 200 %
    ("light", DESKTOP, "active"),
    ("dark", PHONE, "none"),
)
PAGES = (
    "/", "/watch", "/games", "/players", "/rules/isaac", "/learn/isaac", "/study", "/editor", "/account", "/settings",
    "/tournaments", "/docs/", "/nowhere",
)  # fmt: skip


async def audit(page: Page) -> list[tuple[str, object]]:
    """Return what axe finds on a page: all rules once, and those about style and size in every mode."""
    found: list[tuple[str, object]] = [(each, "light") for each in await findings(page)]
    for mode in MODES:
        await change_mode(page, *mode)
        found += [(each, mode) for each in await findings(page, *STYLE_RULES)]
    await change_mode(page, "light", DESKTOP, "none")
    return found


async def change_mode(page: Page, theme: Theme, size: tuple[int, int], forced: Forced) -> None:
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await page.emulate_media(color_scheme=theme, forced_colors=forced)


async def test_axe_finds_nothing_on_any_page(new_page: NewPage, server: ServerProcess) -> None:
    """In both themes, at 200 % zoom, with forced colours and on a phone."""
    room = await finished_game(server.url, "replica", moves=2)
    page = await new_page(reduced_motion="reduce")
    for path in (*PAGES, f"/game/{room}", f"/study/game/{room}"):
        await page.goto(urljoin(page.url, path))
        if path != "/docs/":
            await wait_until_loaded(page)
        assert await audit(page) == [], path


async def test_axe_finds_nothing_at_a_table(new_page: NewPage) -> None:
    """While a turn is entered, as a spectator, and after the end."""
    page = await new_page(reduced_motion="reduce")
    await choose_game(page, "Isaac")
    await page.get_by_text("A bot", exact=True).click()
    await page.get_by_role("button", name="Play Isaac").click()
    await wait_for_turn(page, "mine")
    await page.locator(".cell.selectable, .slot.selectable").first.click()
    assert await audit(page) == []
    spectator = await new_page(urlsplit(page.url).path, reduced_motion="reduce")
    await expect(spectator.get_by_role("grid")).to_be_visible()
    assert await findings(spectator) == []
    await page.get_by_role("tab", name="About").click()
    assert await findings(page) == []
    for button in ("^(Abort|Resign)$", "^Confirm"):
        await page.get_by_role("button", name=re.compile(button)).click()
    await expect(page.get_by_role("region", name="Result")).to_be_visible()
    assert await findings(page) == []


async def test_a_turn_is_made_with_the_keyboard(new_page: NewPage) -> None:
    """A player gets from the lobby to a move on the board, and back through the moves, without a pointer."""
    page, other = await new_page(), await new_page()
    for one in (page, other):
        await one.locator('input[name="game"]:checked').focus()
        while await one.get_by_role("button", name="Play Mapello").count() == 0:
            await one.keyboard.press("ArrowRight")
        await one.get_by_role("button", name="Play Mapello").focus()
        await one.keyboard.press("Enter")
    for one in (page, other):
        await one.wait_for_url("**/table/*")
    mover = await page_to_move((page, other))
    await mover.locator('.cell[tabindex="0"]').focus()
    for key in ("PageUp", "Home", "Tab", "Enter"):  # to the far corner, then to the first pick from there
        await mover.keyboard.press(key)
    for one in (page, other):
        await expect(one.locator(".moves button")).to_have_count(1)

    await mover.locator(".moves").focus()
    await mover.keyboard.press("ArrowLeft")
    await expect(mover.get_by_text("Viewing move 0 of 1.")).to_be_visible()
    await mover.keyboard.press("End")
    await expect(mover.get_by_text("Viewing move")).to_have_count(0)


async def test_the_navigation_is_skipped(new_page: NewPage) -> None:
    """The first press of Tab shows a link that leads behind the header."""
    page = await new_page("/rules/replica")
    await wait_until_loaded(page)
    skip = page.get_by_role("link", name="Skip to the content")
    await expect(skip).not_to_be_in_viewport()
    await page.keyboard.press("Tab")
    await expect(skip).to_be_focused()
    await expect(skip).to_be_in_viewport(ratio=1)
    assert await findings(page) == []
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("main")).to_be_focused()
    await page.keyboard.press("Tab")
    await expect(page.locator("main :focus")).to_have_count(1)
    assert page.url.endswith("/rules/replica")


async def test_the_shortcuts_are_listed(new_page: NewPage) -> None:
    """The question mark opens a list of shortcuts. None of them acts behind the dialog, and Escape only closes it."""
    pages = (await new_page(), await new_page())
    await start_game(pages, "Replica")
    mover = await page_to_move(pages)
    await mover.locator(".cell.selectable").first.click()
    await mover.keyboard.press("?")
    dialog = mover.get_by_role("dialog", name="Keyboard shortcuts")
    await expect(dialog.get_by_text("type a whole turn")).to_be_visible()
    assert await findings(mover) == []
    for key in ("Backspace", "Escape"):
        await mover.keyboard.press(key)
    await expect(dialog).to_have_count(0)
    await expect(mover.locator(".step")).to_have_count(1)


async def test_a_turn_is_typed(new_page: NewPage) -> None:
    """A turn can be typed as the names of picks, with completion, or in the game's notation. Errors are explained."""
    pages = (await new_page(), await new_page())
    await start_game(pages, "Replica")
    mover = await page_to_move(pages)
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

    other = await page_to_move(pages)
    assert other is not mover
    await other.keyboard.press("/")
    await other.get_by_label("Your turn").fill(rotated(typed.replace(" ", "-")))
    await other.get_by_role("button", name="Play", exact=True).click()
    for page in pages:
        await expect(page.locator(".moves button")).to_have_count(2)


def rotated(move: str) -> str:
    """Return the same move from the other side of an 8 x 8 board."""
    other = str.maketrans("abcdefgh12345678", "hgfedcba87654321")
    return move.translate(other)


async def test_every_cell_has_a_name(new_page: NewPage) -> None:
    """Each cell's label says where it is, what is on it and whether it can be chosen."""
    pages = (await new_page(), await new_page())
    await start_game(pages, "Replica")
    mover = await page_to_move(pages)
    await expect(mover.get_by_role("gridcell")).to_have_count(64)
    names = [await cell.get_attribute("aria-label") for cell in await mover.locator(".cell.selectable").all()]

    assert names
    assert all(
        name is not None and re.fullmatch(r"[a-h][1-8], (White|Black) (man|king)\b.*, can be chosen", name)
        for name in names
    )
    assert await mover.locator('[data-name="a1"]').get_attribute("aria-label") in (
        "a1, Black king, White goal",
        "a1, Black king, White goal, can be chosen",
    )


async def test_a_game_is_played_with_the_keyboard(new_page: NewPage) -> None:
    """A player gets from the lobby to the result of a game against the computer without a pointer."""
    page = await new_page(reduced_motion="reduce")
    await page.locator('input[name="game"]:checked').focus()
    while await page.get_by_role("button", name="Play Mapello").count() == 0:
        await page.keyboard.press("ArrowRight")
    await page.locator('input[name="opponent"]:checked').focus()
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
        names = await page.locator(".cell.selectable").evaluate_all("(cells) => cells.map((cell) => cell.dataset.name)")
        await page.locator('.cell[tabindex="0"]').focus()
        await page.keyboard.type(chance.choice(names))
        await page.keyboard.press("Enter")
        await page.wait_for_function(
            "(before) => document.querySelector('main.table')?.dataset.version !== before", arg=version
        )
    await expect(page.get_by_role("region", name="Result")).to_be_focused()
