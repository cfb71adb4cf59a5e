"""Two players, each with a browser, play each other."""

from __future__ import annotations

import asyncio
import random
import re
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.async_api import Page, expect

from tests.e2e.processes import ServerProcess
from tests.web.accessibility import findings
from tests.web.conftest import NewPage
from tests.web.page_actions import (
    SELECTABLE,
    choose_game,
    make_sensible_turn,
    make_turn,
    page_to_move,
    play_to_the_end,
    start_game,
    wait_for_turn,
)

SMALL = {"width": 390, "height": 664}  # a phone with the bars of its browser

# Records each state of the table in which the prompt is not completely visible, above the dock.
RECORD_HIDDEN_PROMPTS = """
() => {
  window.hiddenPrompts = new Set();
  const check = () => {
    const prompt = document.querySelector("main.table .prompt")?.getBoundingClientRect();
    const bottom = document.querySelector(".dock")?.getBoundingClientRect().top ?? innerHeight;
    if (prompt && (prompt.top < 0 || prompt.bottom > bottom + 1 || prompt.right > innerWidth + 1))
      window.hiddenPrompts.add(document.querySelector(".prompt").textContent);
  };
  new MutationObserver(check).observe(document.body, { childList: true, characterData: true, subtree: true });
}
"""
CUT_OFF = """
(lines) => lines
  .filter((line) => !line.clientWidth || line.scrollWidth > line.clientWidth)
  .map((line) => line.textContent)
"""
CELLS = """
() => Object.fromEntries(
  [...document.querySelectorAll(".cell")].map((cell) => [cell.dataset.name, cell.getAttribute("aria-label")]))
"""


@pytest.mark.parametrize("game", ["Isaac", "Mapello", "Mitsudomoe", "Replica"])
async def test_two_browsers_meet_and_play_to_the_end(new_page: NewPage, server: ServerProcess, game: str) -> None:
    """Two players meet in the queue and play by clicks through a server crash; a spectator sees the same result."""
    chance = random.Random(1)

    async def take_turn(page: Page) -> None:
        # Random turns move the balls of Mitsudomoe back and forth for hours.
        await (make_sensible_turn(page, "mitsudomoe") if game == "Mitsudomoe" else make_turn(page, chance))

    pages = (
        await new_page(viewport=SMALL, reduced_motion="reduce"),
        await new_page(viewport=SMALL, reduced_motion="reduce"),
    )
    for page in pages:
        await page.evaluate(RECORD_HIDDEN_PROMPTS)
    await start_game(pages, game)
    for _ in range(4):
        await take_turn(await page_to_move(pages))
    spectator = await new_page(urlsplit(pages[0].url).path, reduced_motion="reduce")
    await expect(spectator.locator(".moves button")).to_have_count(4)
    await expect(spectator.locator(SELECTABLE)).to_have_count(0)

    async def restart_server() -> None:
        await server.kill()
        await server.start()

    await asyncio.gather(play_to_the_end(pages, take_turn), restart_server())
    await wait_for_turn(spectator, "over")
    everyone = (*pages, spectator)
    ends = [await page.locator(".result").locator("h2, .reason").all_inner_texts() for page in everyone]
    titles = [title.partition(",")[0] for title, *_ in ends]
    winner = await winning_name(pages, titles)
    assert sorted(titles[:2]) == (["You lost", "You won"] if winner else ["Draw", "Draw"])
    assert titles[2] == (f"{winner} won" if winner else "Draw")
    assert [await page.evaluate("[...window.hiddenPrompts]") for page in pages] == [[], []]
    boards = [await page.evaluate(CELLS) for page in everyone]
    assert {} != boards[0] == boards[1] == boards[2]
    assert server.errors == []


async def winning_name(pages: tuple[Page, Page], titles: list[str]) -> str:
    """Return the name of the winner, or an empty string after a draw."""
    for page, title in zip(pages, titles, strict=False):
        if title == "You won":
            seat = await page.locator(".player.own").get_attribute("aria-label")
            assert seat is not None
            return seat.partition(": ")[2]
    return ""


async def test_a_rated_game_shows_the_new_ratings(new_page: NewPage) -> None:
    """Both players see the new ratings, which differ after one has resigned."""
    pages = (await new_page(), await new_page())
    for page in pages:
        await page.get_by_text("Rated", exact=True).click()
    await start_game(pages, "Mapello")
    for _ in range(6):  # a rated game counts after six moves
        await make_turn(await page_to_move(pages), random.Random(1))
    winner = await page_to_move(pages)
    loser = pages[1 - pages.index(winner)]
    for button in ("Resign", "Confirm resign"):
        await loser.get_by_role("button", name=button).click()

    told = []
    for page in pages:
        await expect(page.locator(".rated > span")).to_have_count(2)
        told.append(await page.locator(".rated > span").all_inner_texts())
    await expect(winner.locator(".prompt.mine")).to_have_count(0)
    assert told[0] == told[1]
    assert len({rating.rpartition(" ")[2] for rating in told[0]}) == 2


async def test_a_friend_joins_by_link(new_page: NewPage) -> None:
    """A link says who invites to what, and to the host that it is their own; one press brings a friend to the table."""
    host, guest = await new_page(), await new_page(viewport={"width": 390, "height": 664}, color_scheme="dark")
    await host.get_by_text("A friend", exact=True).click()
    await host.locator(".quick-start").get_by_role("button", name="Play").click()
    link = await host.get_by_label("Link").input_value()
    name = await host.locator(".me .name").inner_text()
    own = await host.context.new_page()
    await own.goto(link)
    await expect(own.get_by_text("This is your own invitation.")).to_be_visible()
    assert await findings(own) == []
    await guest.goto(link)
    await expect(guest.get_by_role("heading", name=f"{name} invites you to")).to_be_visible()
    await expect(guest.locator("dl")).to_contain_text("10 min + 5 s")
    await expect(guest.locator(".stage [data-piece]")).not_to_have_count(0)  # not the empty board of the start
    await expect(guest.get_by_role("main").get_by_role("button", name="Play")).to_be_in_viewport(ratio=1)
    assert await findings(guest) == []
    await guest.get_by_role("main").get_by_role("button", name="Play").click()

    await host.wait_for_url("**/table/*")
    await guest.wait_for_url("**/table/*")
    assert host.url == guest.url
    await own.reload()
    await expect(own.get_by_role("heading", name="This invitation is not open")).to_be_visible()


async def test_the_result_is_seen_after_resigning_on_a_phone(new_page: NewPage) -> None:
    """The sheet leads to the players and the lesson, and makes room for the result, which keeps the board large."""
    pages = (await new_page(viewport=SMALL), await new_page(viewport=SMALL))
    await start_game(pages, "Mapello")
    page, other = pages
    await page.get_by_role("navigation", name="Table").get_by_role("button", name="More").click()
    name = (await other.locator(".player.own").get_attribute("aria-label") or "").partition(": ")[2]
    sheet = page.locator(".side-panel.sheet")
    await expect(sheet.get_by_role("link", name=name)).to_be_visible()
    await expect(sheet.get_by_role("link", name="Learn · 2 min")).to_be_visible()
    for button in (re.compile("^(Abort|Resign)$"), re.compile("^Confirm")):
        await sheet.get_by_role("button", name=button).click()
    for each in pages:
        await expect(each.get_by_role("region", name="Result")).to_be_in_viewport(ratio=1)
        await expect(each.locator(".side-panel.sheet")).to_have_count(0)
        board = await each.locator(".board").bounding_box()
        assert board is not None
        assert board["width"] >= 370


async def test_an_unfinished_turn_can_be_undone(new_page: NewPage) -> None:
    """A pick is shown as a step; the button, Escape or a second press undoes it."""
    pages = (await new_page(), await new_page())
    await start_game(pages, "Mitsudomoe")
    mover = await page_to_move(pages)
    offered = await mover.locator(SELECTABLE).count()
    supply, steps = mover.locator(".slot.selectable"), mover.locator(".step")

    async def chosen() -> None:
        await supply.click()
        await expect(steps).to_have_text(["supply"])

    async def undone() -> None:
        await expect(steps).to_have_count(0)
        await expect(mover.locator(SELECTABLE)).to_have_count(offered)

    await chosen()
    await mover.get_by_role("button", name="Undo").click()
    await undone()
    await chosen()
    await mover.keyboard.press("Escape")
    await undone()
    await chosen()
    await mover.locator(".slot.chosen").click()
    await undone()


async def test_a_piece_can_be_dragged(new_page: NewPage) -> None:
    """Dragging a piece to its target is the same as choosing both. It closes an open offer, which both players read."""
    pages = (await new_page(), await new_page())
    await start_game(pages, "Replica")
    mover = await page_to_move(pages)
    other = pages[1 - pages.index(mover)]
    await mover.get_by_role("button", name="Draw").click()
    await expect(mover.locator(".prompt .said")).to_have_text("Your draw offer was sent.")
    await expect(other.locator(".prompt .words")).to_contain_text("offers a draw.")
    for piece in await mover.locator(".cell.selectable").all():
        start = await piece.bounding_box()
        assert start is not None
        await mover.mouse.move(start["x"] + 20, start["y"] + 20)
        await mover.mouse.down()
        targets = mover.locator('.cell.selectable[aria-label*="empty"]')
        if await targets.count():
            break
        await mover.mouse.up()
        await mover.keyboard.press("Escape")
    goal = await targets.first.bounding_box()
    assert goal is not None
    await mover.mouse.move(goal["x"] + 20, goal["y"] + 20, steps=4)
    await mover.mouse.up()

    for page in pages:
        await expect(page.locator(".moves button")).to_have_count(1)
        await expect(page.locator(".prompt .said")).to_contain_text("draw offer is no longer open.")


async def test_a_finger_plays_on_small_cells(new_page: NewPage) -> None:
    """On a phone, a touch beside the only pick nearby chooses that pick."""
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    pages = (await new_page(**phone), await new_page(**phone))
    await start_game(pages, "Mapello")
    mover = await page_to_move(pages)
    box = await mover.locator(".cell.selectable").first.bounding_box()
    assert box is not None
    assert box["width"] < 44
    await mover.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] - 6)

    for page in pages:
        await expect(page.locator(".moves button")).to_have_count(1)


async def test_a_turn_is_chosen_in_advance(new_page: NewPage) -> None:
    """Cells chosen while the opponent thinks are played at once; a second press lets go of them."""
    pages = (await new_page(), await new_page())
    await start_game(pages, "Replica")
    mover = await page_to_move(pages)
    other = pages[1 - pages.index(mover)]

    async def press(cell: str, page: Page = mover) -> None:
        await page.locator(f'.cell[data-name="{cell}"]').click()

    await press("g5")
    await press("f4")
    await wait_for_turn(mover, "theirs")
    words = mover.locator(".prompt .words")
    await press("g7")
    await expect(words).to_have_text("Your next turn: g7.")
    await press("g7")
    await expect(words).to_contain_text("is thinking")
    await press("h7")
    await press("d7")
    await expect(words).to_have_text("Your next turn: h7 d7.")
    await press("d1", other)
    await press("e1", other)
    for page in pages:
        await expect(page.locator(".moves button")).to_have_count(3)
    await expect(mover.locator(".moves button").last).to_have_text("h7-d7")


@pytest.mark.parametrize("size", [(390, 664), (360, 560), (740, 360)], ids=str)
async def test_the_prompt_is_visible_on_a_phone(new_page: NewPage, size: tuple[int, int]) -> None:
    """On a phone with its browser's bars, prompt, board, players and scores fit without scrolling, in every game."""
    viewport = {"width": size[0], "height": size[1]}
    page = await new_page(viewport=viewport, reduced_motion="reduce")
    for game in ("Isaac", "Mapello", "Mitsudomoe", "Replica"):
        await page.goto(urljoin(page.url, "/"))
        await choose_game(page, game)
        await page.get_by_text("A bot", exact=True).click()
        await page.get_by_role("button", name=f"Play {game}").click()
        await wait_for_turn(page, "mine")
        bottom = viewport["height"]
        if await page.locator(".dock").is_visible():
            dock = await page.locator(".dock").bounding_box()
            assert dock is not None
            bottom = int(dock["y"])
        for part in (".prompt", ".player.opponent", ".player.own", ".board"):
            box = await page.locator(part).bounding_box()
            assert box is not None
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= bottom
            assert box["x"] + box["width"] <= viewport["width"]
        board = await page.locator(".board").bounding_box()
        assert board is not None
        assert board["width"] >= 340
        scores = page.locator(".player .score-line")
        assert await scores.evaluate_all(CUT_OFF) == []
        await expect(page.locator(".leave")).to_be_in_viewport(ratio=1)
