"""A whole Swiss tournament of sixteen: people in four browsers, one of them on a phone, and twelve bots."""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Sequence
from pathlib import Path
from typing import Any

import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from parlour.client import Client, Clock, Table, Terms, connect
from parlour.client.bot import BotConfig
from parlour.protocol.messages import Tournament
from parlour.protocol.types import TournamentSettings
from parlour.tournaments.log_file import faults, read
from parlour.tournaments.standings import standings
from parlour.tournaments.state import fold
from tests.client.bots import RandomBot
from tests.e2e.processes import ServerProcess
from tests.web.conftest import NewPage, chromium
from tests.web.page_actions import make_turn, wait_for_turn

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SCREENS: list[dict[str, Any]] = [{}, {}, {"viewport": {"width": 768, "height": 1024}}, PHONE]
ROUNDS = 4
TURNS = 3  # that a person makes in a game before resigning: games of random turns can be very long
PATIENCE = 300_000  # milliseconds; the others may have to finish their games first
REPORTED_WITHIN = 60.0  # seconds
CUP = TournamentSettings(
    name="Autumn cup of sixteen",
    format="swiss",
    terms=Terms("replica", clock=Clock("fischer", 600_000, 5_000)),
    min_players=16,
    max_players=16,
    rounds=ROUNDS,
)
# The game of the round before may be over and its result not recorded yet: then a link still leads there.
NEXT_TABLE = """
(played) => [location.pathname, document.querySelector('.next-step a[href^="/table/"]')?.pathname]
  .find((path) => path?.startsWith("/table/") && !played.includes(path))
"""
GO = '(path) => document.querySelector(`.next-step a[href="${path}"]`)?.click()'
END = "() => document.querySelector('.action-bar-box .action-bar button:last-child').click()"
ASKS = "() => document.querySelector('.action-bar-box')?.textContent.includes('Confirm resign')"
OVERFLOW = "() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"
SEEN = """
() => {
  const told = [...document.querySelectorAll(".next-step, .prompt, [role=alert]")];
  return [location.pathname, document.querySelector("main")?.dataset.turn, ...told.map((each) => each.textContent)];
}
"""


class TalkativeBot(RandomBot):
    """Knows its latest table, also while the game goes on."""

    table: Table | None = None

    def on_game_start(self, table: Table) -> None:
        self.table = table


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """A browser for this file: if one page fails, what the others have asked of theirs is cancelled."""
    async with chromium() as one:
        yield one


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
    played: list[str] = []
    for number in range(1, ROUNDS + 1):
        # A game that begins while the page is open opens by itself; to one that began before, a link leads.
        played.append(await (await page.wait_for_function(NEXT_TABLE, arg=played)).json_value())
        await page.evaluate(GO, played[-1])
        await page.wait_for_url(f"**{played[-1]}")
        await expect(page.get_by_role("grid")).to_be_visible()
        await play(page, chance)
        await page.get_by_role("link", name="Back to the tournament").click()
        await expect(page.get_by_role("region", name="Standings")).to_be_visible()
        # The next round may have begun.
        await expect(page.locator(".standings tr.mine .round-result:visible").nth(number - 1)).to_be_visible()
        assert await page.evaluate(OVERFLOW) <= 0
        await page.screenshot(path=folder / f"{page.viewport_size['width']}-{number}.png", full_page=True)  # type: ignore[index]


async def report(olga: Client, tournament: str, bots: Sequence[TalkativeBot], pages: Sequence[Page]) -> str:
    """Return the games that are not over as the server knows them, and what each bot and each page knows."""
    async with asyncio.timeout(REPORTED_WITHIN):
        whole = await anext(await olga.tournaments.follow(tournament))
        assert isinstance(whole, Tournament)
        lines = [f"{whole.summary.status}, round {whole.round}"]
        for game in whole.games:
            if game.room is not None and not game.over:
                table = await olga.join(game.room)
                waits = table.replica.room.turn_elapsed
                lines.append(f"server: {table!r}, to move: {table.scene.to_move} for {waits} ms, {table.presence}")
        lines += [
            f"bot: {bot.table!r}, to move: {bot.table is not None and bot.table.turn is not None}" for bot in bots
        ]
        lines += [f"page: {await page.evaluate(SEEN)}" for page in pages]
    return "\n".join(lines)


async def test_sixteen_players(new_page: NewPage, server: ServerProcess, tmp_path: Path) -> None:
    """Each plays each round once, the points add up, and every browser is told the place in the end."""
    async with connect(server.url) as olga:
        await olga.register("Olga", "wooden bishop")
        tournament = await olga.tournaments.create(CUP)
        pages = [await new_page(f"/tournaments/{tournament}", reduced_motion="reduce", **each) for each in SCREENS]
        for page in pages:
            page.set_default_timeout(PATIENCE)
            await page.get_by_role("button", name="Join").click()
            await expect(page.get_by_text("You take part")).to_be_visible()
        await expect(pages[0].get_by_text("waits for 12 more players")).to_be_visible()
        tokens = [*await new_bots(server.url, "Ida", 6), *await new_bots(server.url, "Ulf", 6)]
        bots = [TalkativeBot() for _ in tokens]

        async def reported(work: Coroutine[Any, Any, None]) -> None:
            try:
                await work
            except Exception as error:  # while the others still play
                error.add_note(await report(olga, tournament, bots, pages))
                raise

        async with asyncio.TaskGroup() as tasks:
            for bot, token in zip(bots, tokens, strict=True):
                tasks.create_task(reported(bot.play(server.url, token, BotConfig(tournament=tournament))))
            for seed, page in enumerate(pages):
                tasks.create_task(reported(take_part(page, random.Random(seed), tmp_path)))
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
    # A game that was not begun in time is lost by forfeit: the points add up, but a player has missed it.
    assert [match for each in state.rounds for match in each.matches if match.forfeits] == []
