"""All games of one bot: it queues, answers challenges, and plays every game that results."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from parlour.client.bot_game import BotGame
from parlour.client.client import Client
from parlour.client.pending_seek import PendingSeek
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Challenged, Paired, Tournament, TournamentChanged, YourTournament
from parlour.protocol.types import Terms

if TYPE_CHECKING:
    from parlour.client.bot import Bot, BotConfig

logger = logging.getLogger("parlour.bot")

RETRY_DELAY = 10.0  # seconds, after a queue has refused the bot

# A queue that refuses with one of these may accept later.
RETRYABLE = frozenset((ErrorCode.LIMIT_REACHED, ErrorCode.TOO_MANY_SEEKS, ErrorCode.TRY_AGAIN, ErrorCode.TOO_FAST))


class BotScheduler:
    """Keeps one bot within its `BotConfig` on one server."""

    def __init__(self, bot: Bot, client: Client, config: BotConfig) -> None:
        self._bot = bot
        self._client = client
        self._config = config
        self._games = config.games or tuple(card.key for card in client.games)
        self._playing: set[str] = set()  # rooms whose game is not over
        self._open_rooms: set[str] = set()  # these, and rooms where the opponent may still offer a rematch
        self._pending: set[PendingSeek] = set()
        self._queue_places = 0  # held or requested; each may become a game
        self._finished = 0
        self._tournament_is_over = False
        self._changed = asyncio.Condition()
        self._tasks: asyncio.TaskGroup | None = None

    async def run(self) -> None:
        """Play until `max_games` are over, or forever. Raise the error with which the connection ends."""
        unknown = [game for game in self._games if game not in {card.key for card in self._client.games}]
        if unknown:
            known = ", ".join(card.key for card in self._client.games)
            raise Refusal(ErrorCode.GAME_UNKNOWN, f"This server has no game {unknown[0]!r}. It has {known}.")
        logger.info("%s is online for %s; %s", self._client.you.name, ", ".join(self._games), self._waits_for)
        try:
            async with asyncio.TaskGroup() as self._tasks:
                finding = [self._tasks.create_task(self._follow_notifications())]
                if self._config.tournament:
                    await self._enter_tournament()
                    finding.append(self._tasks.create_task(self._follow_tournament()))
                elif self._config.queue:
                    finding += [self._tasks.create_task(self._queue(game)) for game in self._games]
                async with self._changed:
                    await self._changed.wait_for(lambda: self._is_done)
                for task in finding:
                    task.cancel()
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None

    @property
    def _waits_for(self) -> str:
        """A description of what the bot waits for."""
        config = self._config
        kind = "rated" if config.rated else "casual"
        if config.tournament:
            return f"playing in the tournament {config.tournament}"
        queue = f"opponents in the queues for {kind} games" if config.queue else ""
        challenges = "challenges" if config.challenges else ""
        return f"waiting for {' and '.join(filter(None, (queue, challenges))) or 'its ongoing games only'}"

    @property
    def _is_done(self) -> bool:
        most = self._config.max_games
        if self._tournament_is_over:
            return not self._open_rooms
        return most is not None and self._finished >= most and not self._open_rooms

    @property
    def _can_play_more(self) -> bool:
        most = self._config.max_games
        started = self._finished + len(self._playing)
        return len(self._playing) < self._config.concurrency and (most is None or started < most)

    @property
    def _can_queue(self) -> bool:
        """Whether the bot may take another queue place: all of its places may become games at the same moment."""
        most = self._config.max_games
        promised = self._finished + len(self._playing) + self._queue_places
        return self._can_play_more and (most is None or promised < most)

    async def _notify_changed(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    def _start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        assert self._tasks is not None
        self._tasks.create_task(coroutine)

    # -- finding games

    async def _follow_notifications(self) -> None:
        async for notification in self._client.notifications():
            match notification:
                case Paired():
                    self._start_game(notification.room)
                case Challenged():
                    self._start(self._answer_challenge(notification))
                case _:
                    pass

    async def _enter_tournament(self) -> None:
        """Enter the tournament, or resume it after a restart."""
        try:
            config = self._config
            await self._client.join_tournament(config.tournament, code=config.code, team=config.team)
        except Refusal as refusal:
            if refusal.code != ErrorCode.ALREADY_ENTERED:
                raise

    async def _follow_tournament(self) -> None:
        """Wait until the tournament is over.

        A bot that was disconnected for too long is no longer paired until it resumes. A bot that is connected and still
        does not move stays paused.
        """
        was_away = True
        async for news in await self._client.tournaments.follow(self._config.tournament):
            if isinstance(news, Tournament):
                was_away = True
            elif isinstance(news, YourTournament):
                if was_away and news.state == "paused":
                    self._start(self._come_back())
                was_away = False
            summary = news.summary if isinstance(news, Tournament | TournamentChanged) else None
            if summary is not None and summary.status in ("finished", "cancelled"):
                self._tournament_is_over = True
                await self._notify_changed()

    async def _come_back(self) -> None:
        try:
            await self._client.tournaments.pause(self._config.tournament, on=False)
        except Refusal as refusal:
            logger.info("the bot is not paired any more: %s", refusal)

    async def _answer_challenge(self, challenge: Challenged) -> None:
        fits = self._config.challenges and challenge.terms.game in self._games and self._can_play_more
        try:
            if fits and self._bot.accept_challenge(challenge):
                self._start_game((await self._client.accept(challenge.seek)).room)
            else:
                await self._client.decline(challenge.seek)
        except Refusal as refusal:
            logger.info("the challenge of %s is closed: %s", challenge.player.name, refusal)

    async def _queue(self, game: str) -> None:
        """Take a place in the queue for a game whenever the bot can play another one."""
        config = self._config
        terms = Terms(game, clock=config.clock, rated=config.rated)
        while True:
            async with self._changed:
                await self._changed.wait_for(lambda: self._can_queue)
                self._queue_places += 1
            try:
                pending = await self._client.queue(terms)
                self._pending.add(pending)
                try:
                    self._start_game(await pending.room())
                finally:
                    self._pending.discard(pending)
            except Refusal as refusal:
                if refusal.code == ErrorCode.SEEK_GONE:
                    continue  # cancelled by `_start_game`, because the bot plays enough games
                if refusal.code not in RETRYABLE:
                    raise
                logger.info("no place in the queue for %s: %s", game, refusal)
                await asyncio.sleep(RETRY_DELAY)
            finally:
                self._queue_places -= 1
                await self._notify_changed()

    async def _cancel(self, pending: PendingSeek) -> None:
        try:
            await pending.cancel()
        except Refusal:
            return  # an opponent was found in the meantime, so this game is played as well

    # -- playing them

    def _start_game(self, room: str) -> None:
        """Play in a room, once, however often it is announced."""
        if room in self._open_rooms:
            return
        self._open_rooms.add(room)
        self._playing.add(room)
        self._start(self._play(room))
        if not self._can_play_more:
            for pending in list(self._pending):
                self._start(self._cancel(pending))

    async def _play(self, room: str) -> None:
        """Play one game, and start the rematch if there is one."""
        try:
            game = BotGame(self._bot, await self._client.join(room), self._client)
            await game.play()
            self._playing.discard(room)
            self._finished += 1
            await self._notify_changed()
            may_follow = self._can_play_more and game.table.tournament is None  # whose games have no rematch
            rematch = await game.rematch() if may_follow else None
            if rematch is not None:
                self._start_game(rematch)
            await game.table.leave()
        except Refusal as refusal:
            logger.warning("leaving table %s: %s", room, refusal)
        finally:
            self._playing.discard(room)
            self._open_rooms.discard(room)
            await self._notify_changed()
