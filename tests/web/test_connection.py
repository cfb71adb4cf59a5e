"""Lost connections, server crashes, and several windows of one player."""

from __future__ import annotations

import random

from playwright.async_api import expect

from tests.e2e.processes import ServerProcess
from tests.web.conftest import NewPage
from tests.web.page_actions import make_turn, page_to_move, record_alerts, start_game, wait_for_alert


async def test_a_game_continues_after_a_server_crash(new_page: NewPage, server: ServerProcess) -> None:
    """The page says that the connection is lost and restored, and no move is missing afterwards."""
    pages = (await new_page(), await new_page())
    await start_game(pages, "Mapello")
    chance = random.Random(2)
    await make_turn(await page_to_move(pages), chance)
    await expect(pages[0].locator(".moves button")).to_have_count(1)

    for page in pages:
        await record_alerts(page)
    await server.kill()
    for page in pages:
        await wait_for_alert(page, "Connection lost")
    await server.start()
    for page in pages:
        await wait_for_alert(page, "Reconnected.")

    await make_turn(await page_to_move(pages), chance)
    for page in pages:
        await expect(page.locator(".moves button")).to_have_count(2)


async def test_a_turn_made_offline_is_sent_later(new_page: NewPage, server: ServerProcess) -> None:
    """A turn chosen while the server is down is played once it is back."""
    pages = (await new_page(), await new_page())
    await start_game(pages, "Mapello")
    mover = await page_to_move(pages)
    await server.kill()
    await expect(mover.get_by_role("alert")).to_contain_text("Connection lost")
    await mover.locator(".cell.selectable").first.click()
    await server.start()

    for page in pages:
        await expect(page.locator(".moves button")).to_have_count(1)


async def test_a_server_without_its_store(new_page: NewPage, server: ServerProcess) -> None:
    """The page tells the player what is wrong instead of connecting for ever, and opens when the store is back."""
    with server.without_store():
        page = await new_page()
        await expect(page.get_by_role("alert")).to_have_text(
            "The server cannot reach its store at the moment. It keeps trying."
        )
    await expect(page.get_by_role("alert")).to_have_count(0)
    await start_game((page, await new_page()), "Mapello")


async def test_a_turn_while_the_store_is_away(new_page: NewPage, server: ServerProcess) -> None:
    """The page that is connected says what its turn waits for, and the turn is played when the store is back."""
    pages = (await new_page(), await new_page())
    await start_game(pages, "Mapello")
    mover = await page_to_move(pages)
    with server.without_store():
        await mover.locator(".cell.selectable").first.click()
        await expect(mover.get_by_role("alert")).to_contain_text("The server cannot reach its store")
    await expect(mover.get_by_role("alert")).to_have_count(0)
    for page in pages:
        await expect(page.locator(".moves button")).to_have_count(1)


async def test_two_windows_of_one_player_stay_in_step(new_page: NewPage) -> None:
    """A turn made in one window appears in the other, where the player can continue."""
    pages = (await new_page(), await new_page())
    await start_game(pages, "Mapello")
    other = await pages[0].context.new_page()
    await other.goto(pages[0].url)
    await expect(other.get_by_role("grid")).to_be_visible()
    chance = random.Random(3)
    for _ in range(4):
        mover = await page_to_move(pages)
        await make_turn(other if mover is pages[0] else mover, chance)

    for page in (*pages, other):
        await expect(page.locator(".moves button")).to_have_count(4)


async def test_names_and_chat_are_text(new_page: NewPage) -> None:
    """Markup in a chat message is shown as it was typed."""
    pages = (await new_page(), await new_page())
    await start_game(pages, "Mapello")
    said = '<img src=x onerror="alert(1)"> & <b>hello</b>'
    await pages[0].get_by_role("tab", name="Chat").click()
    await pages[0].get_by_label("Message", exact=True).fill(said)
    await pages[0].keyboard.press("Enter")
    await pages[1].get_by_role("tab", name="Chat").click()

    for page in pages:
        await expect(page.locator(".chat li span")).to_have_text(said)
        await expect(page.locator(".chat li span *")).to_have_count(0)
