"""Games without another browser: two players on one device, and bot against bot."""

from __future__ import annotations

import random

from playwright.async_api import Page, expect

from tests.web.accessibility import findings
from tests.web.conftest import NewPage
from tests.web.page_actions import SELECTABLE, choose_game, pick_at_random, wait_for_turn

PHONE = {"width": 390, "height": 664}
TAKEN = "(moves) => document.querySelector('.step') || document.querySelectorAll('.moves button').length > moves"


async def set_up(page: Page, game: str, opponent: str) -> None:
    """Open the dialog with all options and choose an opponent."""
    await choose_game(page, game)
    await page.get_by_role("button", name="New table").click()
    await page.get_by_role("dialog").get_by_text(opponent, exact=True).click()


async def start_on_one_device(page: Page, game: str, name: str) -> None:
    await set_up(page, game, "On this device")
    await page.get_by_label("Name of the second player").fill(name)
    await page.get_by_role("dialog").get_by_role("button", name="Play").click()
    await page.wait_for_url("**/table/*")
    await wait_for_turn(page, "mine")


async def make_one_turn(page: Page, chance: random.Random) -> None:
    """Pick at random until one more move is played."""
    moves = page.locator(".moves button")
    before = await moves.count()
    while await moves.count() == before:
        await wait_for_turn(page, "mine")
        await pick_at_random(page, chance)
        await page.wait_for_function(TAKEN, arg=before)


async def test_two_players_take_turns_on_one_device(new_page: NewPage) -> None:
    """Each turn is asked of its player by name, from that player's hand; a reload keeps both players at the table."""
    page = await new_page(viewport=PHONE, reduced_motion="reduce")
    own = await page.locator(".me .name").inner_text()
    await start_on_one_device(page, "Isaac", "Mina")
    words, chance = page.locator(".prompt .words"), random.Random(1)
    asked = []
    for ply in range(1, 5):
        asked.append((await words.inner_text()).partition(":")[0])
        await make_one_turn(page, chance)
        await wait_for_turn(page, "mine")
        if ply == 2:
            await page.reload()
            await wait_for_turn(page, "mine")
    assert sorted(asked[:2]) == sorted([own, "Mina"])
    assert asked[2:] == asked[:2]
    assert await findings(page) == []


async def test_two_players_on_one_device_agree_by_one_press(new_page: NewPage) -> None:
    """A take-back is agreed at once, a draw after a second press, and the result names both players alike."""
    page = await new_page()
    await start_on_one_device(page, "Mapello", "Otto")
    chance = random.Random(1)
    await make_one_turn(page, chance)
    await expect(page.locator(".moves button")).to_have_count(1)
    await wait_for_turn(page, "mine")
    await page.get_by_role("button", name="Take back").click()
    await expect(page.locator(".moves button")).to_have_count(0)
    await expect(page.locator(SELECTABLE).first).to_be_visible()
    await page.get_by_role("button", name="Draw").click()
    await page.get_by_role("button", name="Confirm draw").click()
    await expect(page.locator(".result h2")).to_have_text("Draw")
    await page.get_by_role("button", name="Rematch").click()
    await expect(page.locator(".result")).to_have_count(0)
    for _ in range(2):
        await make_one_turn(page, chance)
    await expect(page.locator(".moves button")).to_have_count(2)
    for button in ("Resign", "Confirm resign"):
        await page.get_by_role("button", name=button).click()
    await expect(page.locator(".result h2")).to_contain_text(" won")
    await expect(page.locator(".result h2")).not_to_contain_text("You")


async def test_two_levels_of_the_computer_play_each_other(new_page: NewPage) -> None:
    """Each side has a level of its own; levels are listed from weak to strong, with what they do."""
    page = await new_page(viewport=PHONE)
    await set_up(page, "Replica", "Bot against bot")
    dialog = page.get_by_role("dialog")
    options = await dialog.get_by_label("Level of White").locator("option").all_inner_texts()
    strengths = [int(option.rpartition(" ")[2]) for option in options]
    assert strengths == sorted(strengths)
    assert {"Random", "Greedy", "Minimax"} <= {option.partition(",")[0] for option in options}
    await dialog.get_by_label("Level of White").select_option("random")
    await dialog.get_by_label("Level of Black").select_option("greedy")
    await dialog.get_by_text("What the levels do").click()
    await expect(dialog.locator(".level-list")).to_contain_text("looks one move ahead", ignore_case=True)
    assert await findings(page) == []
    await dialog.get_by_role("button", name="Watch").click()

    await page.wait_for_url("**/table/*")
    await page.wait_for_function("() => document.querySelectorAll('.moves button').length >= 2")
    names = await page.locator(".player .who b").all_inner_texts()
    assert sorted(names) == ["Greedy", "Random"]
    await expect(page.locator(SELECTABLE)).to_have_count(0)
