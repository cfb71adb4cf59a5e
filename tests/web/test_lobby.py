"""Players who wait, open tables, invitations, live games and who is online."""

from __future__ import annotations

from playwright.async_api import Page, expect

from tests.web.accessibility import findings
from tests.web.conftest import NewPage
from tests.web.page_actions import choose_game, page_to_move, start_game

UNUSED_DRAWINGS = """
() => [...document.querySelectorAll(".board.small defs > g")]
  .filter(({ id }) => !document.querySelector(`use[href="#${id}"]`))
  .map(({ id }) => id)
"""


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

    await expect(spectator.get_by_role("img", name="Mapello board after 1 move")).to_be_visible()
    await spectator.get_by_role("link", name="Mapello board after 1 move").click()
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
    await expect(page.locator(".player.own small")).to_contain_text("your turn")
    await page.get_by_role("link", name="Parlour home").click()
    await expect(page.locator(".own-game")).to_contain_text("your turn")


async def test_a_player_in_quick_match_is_seen_and_joined(new_page: NewPage) -> None:
    """Who waits appears in the other lobby with the clock; one press starts the game for both."""
    waiting, other = await new_page(), await new_page()
    await choose_game(waiting, "Replica")
    await waiting.get_by_role("button", name="Play Replica").click()
    row = other.locator(".tables li").filter(has_text=await name_of(waiting))
    await expect(row).to_contain_text("10 min + 5 s")
    await row.get_by_role("button").click()

    for page in (waiting, other):
        await page.wait_for_url("**/table/*")
    assert waiting.url == other.url


async def test_a_waiting_player_plays_a_bot_and_keeps_the_place(new_page: NewPage) -> None:
    """After a while a bot is offered; an opponent who comes during that game still finds the player waiting."""
    waiting, other = await new_page(), await new_page()
    await choose_game(waiting, "Mapello")
    await waiting.get_by_role("button", name="Play Mapello").click()
    await waiting.get_by_role("button", name="Play a bot meanwhile").click()
    await waiting.wait_for_url("**/table/*")
    against_bot = waiting.url
    await waiting.get_by_role("link", name="Parlour home").click()
    await expect(waiting.get_by_role("link", name="Return to your game")).to_be_visible()
    assert await findings(waiting) == []
    await waiting.get_by_role("link", name="Return to your game").click()
    await waiting.wait_for_url(against_bot)
    await other.get_by_role("button", name=f"Join {await name_of(waiting)}").click()
    await other.wait_for_url("**/table/*")
    await waiting.wait_for_url(other.url)
    assert waiting.url != against_bot


async def test_players_online_are_listed_followed_and_challenged(new_page: NewPage) -> None:
    """A player is found by name, followed, and challenged from the list of those who are online."""
    one, two = await new_page(), await new_page(color_scheme="dark")
    name = await name_of(two)
    await one.get_by_label("Find a player by name").fill(name)
    await one.get_by_role("button", name="Find", exact=True).click()
    await one.get_by_role("button", name="Follow", exact=True).click()
    await expect(one.get_by_role("button", name="Following")).to_be_visible()
    await one.get_by_role("link", name="Parlour home").click()
    await expect(one.locator(".online-players li").first).to_contain_text(name)
    await expect(one.locator(".online-players li").first).to_contain_text("followed")
    assert await findings(two) == []
    await one.get_by_role("button", name=f"Challenge {name}").click()
    await one.get_by_role("button", name="Invite", exact=True).click()
    await expect(two.locator(".invited")).to_contain_text("invites you to play")


async def test_small_boards_are_light(new_page: NewPage) -> None:
    """Their drawings define only the pieces that are on them: a slow phone draws five boards at once."""
    page = await new_page()
    await expect(page.locator(".game .board use").first).to_be_attached()
    assert await page.evaluate(UNUSED_DRAWINGS) == []


async def test_a_bot_is_always_ready(new_page: NewPage) -> None:
    """The list of games to play right now is never empty: one press starts a game with a bot."""
    page = await new_page()
    await page.locator(".bot-rows").get_by_role("button").first.click()
    await page.wait_for_url("**/table/*")
    await expect(page.locator(".cell.selectable, .slot.selectable").first).to_be_visible()
