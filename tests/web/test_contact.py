"""Lost connections, servers that die, and several windows of one player."""

from __future__ import annotations

import random

from playwright.async_api import expect

from tests.e2e.processes import ServerProcess
from tests.web.conftest import NewPage
from tests.web.people import is_told, listen, make_turn, meet, mover_of


async def test_the_server_dies_and_the_game_goes_on(new_page: NewPage, server: ServerProcess) -> None:
    """The page says in words that contact is lost and is back, and no move is missing afterwards."""
    pages = (await new_page(), await new_page())
    await meet(pages, "Mapello")
    chance = random.Random(2)
    await make_turn(await mover_of(pages), chance)
    await expect(pages[0].locator(".moves button")).to_have_count(1)

    for page in pages:
        await listen(page)
    await server.kill()
    for page in pages:
        await is_told(page, "Connection lost")
    await server.start()
    for page in pages:
        await is_told(page, "Back again.")

    await make_turn(await mover_of(pages), chance)
    for page in pages:
        await expect(page.locator(".moves button")).to_have_count(2)


async def test_a_turn_made_without_contact_is_sent_later(new_page: NewPage, server: ServerProcess) -> None:
    """What was chosen while the server was away is played once it is back."""
    pages = (await new_page(), await new_page())
    await meet(pages, "Mapello")
    mover = await mover_of(pages)
    await server.kill()
    await expect(mover.get_by_role("alert")).to_contain_text("Connection lost")
    await mover.locator(".cell.may").first.click()
    await server.start()

    for page in pages:
        await expect(page.locator(".moves button")).to_have_count(1)


async def test_two_windows_of_one_player_stay_in_step(new_page: NewPage) -> None:
    """A turn that is made in one window is seen in the other, which may go on."""
    pages = (await new_page(), await new_page())
    await meet(pages, "Mapello")
    other = await pages[0].context.new_page()
    await other.goto(pages[0].url)
    await expect(other.get_by_role("grid")).to_be_visible()
    chance = random.Random(3)
    for _ in range(4):
        mover = await mover_of(pages)
        await make_turn(other if mover is pages[0] else mover, chance)

    for page in (*pages, other):
        await expect(page.locator(".moves button")).to_have_count(4)


async def test_names_and_talk_are_text(new_page: NewPage) -> None:
    """Markup in what somebody says is shown as it was typed."""
    pages = (await new_page(), await new_page())
    await meet(pages, "Mapello")
    said = '<img src=x onerror="alert(1)"> & <b>hello</b>'
    await pages[0].get_by_role("tab", name="Chat").click()
    await pages[0].get_by_label("Say something").fill(said)
    await pages[0].keyboard.press("Enter")
    await pages[1].get_by_role("tab", name="Chat").click()

    for page in pages:
        await expect(page.locator(".chat li span")).to_have_text(said)
        await expect(page.locator(".chat li b")).to_have_count(1)
