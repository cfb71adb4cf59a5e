"""A bot at one table: thinks when it is its turn, and answers whatever the opponent offers meanwhile."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar, cast

from parlour.client.choice import Choice, NoChoice
from parlour.client.connection import RefusedError
from parlour.client.parlour import Parlour
from parlour.client.position import Position
from parlour.client.table import Table, What
from parlour.client.turn import Turn
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Presence

if TYPE_CHECKING:
    from parlour.client.bot import Bot

log = logging.getLogger("parlour.bot")

ATTEMPTS = 2  # to choose a turn
REMATCH_WITHIN = 20.0  # seconds in which an opponent may offer another game

# The game has gone on while we thought: a move was taken back, or it is over.
OVERTAKEN = frozenset((ErrorCode.STALE_PLY, ErrorCode.NOT_YOUR_TURN, ErrorCode.GAME_OVER))

R = TypeVar("R")


class Seated:
    """From the first move to the last. Everything it needs is at the table, so it can begin in mid-game."""

    def __init__(self, bot: Bot, table: Table, parlour: Parlour) -> None:
        self.table = table
        self._bot = bot
        self._parlour = parlour
        self._start: str | None = None  # where the game began, if not at its own beginning
        self._thinking: asyncio.Task[None] | None = None
        self._thought_about: tuple[str, ...] | None = None  # the moves before the position
        self._claiming: asyncio.Task[None] | None = None
        self._answered: set[tuple[int, str]] = set()  # offers, as long as they are open
        self._tasks: set[asyncio.Task[None]] = set()

    async def play(self) -> None:
        """Play to the end."""
        table = self.table
        if table.result is None:
            self._start = (await self._parlour.records.record(table.room)).position
            self._bot.began(table)
        try:
            async for event in table:
                if table.result is not None:
                    break
                if table.status == "choosing":
                    self._begin(self._choose_first())
                if isinstance(event, Presence):
                    self._plan_claim(event)
                self._answer_offers()
                self._think()
        finally:
            for task in list(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        self._bot.finished(table)

    async def rematch(self) -> str | None:
        """Wait a little for an offer of another game; its room, if there is one."""
        table = self.table
        with suppress(TimeoutError):
            async with asyncio.timeout(REMATCH_WITHIN):
                async for event in table:
                    if table.next is not None:
                        return table.next
                    if isinstance(event, Presence) and not all(event.online):
                        return None
                    self._answer_offers()
        return table.next

    def _begin(self, doing: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # -- turns

    def _think(self) -> None:
        """Think about the present position, if it is our turn, and about no other one any more."""
        turn = self.table.turn
        position = None if turn is None else tuple(self.table.moves)
        if position == self._thought_about:
            return
        self._thought_about = position
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None
        if turn is not None:
            self._thinking = self._begin(self._move(turn))

    async def _move(self, turn: Turn) -> None:
        table = self.table
        for _ in range(ATTEMPTS):
            try:
                choice = await self._choose(Position(table, turn, self._start))
                if choice is None:
                    break
                await table.play(choice)
            except RefusedError as refused:
                if refused.code in OVERTAKEN:
                    return
                log.warning("%s, move %d: %s [%s]", table.room, turn.ply + 1, refused, refused.code)
            except ConnectionError:
                return  # the table tells everybody
            except NoChoice as why:
                log.warning("%s, move %d: %s", table.room, turn.ply + 1, why)
            except Exception:
                log.exception("%s, move %d: no choice was made", table.room, turn.ply + 1)
            else:
                return
        await self._give_up()

    async def _choose(self, position: Position) -> Choice:
        if inspect.iscoroutinefunction(self._bot.choose):
            return await cast("Awaitable[Choice]", self._bot.choose(position))
        return await _in_thread(lambda: cast("Choice", self._bot.choose(position)))

    async def _give_up(self) -> None:
        """Call the game off if that is possible still, so that nobody's rating suffers; otherwise resign."""
        log.info("%s is given up", self.table.room)
        with suppress(Refusal, ConnectionError):
            try:
                await self.table.abort()
            except RefusedError as refused:
                if refused.code != ErrorCode.TOO_LATE_TO_ABORT:
                    raise
                await self.table.resign()

    # -- around the board

    async def _choose_first(self) -> None:
        with suppress(Refusal, ConnectionError):  # it may not be ours to choose
            await self.table.choose_first(True)

    def _answer_offers(self) -> None:
        offers, seat = self.table.offers, self.table.seat
        self._answered &= offers
        for offer in offers - self._answered:
            if offer[0] != seat and offer[1] in ("draw", "takeback", "rematch"):
                self._answered.add(offer)
                self._begin(self._answer(cast("What", offer[1])))

    async def _answer(self, what: What) -> None:
        with suppress(Refusal, ConnectionError):
            await self.table.answer(what, self._bot.answers(what, self.table))

    def _plan_claim(self, presence: Presence) -> None:
        """Claim the win when an opponent who left has been away for long enough."""
        if self._claiming is not None:
            self._claiming.cancel()
            self._claiming = None
        if presence.claim_in is not None:
            self._claiming = self._begin(self._claim(presence.claim_in / 1000))

    async def _claim(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        with suppress(Refusal, ConnectionError):
            await self.table.claim()


async def _in_thread(call: Callable[[], R]) -> R:
    """What a plain function gives. Its thread never keeps the program from ending, however long it takes."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[R] = loop.create_future()

    def tell(result: R | None, fault: BaseException | None) -> None:
        if done.cancelled():
            return
        if fault is None:
            done.set_result(cast("R", result))
        else:
            done.set_exception(fault)

    def run() -> None:
        result, fault = None, None
        try:
            result = call()
        except Exception as failed:
            fault = failed
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(tell, result, fault)

    Thread(target=run, name="parlour-bot", daemon=True).start()
    return await done
