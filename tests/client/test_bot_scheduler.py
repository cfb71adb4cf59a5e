"""Finding games, playing several of them, and resuming after failures, on a real server."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from parlour.client import Clock, Terms, connect
from parlour.client.bot import BotConfig
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Challenged
from tests.client.bots import REPLICA, RandomBot, invite, running, tokens
from tests.client.playing import play_out, rated
from tests.e2e.conftest import MakeServer
from tests.e2e.processes import ServerProcess
from tests.e2e.proxy import Cut, Proxy
from tests.waiting import WITHIN


async def test_two_bots_play_a_rated_game(server: ServerProcess) -> None:
    """Two bots meet in the queue, play to the end, and both ratings change."""
    one, two = await tokens(server.url, "Robbie", "Dora")
    config = BotConfig(games=("replica",), max_games=1)
    robbie, dora = RandomBot(), RandomBot()
    async with asyncio.timeout(WITHIN):
        await asyncio.gather(robbie.play(server.url, one, config), dora.play(server.url, two, config))
        [table] = robbie.tables
        assert table.terms.rated
        assert table.opponent is not None
        assert (table.opponent.name, table.opponent.bot) == ("Dora", True)
        async with connect(server.url) as eve:
            ratings = [(await rated(eve, name)).ratings[0] for name in ("Robbie", "Dora")]
    assert [each.games for each in ratings] == [1, 1]
    assert ratings[0].rating != ratings[1].rating
    assert sum(each.rating for each in ratings) == 3000


async def test_several_games_at_once(server: ServerProcess) -> None:
    """It queues for every game, plays several at the same time, and stops after `max_games`."""
    one, two = await tokens(server.url, "Robbie", "Dora")
    config = BotConfig(max_games=4, rated=False, clock=Clock())
    robbie, dora = RandomBot(), RandomBot()
    async with asyncio.timeout(2 * WITHIN):
        await asyncio.gather(robbie.play(server.url, one, config), dora.play(server.url, two, config))
    assert sorted(table.terms.game for table in robbie.tables) == ["isaac", "mapello", "mitsudomoe", "replica"]


async def test_challenges(server: ServerProcess) -> None:
    """It accepts challenges to its games as `accept_challenge` says, and declines all others."""

    class Choosy(RandomBot):
        def accept_challenge(self, challenge: Challenged) -> bool:
            return challenge.player.name == "Ada"

    [token] = await tokens(server.url, "Robbie")
    config = BotConfig(queue=False, games=("replica",), concurrency=1)
    bot = Choosy()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(asyncio.timeout(WITHIN))
        ada = await stack.enter_async_context(connect(server.url, name="Ada"))
        ben = await stack.enter_async_context(connect(server.url))
        await stack.enter_async_context(running(bot, server.url, token, config))
        table = await invite(ada, "Robbie")
        assert table.opponent is not None
        assert table.opponent.name == "Robbie"
        for challenger, terms in ((ben, REPLICA), (ada, Terms("mapello")), (ada, REPLICA)):  # the last: it is full
            with pytest.raises(Refusal, match="declined"):
                await (await challenger.challenge(terms, to="Robbie")).table()
        await table.abort()
        await bot.over.wait()
        await (await ada.challenge(REPLICA, to="Robbie")).table()


async def test_a_bot_that_cannot_play_ends_with_a_refusal(server: ServerProcess) -> None:
    """An unknown token, an unknown game and impossible terms end it with a sentence."""
    [token] = await tokens(server.url, "Robbie")
    for given, config, code in (
        ("unknown", BotConfig(), ErrorCode.TOKEN_UNKNOWN),
        (token, BotConfig(games=("chess",)), ErrorCode.GAME_UNKNOWN),
        (token, BotConfig(clock=Clock()), ErrorCode.RATED_REFUSED),
    ):
        with pytest.raises(Refusal) as refused:
            await RandomBot().play(server.url, given, config)
        assert refused.value.code == code


async def test_bots_survive_cuts(server: ServerProcess) -> None:
    """All games are finished over connections that break again and again, in the middle of messages."""
    one, two = await tokens(server.url, "Robbie", "Dora")
    fates = [Cut(after) for after in range(14_000, 24_000, 1_001)]
    config = BotConfig(games=("replica", "mapello", "isaac"), max_games=3, rated=False, clock=Clock())
    robbie, dora = RandomBot(), RandomBot()
    async with asyncio.timeout(2 * WITHIN), Proxy(server.port, fates) as proxy:
        await asyncio.gather(robbie.play(proxy.url, one, config), dora.play(server.url, two, config))
        assert proxy.cuts > 1
    ends = [{table.room: (table.result, tuple(table.moves)) for table in bot.tables} for bot in (robbie, dora)]
    assert ends[0] == ends[1]
    assert len(ends[0]) == 3


async def test_a_game_continues_after_a_restart_of_the_bot(server: ServerProcess) -> None:
    """A bot that was stopped in mid-game resumes its game when it starts again, even if it does not queue."""
    [token] = await tokens(server.url, "Robbie")
    async with asyncio.timeout(WITHIN), connect(server.url) as ada:
        async with running(RandomBot(), server.url, token):
            table = await invite(ada, "Robbie")
            await play_out(table, 1, turns=3)
        async with running(RandomBot(), server.url, token):
            assert await play_out(table, 2) is not None


async def test_a_game_continues_after_a_crash_of_the_server(make_server: MakeServer) -> None:
    """Bot and opponent continue when the server is back."""
    server = make_server()
    await server.start()
    [token] = await tokens(server.url, "Robbie")
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, running(RandomBot(), server.url, token):
        table = await invite(ada, "Robbie", Terms("mapello"))
        await play_out(table, 1, turns=5)
        await server.kill()
        await server.start()
        assert await play_out(table, 2) is not None
