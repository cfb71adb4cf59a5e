"""What a bot may return from `choose`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from parlour.client import Position, Terms, connect
from parlour.client.bot_move import BotMove
from tests.client.bots import ScriptedBot, invite, running, tokens
from tests.client.playing import play_out
from tests.e2e.processes import ServerProcess
from tests.waiting import WITHIN


async def test_none_resigns(server: ServerProcess) -> None:
    """A bot that returns None resigns without being asked again."""
    bot = ScriptedBot(lambda position: None if len(position.moves) > 2 else position.random_turn())
    [token] = await tokens(server.url, "Robbie")
    async with asyncio.timeout(WITHIN), connect(server.url) as ada, running(bot, server.url, token):
        table = await invite(ada, "Robbie")
        await play_out(table, 1, turns=2)
        assert (await table.over()).reason == "resigned"
        assert bot.asked == 2


@pytest.mark.parametrize("form", ["turn", "picks", "text"])
async def test_a_move_has_three_forms(server: ServerProcess, form: str) -> None:
    """A complete turn, its picks and the game's notation all play the same move."""
    forms: dict[str, Callable[[Position], BotMove]] = {
        "turn": lambda position: position.turn.pick(65),
        "picks": lambda position: [65],
        "text": lambda position: "f7",
    }
    [token] = await tokens(server.url, "Robbie")
    async with (
        asyncio.timeout(WITHIN),
        connect(server.url) as ada,
        running(ScriptedBot(forms[form]), server.url, token),
    ):
        table = await invite(ada, "Robbie", Terms("mapello"), seat=1)
        await table.until(lambda table: table.ply == 1)
        assert list(table.moves) == ["f7"]
