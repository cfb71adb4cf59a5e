"""Tournaments in the browser."""

from __future__ import annotations

import asyncio
import re
from contextlib import AsyncExitStack, suppress
from time import time

from playwright.async_api import Page, WebSocketRoute, expect

from parlour.client import Clock, Terms, connect
from parlour.client.bot import BotConfig
from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import YourTournament
from parlour.protocol.types import TournamentSettings
from tests.client.bots import RandomBot, tokens
from tests.e2e.processes import ServerProcess
from tests.web.accessibility import findings
from tests.web.conftest import NewPage
from tests.web.test_accessibility import audit
from tests.web.test_account import PASSWORD, fill

TIE_BREAKS = re.compile(r"^[\d.½]+ · [\d.½]+$")  # Buchholz and Sonneborn-Berger
RIGHTMOST = """
() => Math.max(...[...document.querySelectorAll(".standings *")].map((part) => part.getBoundingClientRect().right))
"""


async def create(page: Page) -> str:
    """Create a Swiss tournament of two rounds for four players with the form, and return its path."""
    await page.get_by_role("button", name="New tournament").click()
    await page.get_by_text("Swiss", exact=True).click()
    await page.get_by_role("textbox", name="Name").fill("Autumn cup")
    await page.locator(".new-tournament .fields select").first.select_option("mapello")
    await page.locator(".new-tournament .grid select").first.select_option("enough")
    await page.get_by_label("Rounds (").fill("2")
    await page.get_by_label("Seconds between rounds").fill("0")
    await page.get_by_label("Fewest players").fill("4")
    assert await findings(page) == []
    await page.get_by_role("button", name="Create").click()
    await page.wait_for_url(re.compile("/tournaments/[^/]+$"))
    return page.url.rpartition("/tournaments/")[2]


async def resign(page: Page) -> None:
    for button in ("Resign", "Confirm resign"):
        await page.get_by_role("button", name=button, exact=True).click()
    await expect(page.get_by_role("region", name="Result")).to_be_visible()


async def test_a_result_that_is_recorded_late(new_page: NewPage, server: ServerProcess) -> None:
    """No link leads back to a game that the player has seen end, although the server still counts it as running."""
    page, playing = await new_page("/"), b""

    def hold_back(route: WebSocketRoute) -> None:
        real = route.connect_to_server()

        def receive(frame: str | bytes) -> None:
            nonlocal playing
            message = MSGPACK.decode_server(frame)
            if isinstance(message, YourTournament) and message.room is not None:
                assert isinstance(frame, bytes)
                playing = frame
            route.send(playing if isinstance(message, YourTournament) and playing else frame)

        real.on_message(receive)

    await page.route_web_socket("**/ws", hold_back)
    async with connect(server.url) as olga:
        await olga.register("Late Olga", PASSWORD)
        terms = Terms("replica", clock=Clock("fischer", 300_000, 3_000))
        cup = TournamentSettings(name="Short cup", format="swiss", terms=terms, min_players=2)
        tournament = await olga.tournaments.create(cup)
        await page.goto(f"http://127.0.0.1:{server.port}/tournaments/{tournament}")
        await page.get_by_role("button", name="Join").click()
        await expect(page.get_by_text("You take part")).to_be_visible()
        await olga.join_tournament(tournament)
        await page.wait_for_url("**/table/*")
        await resign(page)
        await page.get_by_role("link", name="Back to the tournament").click()
        await expect(page.get_by_text("Waiting for the next round")).to_be_visible()
        await expect(page.get_by_role("link", name="Go to the table")).to_have_count(0)


async def test_people_and_bots_play_a_swiss_tournament(new_page: NewPage, server: ServerProcess) -> None:
    """From the form to the final standings: games open by themselves, and lead back to the tournament."""
    one, two = await new_page("/account", reduced_motion="reduce"), await new_page("/tournaments")
    await expect(two.get_by_role("link", name="Sign in to organise one")).to_be_visible()
    await fill(one, "Register", "Organiser Otto", PASSWORD)
    await expect(one.locator(".me .name")).to_have_text("Organiser Otto")
    await one.get_by_role("link", name="Tournaments").first.click()
    tournament = await create(one)
    for page in (one, two):
        await page.goto(f"http://127.0.0.1:{server.port}/tournaments/{tournament}")
        await page.get_by_role("button", name="Join").click()
        await expect(page.get_by_text("You take part")).to_be_visible()
    await expect(one.get_by_text("waits for 2 more players")).to_be_visible()
    await expect(one.get_by_role("button", name="Cancel the tournament")).to_be_visible()
    await expect(two.get_by_role("button", name="Cancel the tournament")).to_have_count(0)
    await two.get_by_role("textbox", name="Message").fill("Good luck!")
    await two.get_by_role("button", name="Send").click()
    await expect(one.get_by_text("Good luck!")).to_be_visible()

    config = BotConfig(tournament=tournament)
    given = await tokens(server.url, "Robbie", "Gort")
    bots = asyncio.gather(*(RandomBot().play(server.url, token, config) for token in given))
    for page in (one, two):  # each plays a bot, since the first half of the players meets the second
        await page.wait_for_url("**/table/*")
        await expect(page.get_by_role("grid")).to_be_visible()
    await resign(one)
    await one.get_by_role("link", name="Back to the tournament").click()
    await expect(one.get_by_role("region", name="Standings")).to_be_visible()
    await resign(two)
    # One looks at the tournament, the other one at the last game.
    await one.wait_for_url("**/table/*")
    await two.get_by_role("link", name="Go to the table").click()
    await expect(two.get_by_text("You resigned.")).to_have_count(0)
    await expect(two.get_by_role("grid")).to_be_visible()
    await resign(one)
    for page in (one, two):
        await page.get_by_role("link", name="Back to the tournament").click()
        await expect(page.get_by_text(re.compile("You finished .* of 4"))).to_be_visible()
    await expect(one.locator(".standings tbody tr")).to_have_count(4)
    await expect(one.locator(".standings tr.mine .round-result:visible")).to_have_text(
        [re.compile("lost"), re.compile("lost")]
    )
    await one.get_by_role("button", name="Previous round").click()
    await expect(one.locator(".pairings li")).to_have_count(2)
    assert await audit(one) == []
    with suppress(asyncio.CancelledError):
        await bots
    await expect(one.get_by_role("columnheader", name="Buch.", exact=True)).to_be_visible()
    await expect(one.locator(".standings .tie-breaks:visible")).to_have_count(0)
    for width, height in ((390, 664), (360, 560)):
        await one.set_viewport_size({"width": width, "height": height})
        await expect(one.get_by_role("columnheader", name="Points Buch. · S-B")).to_be_visible()
        await expect(one.locator(".standings tbody .tie-breaks:visible")).to_have_text([TIE_BREAKS] * 4)
        assert await one.evaluate(RIGHTMOST) <= width


async def test_a_simul(new_page: NewPage, server: ServerProcess) -> None:
    """The organiser takes part by creating it, plays all games at once, and goes from the boards to the tables."""
    page = await new_page("/account", reduced_motion="reduce")
    await fill(page, "Register", "Host Hanna", PASSWORD)
    await expect(page.locator(".me .name")).to_have_text("Host Hanna")
    await page.get_by_role("link", name="Tournaments").first.click()
    await page.get_by_role("button", name="New tournament").click()
    await page.get_by_text("Simul", exact=True).click()
    await page.locator(".new-tournament .fields select").first.select_option("mapello")
    await page.locator(".new-tournament .grid select").first.select_option("enough")
    await page.get_by_label("Your side").select_option("second")
    await page.get_by_label("Fewest players").fill("3")
    for level in (0, 1):
        await page.locator(".level-choice label").nth(level).click()
    assert await findings(page) == []
    await page.get_by_role("button", name="Create").click()
    await page.wait_for_url(re.compile("/tournaments/[^/]+$"))

    await expect(page.get_by_text("You play 2 games at once")).to_be_visible()
    results = page.locator(".standings tr.mine .round-result:visible")
    await expect(results).to_have_count(2)
    assert await audit(page) == []
    await page.get_by_role("link", name="Go to the table").click()
    await resign(page)
    await page.get_by_role("link", name="Back to the tournament").click()
    await page.get_by_role("link", name="Go to the table").click()
    await expect(page.get_by_text("You resigned.")).to_have_count(0)
    await resign(page)
    await page.get_by_role("link", name="Back to the tournament").click()
    await expect(page.get_by_text("Your simul is over")).to_be_visible()
    await expect(results).to_have_text([re.compile("lost"), re.compile("lost")])


async def test_a_recurring_tournament_leads_to_the_next(new_page: NewPage, server: ServerProcess) -> None:
    """Too few players have come, but the next one is open already."""
    async with connect(server.url) as olga:
        await olga.register("Weekly Wanda", PASSWORD)
        terms = Terms("replica", clock=Clock("fischer", 60_000, 1_000))
        start = int(time() * 1000) + 5_000
        cup = TournamentSettings(name="Weekly cup", format="swiss", terms=terms, start=start, every=604_800_000)
        tournament = await olga.tournaments.create(cup)
        await olga.join_tournament(tournament)
    page = await new_page(f"/tournaments/{tournament}")
    await expect(page.get_by_text("every week")).to_be_visible()
    await page.get_by_role("link", name="The next one is open").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Weekly cup")
    await expect(page.get_by_text("Open for entries")).to_be_visible()
    assert not page.url.endswith(tournament)


async def test_tournaments_have_content_without_their_script(new_page: NewPage, server: ServerProcess) -> None:
    """The list and the standings are in the HTML itself, and a link says what a tournament is."""
    async with AsyncExitStack() as connections:
        olga, *others = [await connections.enter_async_context(connect(server.url)) for _ in range(4)]
        await olga.register("Winter Wilma", PASSWORD)
        terms = Terms("mapello", clock=Clock("fischer", 600_000, 5_000))
        start = int(time() * 1000) + 86_400_000
        cup = TournamentSettings(name="Winter cup", format="swiss", terms=terms, start=start)
        tournament = await olga.tournaments.create(cup)
        for player in (olga, *others):
            await player.join_tournament(tournament)
    page = await new_page("/tournaments", java_script_enabled=False)
    await page.get_by_role("link", name=re.compile("Winter cup")).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Winter cup")
    await expect(page.locator(".standings tbody tr")).to_have_count(4)
    described = await page.locator("meta[property='og:description']").get_attribute("content")
    assert described is not None
    assert described.startswith("Swiss in Mapello, 10 min + 5 s, 4 players.")
    await page.goto(f"http://127.0.0.1:{server.port}/tournaments/nowhere")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
