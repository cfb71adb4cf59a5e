"""Bots on a real server, for the tests of what they are made of."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from parlour.client import Bot, Client, Position, Table, Terms, connect
from parlour.client.bot import BotConfig
from parlour.client.bot_move import BotMove

REPLICA = Terms("replica")
INVITED = BotConfig(queue=False)


class RandomBot(Bot):
    """Plays at random, and remembers its finished games."""

    def __init__(self) -> None:
        self.tables: list[Table] = []
        self.over = asyncio.Event()  # the first game has ended

    def choose(self, position: Position) -> BotMove:
        return position.random_turn()

    def on_game_end(self, table: Table) -> None:
        self.tables.append(table)
        self.over.set()


class ScriptedBot(Bot):
    """Plays what a function returns, and counts how often it is asked."""

    def __init__(self, choose: Callable[[Position], BotMove]) -> None:
        self.asked = 0
        self._choose = choose

    def choose(self, position: Position) -> BotMove:
        self.asked += 1
        return self._choose(position)


async def tokens(url: str, *names: str) -> list[str]:
    """Return the tokens of new bots."""
    async with connect(url) as ann:
        await ann.register("Ann", "wooden bishop")
        return [(await ann.create_bot(name)).token for name in names]


class Arrival(logging.Handler):
    """Waits for a bot to log that it is online."""

    def __init__(self) -> None:
        super().__init__()
        self.here = asyncio.Event()

    def emit(self, record: logging.LogRecord) -> None:
        if "is online" in record.getMessage():
            self.here.set()


@asynccontextmanager
async def running(bot: Bot, urls: str | Sequence[str], token: str, config: BotConfig = INVITED) -> AsyncIterator[None]:
    """A bot that is online inside the context."""
    arrival, log = Arrival(), logging.getLogger("parlour.bot")
    log.setLevel(logging.INFO)
    log.addHandler(arrival)
    async with asyncio.TaskGroup() as tasks:  # if it fails, so does the test
        playing = tasks.create_task(bot.play(urls, token, config))
        try:
            await arrival.here.wait()
        finally:
            log.removeHandler(arrival)
        yield
        playing.cancel()


async def invite(challenger: Client, bot: str, terms: Terms = REPLICA, seat: int = 0) -> Table:
    """Challenge a bot and return the table."""
    return await (await challenger.challenge(terms, to=bot, seat="second" if seat else "first")).table()
