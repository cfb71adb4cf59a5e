"""Open tables, invitations and live games."""

from __future__ import annotations

from playwright.async_api import Page, expect

from tests.web.conftest import NewPage
from tests.web.page_actions import choose_game, page_to_move, start_game


async def open_table(page: Page, game: str) -> None:
    """Open a table with the default options."""
    await choose_game(page, game)
    await page.get_by_role("button", name="New table").click()
    await page.get_by_role("button", name="Open table").click()


async def name_of(page: Page) -> str:
    return await page.locator(".me .name").inner_text()


async def test_an_open_table_is_seen_and_joined(new_page: NewPage) -> None:
    """An open table appears in the other lobby at once, and joining it brings both players there."""
    host, guest = await new_page(), await new_page()
    await open_table(host, "Replica")
    await expect(host.locator(".tables").get_by_role("button", name="Cancel")).to_be_visible()
    await guest.get_by_role("button", name=f"Join {await name_of(host)}").click()

    for page in (host, guest):
        await page.wait_for_url("**/table/*")
    assert host.url == guest.url


async def test_a_cancelled_table_disappears(new_page: NewPage) -> None:
    """A cancelled table disappears from every lobby."""
    host, other = await new_page(), await new_page()
    await open_table(host, "Replica")
    await expect(other.locator(".tables li")).to_have_count(1)
    await host.locator(".tables").get_by_role("button", name="Cancel").click()

    for page in (host, other):
        await expect(page.locator(".tables li")).to_have_count(0)


async def test_live_games_move_in_the_lobby(new_page: NewPage) -> None:
    """The small board of a live game follows its moves."""
    spectator = await new_page("/watch")
    pages = (await new_page(), await new_page())
    await start_game(pages, "Mapello")
    board = spectator.get_by_role("img", name="Mapello board after 0 moves")
    await expect(board).to_be_visible()
    await (await page_to_move(pages)).locator(".cell.selectable").first.click()

    await expect(spectator.get_by_role("img", name="Mapello board after 1 moves")).to_be_visible()
    await spectator.locator(".live-card").click()
    await expect(spectator.locator(".moves button")).to_have_count(1)


async def test_a_player_is_invited_by_name(new_page: NewPage) -> None:
    """An invitation appears on any page, and accepting it brings both players to a table."""
    host, guest = await new_page(), await new_page("/rules")
    await expect(guest.locator(".me .name")).to_be_visible()
    await host.goto(f"{host.url}players/{await name_of(guest)}/")
    await host.get_by_role("button", name="Invite to a game").click()
    await host.get_by_role("button", name="Invite", exact=True).click()
    await guest.locator(".invited").get_by_role("button", name="Accept").click()

    for page in (host, guest):
        await page.wait_for_url("**/table/*")
    assert host.url == guest.url


async def test_own_games_are_listed(new_page: NewPage) -> None:
    """The lobby lists the player's games in progress and says whose turn it is."""
    pages = (await new_page(), await new_page())
    await start_game(pages, "Mapello")
    mover = await page_to_move(pages)
    await mover.get_by_role("link", name="Parlour home").click()
    await expect(mover.locator(".own-game")).to_contain_text("your turn")
    await mover.locator(".own-game").click()
    await expect(mover.locator(".cell.selectable").first).to_be_visible()


async def test_a_game_against_a_bot_has_no_clock_and_is_listed_at_once(new_page: NewPage) -> None:
    """A newcomer may read the rules first and finds the way back; the score is shown on the player's own turn."""
    page = await new_page()
    await choose_game(page, "Mapello")
    await page.get_by_text("A bot", exact=True).click()
    await page.get_by_role("button", name="Play Mapello").click()
    await expect(page.locator(".cell.selectable").first).to_be_visible()
    await expect(page.locator(".player .clock")).to_have_count(0)
    await expect(page.locator(".player.own small")).to_contain_text("your turn · ")
    await page.get_by_role("link", name="Parlour home").click()
    await expect(page.locator(".own-game")).to_contain_text("your turn")
