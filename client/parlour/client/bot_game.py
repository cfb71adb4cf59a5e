"""A bot in one game: thinks when it is to move, and answers the opponent's offers meanwhile."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar, cast

from parlour.client.bot_move import BotMove, NoMoveError
from parlour.client.client import Client
from parlour.client.connection import RefusedError
from parlour.client.position import Position
from parlour.client.table import OfferKind, Table
from parlour.client.turn import Turn
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Presence, RoomEvent

if TYPE_CHECKING:
    from parlour.client.bot import Bot

logger = logging.getLogger("parlour.bot")

ATTEMPTS = 2  # at choosing a move
REMATCH_TIMEOUT = 20.0  # seconds in which an opponent may offer a rematch

# The position changed while the bot was thinking: a move was taken back, or the game is over.
OUTDATED = frozenset((ErrorCode.STALE_PLY, ErrorCode.NOT_YOUR_TURN, ErrorCode.GAME_OVER))

R = TypeVar("R")


class BotGame:
    """Plays one game to its end. It needs nothing but the table, so it can start in mid-game."""

    def __init__(self, bot: Bot, table: Table, client: Client) -> None:
        self.table = table
        self._bot = bot
        self._client = client
        self._start: str | None = None  # the first position, if it is not the game's usual one
        self._thinking: asyncio.Task[None] | None = None
        self._thought_about: tuple[str, ...] | None = None  # the moves that led to that position
        self._claiming: asyncio.Task[None] | None = None
        self._answered: set[tuple[int, str]] = set()  # open offers that need no further answer
        self._tasks: set[asyncio.Task[None]] = set()

    async def play(self) -> None:
        """Play until the game is over."""
        table = self.table
        if table.result is None:
            self._start = (await self._client.records.record(table.room)).position
            self._bot.on_game_start(table)
        try:
            async for event in table:
                if table.result is not None:
                    break
                if table.status == "choosing":
                    self._create_task(self._choose_first())
                if isinstance(event, Presence):
                    self._schedule_claim(event)
                if isinstance(event, RoomEvent) and event.kind == "taken_back":
                    self._stop_thinking()
                self._answer_offers()
                self._think()
        finally:
            for task in list(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        self._bot.on_game_end(table)

    async def rematch(self) -> str | None:
        """Wait a while for the opponent to offer a rematch, and return its room if there is one."""
        table = self.table
        with suppress(TimeoutError):
            async with asyncio.timeout(REMATCH_TIMEOUT):
                async for event in table:
                    if table.next is not None:
                        return table.next
                    if isinstance(event, Presence) and not all(event.online):
                        return None
                    self._answer_offers()
        return table.next

    def _create_task(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # -- moves

    def _think(self) -> None:
        """Think about the current position if the bot is to move, and about no other position."""
        turn = self.table.turn
        moves = None if turn is None else tuple(self.table.moves)
        if moves == self._thought_about:
            return
        self._stop_thinking()
        self._thought_about = moves
        if turn is not None:
            self._thinking = self._create_task(self._move(turn))

    def _stop_thinking(self) -> None:
        # By the time the bot handles a takeback, the same move may have been played again. The moves alone do not tell.
        self._thought_about = None
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None

    async def _move(self, turn: Turn) -> None:
        table = self.table
        for _ in range(ATTEMPTS):
            try:
                move = await self._choose(Position(table, turn, self._start))
                if move is None:
                    break
                await table.play(move)
            except RefusedError as refused:
                if refused.code in OUTDATED:
                    return
                logger.warning("%s, move %d: %s [%s]", table.room, turn.ply + 1, refused, refused.code)
            except ConnectionError:
                return  # raised again by the iteration in `play`
            except NoMoveError as error:
                logger.warning("%s, move %d: %s", table.room, turn.ply + 1, error)
            except Exception:
                logger.exception("%s, move %d: choosing a move failed", table.room, turn.ply + 1)
            else:
                return
        await self._give_up()

    async def _choose(self, position: Position) -> BotMove:
        if inspect.iscoroutinefunction(self._bot.choose):
            return await cast("Awaitable[BotMove]", self._bot.choose(position))
        return await _run_in_thread(lambda: cast("BotMove", self._bot.choose(position)))

    async def _give_up(self) -> None:
        """Abort the game if that is still possible, since it leaves ratings alone; otherwise resign."""
        logger.info("giving up %s", self.table.room)
        with suppress(Refusal, ConnectionError):
            try:
                await self.table.abort()
            except RefusedError as refused:
                if refused.code != ErrorCode.TOO_LATE_TO_ABORT:
                    raise
                await self.table.resign()

    # -- offers, and absent opponents

    async def _choose_first(self) -> None:
        with suppress(Refusal, ConnectionError):  # the opponent may have the choice
            await self.table.choose_first(True)

    def _answer_offers(self) -> None:
        offers, seat = self.table.offers, self.table.seat
        self._answered &= offers
        for offer in offers - self._answered:
            if offer[0] != seat and offer[1] in ("draw", "takeback", "rematch"):
                self._answered.add(offer)
                self._create_task(self._answer(cast("OfferKind", offer[1])))

    async def _answer(self, kind: OfferKind) -> None:
        with suppress(Refusal, ConnectionError):
            await self.table.answer(kind, self._bot.accept_offer(kind, self.table))

    def _schedule_claim(self, presence: Presence) -> None:
        """Claim the win once an opponent has been offline for long enough."""
        if self._claiming is not None:
            self._claiming.cancel()
            self._claiming = None
        if presence.claim_in is not None:
            self._claiming = self._create_task(self._claim(presence.claim_in / 1000))

    async def _claim(self, delay: float) -> None:
        await asyncio.sleep(delay)
        with suppress(Refusal, ConnectionError):
            await self.table.claim()


async def _run_in_thread(function: Callable[[], R]) -> R:
    """Return the result of a plain function. Unlike `asyncio.to_thread`, it never delays the program's exit."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[R] = loop.create_future()

    def finish(result: R | None, error: BaseException | None) -> None:
        if future.cancelled():
            return
        if error is None:
            future.set_result(cast("R", result))
        else:
            future.set_exception(error)

    def run() -> None:
        result, error = None, None
        try:
            result = function()
        except Exception as raised:
            error = raised
        with suppress(RuntimeError):  # the loop was closed in the meantime
            loop.call_soon_threadsafe(finish, result, error)

    Thread(target=run, name="parlour-bot", daemon=True).start()
    return await future
