"""Finding somebody: open tables, invitations, games that are on."""

from __future__ import annotations

from playwright.async_api import Page, expect

from tests.web.conftest import NewPage
from tests.web.people import choose_game, meet, mover_of


async def open_table(page: Page, game: str) -> None:
    """By the form, with everything as it comes."""
    await choose_game(page, game)
    await page.get_by_role("button", name="New table").click()
    await page.get_by_role("button", name="Open the table").click()


async def name_of(page: Page) -> str:
    return await page.locator(".me .name").inner_text()


async def test_an_open_table_is_seen_and_taken(new_page: NewPage) -> None:
    """A table appears in the lobby of others at once, and both are at it when one sits down."""
    host, guest = await new_page(), await new_page()
    await open_table(host, "Replica")
    await expect(host.get_by_role("button", name="Withdraw")).to_be_visible()
    await guest.get_by_role("button", name=f"Sit down with {await name_of(host)}").click()

    for page in (host, guest):
        await page.wait_for_url("**/table/*")
    assert host.url == guest.url


async def test_a_withdrawn_table_is_gone(new_page: NewPage) -> None:
    """Who takes a table down takes it from everybody's lobby."""
    host, other = await new_page(), await new_page()
    await open_table(host, "Replica")
    await expect(other.locator(".tables li")).to_have_count(1)
    await host.get_by_role("button", name="Withdraw").click()

    for page in (host, other):
        await expect(page.locator(".tables li")).to_have_count(0)


async def test_live_games_move_in_the_lobby(new_page: NewPage) -> None:
    """Whoever looks at the lobby sees the moves of a game on its small board."""
    watcher = await new_page("/watch")
    pages = (await new_page(), await new_page())
    await meet(pages, "Mapello")
    board = watcher.get_by_role("img", name="Mapello board after 0 moves")
    await expect(board).to_be_visible()
    await (await mover_of(pages)).locator(".cell.may").first.click()

    await expect(watcher.get_by_role("img", name="Mapello board after 1 moves")).to_be_visible()
    await watcher.locator(".live-card").click()
    await expect(watcher.locator(".moves button")).to_have_count(1)


async def test_a_player_is_invited_by_name(new_page: NewPage) -> None:
    """An invitation is shown wherever the other one is, and brings both to a table."""
    host, guest = await new_page(), await new_page("/rules")
    await expect(guest.locator(".me .name")).to_be_visible()
    await host.goto(f"{host.url}players/{await name_of(guest)}/")
    await host.get_by_role("button", name="Invite to a game").click()
    await host.get_by_role("button", name="Invite", exact=True).click()
    await guest.locator(".invited").get_by_role("button", name="Sit down").click()

    for page in (host, guest):
        await page.wait_for_url("**/table/*")
    assert host.url == guest.url


async def test_own_games_are_found_again(new_page: NewPage) -> None:
    """A game that goes on is listed at the start, with whose turn it is."""
    pages = (await new_page(), await new_page())
    await meet(pages, "Mapello")
    mover = await mover_of(pages)
    await mover.get_by_role("link", name="Parlour, to the start").click()
    await expect(mover.locator(".own-game")).to_contain_text("your turn")
    await mover.locator(".own-game").click()
    await expect(mover.locator(".cell.may").first).to_be_visible()
