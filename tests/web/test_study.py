"""The analysis board: variations, the computer's opinion, links, and playing on."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

from playwright.async_api import Page, expect

from tests.e2e.processes import ServerProcess
from tests.web.accessibility import findings
from tests.web.conftest import NewPage
from tests.web.finished_games import finished_game
from tests.web.page_actions import join_queue, wait_for_turn

REPLICA = ".....w.W/......w./.......w/...Bwww./.b....../.bb...../b.bb..../B..b.... w"


def address_of(position: str) -> str:
    return f"/study/position/replica/-/{quote(position, safe='')}"


async def play(page: Page, *cells: str) -> None:
    for cell in cells:
        await page.locator(f'.cell[data-name="{cell}"]').click()


async def test_a_game_is_studied_with_variations(new_page: NewPage, server: ServerProcess) -> None:
    """A move of one's own becomes a variation, which survives a reload and has a link; it can be removed."""
    room = await finished_game(server.url, moves=4)
    page = await new_page(f"/game/{room}/1")
    await page.get_by_role("link", name="Study").click()
    tree = page.locator(".variations")
    await expect(tree.locator("button")).to_have_count(4)
    await expect(tree.locator("[aria-current]")).to_have_text("1" + await second_line(tree.locator("button").first))
    played = await tree.locator("button").nth(1).inner_text()
    for cell in await page.locator(".cell.selectable").all():
        if not played.endswith(await cell.get_attribute("data-name") or "?"):
            await cell.click()
            break
    variation = tree.locator("ul button")
    await expect(variation).to_have_count(1)
    await expect(variation).to_have_attribute("aria-current", "true")
    await expect(page.locator(".evaluation")).to_contain_text("Best move:")
    assert await page.locator(".arrows path, .pointers rect").count()
    assert await findings(page) == []

    await page.reload()
    await expect(variation).to_have_attribute("aria-current", "true")
    other = await new_page(urlsplit(page.url).path)
    await expect(other.locator(".variations ul button")).to_have_text(await variation.inner_text())
    await page.get_by_role("button", name="Remove this move").click()
    await expect(variation).to_have_count(0)
    await page.keyboard.press("End")
    await expect(tree.locator("[aria-current]")).to_have_text("4" + await second_line(tree.locator("button").last))


async def second_line(button: object) -> str:
    text: str = await button.inner_text()  # type: ignore[attr-defined]
    return text.lstrip("0123456789\n ")


async def test_a_position_is_played_on_against_a_bot(new_page: NewPage) -> None:
    """A position from text starts a game against a bot; the player's variations of that game are stored with it."""
    page = await new_page(address_of(REPLICA))
    await play(page, "g5", "f4")
    await expect(page.locator(".variations button")).to_have_count(1)
    await expect(page.locator(".prompt .words")).to_contain_text("Black:")
    await play(page, "b4", "b5")
    await expect(page.locator(".variations button")).to_have_count(2)
    await page.get_by_role("button", name="Play from here").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_text("White", exact=True).click()
    await dialog.get_by_role("button", name="Play", exact=True).click()
    await page.wait_for_url("**/table/*")
    await wait_for_turn(page, "mine")
    await expect(page.locator('.cell[data-name="f4"]')).to_have_attribute("aria-label", "f4, White man, can be chosen")

    await play(page, "h6", "g6")
    await expect(page.locator(".moves button")).to_have_count(2)
    for button in ("Resign", "Confirm resign"):
        await page.get_by_role("button", name=button).click()
    await page.get_by_role("link", name="Study").click()
    await expect(page.get_by_text("Your variations are stored with the game")).to_be_visible()
    await page.keyboard.press("Home")
    await play(page, "g7", "f7")
    variation = page.locator(".variations ul button")
    await expect(variation).to_have_attribute("aria-current", "true")
    room = urlsplit(page.url).path.split("/")[3]
    await page.get_by_role("link", name="Parlour home").click()  # which stores it at once
    other = await new_page(f"/study/game/{room}")
    await expect(other.locator(".variations ul button")).to_have_text("1g7-f7")


async def test_a_position_is_set_up_as_text(new_page: NewPage) -> None:
    """The form begins with the first position; the board follows the text, and errors are shown at once."""
    page = await new_page("/study")
    await page.locator(".set-up select").select_option("replica")
    field, pieces = page.get_by_role("textbox"), page.locator(".set-up [data-piece]")
    await expect(field).to_have_value(re.compile("wwwW/"))
    await expect(pieces).to_have_count(24)
    await field.fill(REPLICA)
    await expect(pieces).to_have_count(16)
    assert await findings(page) == []
    await field.fill(REPLICA.replace("W", "Q"))
    await expect(page.get_by_role("alert")).not_to_be_empty()
    await expect(page.get_by_role("button", name="Study")).to_be_disabled()
    await field.fill(REPLICA)
    await page.get_by_role("button", name="Study").click()
    await expect(page.locator(".study .cell.selectable").first).to_be_visible()
    assert page.url.endswith(address_of(REPLICA))


async def test_players_of_a_running_game_get_no_help(new_page: NewPage) -> None:
    """The board works, but the computer refuses to assess, and says when it will."""
    first, second = await new_page(), await new_page()
    for page in (first, second):
        await join_queue(page, "Replica")
    for page in (first, second):
        await page.wait_for_url("**/table/*")
    server = urlsplit(first.url)
    await first.goto(f"{server.scheme}://{server.netloc}{address_of(REPLICA)}")
    await expect(first.get_by_role("alert")).to_contain_text("against a person")
    await play(first, "g5", "f4")
    await expect(first.locator(".variations button")).to_have_count(1)
    await expect(first.locator(".evaluation")).to_have_count(0)
