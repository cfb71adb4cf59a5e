"""A bot in one game: moves, offers, claims and failures, on a real server."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from parlour.client import Clock, Position, Terms, connect
from parlour.client.bot_move import BotMove, NoMoveError
from tests.client.bots import REPLICA, RandomBot, ScriptedBot, invite, running, tokens
from tests.client.playing import play_out
from tests.e2e.conftest import MakeServer
from tests.e2e.processes import ServerProcess
from tests.waiting import WITHIN


async def test_offers_are_answered_while_it_thinks(server: ServerProcess) -> None:
    """While a plain function runs, draws are declined and takebacks accepted; a repeated position is a new turn."""
    asked, go_on = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def slowly(position: Position) -> BotMove:
        loop.call_soon_threadsafe(asked.set)
        assert go_on.wait(WITHIN)
        return position.random_turn()

    bot = ScriptedBot(slowly)
    [token] = await tokens(server.url, "Robbie")
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, running(bot, server.url, token):
        table = await invite(ada, "Robbie")
        await play_out(table, 1, turns=1)
        await asked.wait()  # its choices come after the move
        await table.offer("draw")
        await table.until(lambda table: not table.offers)
        assert table.result is None
        await table.offer("takeback")
        await table.until(lambda table: table.ply == 0)
        await play_out(table, 1, turns=1)  # the same position as before, but a new turn
        go_on.set()
        await table.until(lambda table: table.ply == 2)
        assert bot.asked == 2


async def test_rematches(server: ServerProcess) -> None:
    """It accepts a rematch and plays it."""
    [token] = await tokens(server.url, "Robbie")
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, running(RandomBot(), server.url, token):
        table = await invite(ada, "Robbie")
        await table.resign()
        await table.offer("rematch")
        await table.until(lambda table: table.next is not None)
        assert table.next is not None
        rematch = await ada.join(table.next)
        assert await play_out(rematch, 1) is not None


async def test_it_chooses_to_move_first(server: ServerProcess) -> None:
    """Where the bot has the choice, it moves first."""
    land, rim = "#........#", "##########"
    rows = "/".join([rim, land, land, land, "#...XO...#", "#...OX...#", land, land, land, rim])
    [token] = await tokens(server.url, "Robbie")
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, running(RandomBot(), server.url, token):
        table = await invite(ada, "Robbie", Terms("mapello", {"board": rows}))
        await table.until(lambda table: table.ply == 1)
        assert table.seat == 1


async def test_it_claims_the_win(make_server: MakeServer) -> None:
    """It claims the win when the opponent has been offline for long enough."""
    server = make_server("--claim-after", "1")
    await server.start()
    [token] = await tokens(server.url, "Robbie")
    bot = RandomBot()
    async with asyncio.timeout(WITHIN), running(bot, server.url, token):
        async with connect(server.url) as ada:
            table = await invite(ada, "Robbie")
            await play_out(table, 1, turns=2)
        await bot.over.wait()
    assert bot.tables[0].result is not None
    assert bot.tables[0].result.reason == "abandoned"


def _fails(position: Position) -> BotMove:
    raise NoMoveError("there is nothing to play")


def _breaks(position: Position) -> BotMove:
    return [1 // len(position.moves[99:])]


@pytest.mark.parametrize(
    "choose", [_fails, _breaks, lambda _: "nonsense", lambda _: [9999]], ids=["no move", "bug", "text", "picks"]
)
async def test_a_game_is_given_up_after_the_second_failure(
    server: ServerProcess, choose: Callable[[Position], BotMove]
) -> None:
    """The bot is asked once more. Then the game is aborted if that is still possible, and resigned otherwise."""

    def starts_well(position: Position) -> BotMove:
        return choose(position) if terms.clock.kind == "none" or position.moves[1:] else position.random_turn()

    bot = ScriptedBot(starts_well)
    [token] = await tokens(server.url, "Robbie")
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, running(bot, server.url, token):
        for terms, reason, asked in (
            (REPLICA, "aborted", 2),
            (Terms("replica", clock=Clock("move", 60_000)), "resigned", 3),
        ):
            bot.asked = 0
            table = await invite(ada, "Robbie", terms)
            await play_out(table, 1, turns=2)
            assert (await table.over()).reason == reason
            assert bot.asked == asked
