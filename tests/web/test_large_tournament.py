"""A whole Swiss tournament of sixteen: people in four browsers, one of them on a phone, and twelve bots.

It is run by hand, `pytest tests/web/large_tournament.py`: it takes minutes, and has stalled for a reason not found yet.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

from playwright.async_api import Page, expect

from parlour.client import Clock, Terms, connect
from parlour.client.bot import BotConfig
from parlour.protocol.types import TournamentSettings
from parlour.tournaments.log_file import faults, read
from parlour.tournaments.standings import standings
from parlour.tournaments.state import fold
from tests.client.bots import RandomBot
from tests.e2e.processes import ServerProcess
from tests.web.conftest import NewPage
from tests.web.page_actions import make_turn, wait_for_turn

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
ROUNDS = 4
ROUND_WITHIN = 300_000  # milliseconds, for all games of the bots
CUP = TournamentSettings(
    name="Autumn cup of sixteen",
    format="swiss",
    terms=Terms("replica", clock=Clock("fischer", 600_000, 5_000)),
    min_players=16,
    max_players=16,
    rounds=ROUNDS,
)
TURNS = 8  # that a person makes in a game before resigning: games of random turns can be very long
HAS_GAME = "() => document.querySelector('.next-step a[href^=\"/table/\"]') || location.pathname.startsWith('/table/')"
GO = "() => document.querySelector('.next-step a[href^=\"/table/\"]')?.click()"
END = "() => document.querySelector('.action-bar-box .action-bar button:last-child').click()"
ASKS = "() => document.querySelector('.action-bar-box')?.textContent.includes('Confirm resign')"
OVERFLOW = "() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"


async def new_bots(url: str, owner: str, count: int) -> list[str]:
    """Return the tokens of bots of a new account, which cannot have twelve."""
    async with connect(url) as client:
        await client.register(owner, "wooden bishop")
        return [(await client.create_bot(f"Robot {owner} {number}")).token for number in range(count)]


async def play(page: Page, chance: random.Random) -> None:
    """Make some turns, and resign if the game is not over by then."""
    for _ in range(TURNS):
        if await wait_for_turn(page, "mine", "over") == "over":
            return
        await make_turn(page, chance)
    if await wait_for_turn(page, "mine", "over") == "mine":
        await page.evaluate(END)
        await page.wait_for_function(ASKS)
        await page.evaluate(END)
        await wait_for_turn(page, "over")


async def take_part(page: Page, chance: random.Random, folder: Path) -> None:
    """Play every round to the end of the game, and go back to the tournament."""
    for number in range(1, ROUNDS + 1):
        # A game that begins while the page is open opens by itself; to one that began before, a link leads.
        await page.wait_for_function(HAS_GAME, timeout=ROUND_WITHIN)
        if "/table/" not in page.url:
            await page.evaluate(GO)
        await page.wait_for_url("**/table/*")
        await expect(page.get_by_role("grid")).to_be_visible()
        await play(page, chance)
        await page.get_by_role("link", name="Back to the tournament").click()
        await expect(page.get_by_role("region", name="Standings")).to_be_visible()
        # The next round may have begun.
        await expect(page.locator(".standings tr.mine .round-result:visible").nth(number - 1)).to_be_visible()
        assert await page.evaluate(OVERFLOW) <= 0
        await page.screenshot(path=folder / f"{page.viewport_size['width']}-{number}.png", full_page=True)  # type: ignore[index]


async def test_sixteen_players(new_page: NewPage, server: ServerProcess, tmp_path: Path) -> None:
    """Each plays each round once, the points add up, and every browser is told the place in the end."""
    async with connect(server.url) as olga:
        await olga.register("Olga", "wooden bishop")
        tournament = await olga.tournaments.create(CUP)
        options: list[dict[str, Any]] = [{}, {}, {"viewport": {"width": 768, "height": 1024}}, PHONE]
        pages = [await new_page(f"/tournaments/{tournament}", reduced_motion="reduce", **each) for each in options]
        for page in pages:
            await page.get_by_role("button", name="Join").click()
            await expect(page.get_by_text("You take part")).to_be_visible()
        await expect(pages[0].get_by_text("waits for 12 more players")).to_be_visible()
        given = [*await new_bots(server.url, "Ida", 6), *await new_bots(server.url, "Ulf", 6)]
        async with asyncio.TaskGroup() as tasks:
            for token in given:
                tasks.create_task(RandomBot().play(server.url, token, BotConfig(tournament=tournament)))
            for seed, page in enumerate(pages):
                tasks.create_task(take_part(page, random.Random(seed), tmp_path))
        for number, page in enumerate(pages):
            await expect(page.get_by_text(re.compile("You finished .* of 16"))).to_be_visible()
            await expect(page.locator(".standings tbody tr")).to_have_count(16)
            await page.screenshot(path=tmp_path / f"{number}.png", full_page=True)

        events = read("".join([f"{event}\n" async for event in olga.tournaments.log(tournament)]))
    assert list(faults(events)) == []
    state = fold(events)
    assert len(state.rounds) == ROUNDS
    met = Counter(frozenset((match.first, match.second)) for each in state.rounds for match in each.matches)
    assert (len(met), set(met.values())) == (8 * ROUNDS, {1})
    assert sum(row.points for row in standings(state)) == 8 * ROUNDS
