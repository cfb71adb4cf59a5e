"""All the games of a bot: waits in queues, accepts invitations, and plays whatever comes of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from parlour.client.parlour import Parlour
from parlour.client.seated import Seated
from parlour.client.waiting import Waiting
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Challenged, Paired
from parlour.protocol.tables import Terms

if TYPE_CHECKING:
    from parlour.client.bot import Bot, Wishes

log = logging.getLogger("parlour.bot")

TRY_AGAIN_AFTER = 10.0  # seconds, where there is no place in a queue at the moment

# Refusals of a place in a queue that pass.
PASSING = frozenset((ErrorCode.LIMIT_REACHED, ErrorCode.TOO_MANY_SEEKS, ErrorCode.TRY_AGAIN, ErrorCode.TOO_FAST))


class Engagements:
    """What one bot has to do in one parlour."""

    def __init__(self, bot: Bot, parlour: Parlour, wishes: Wishes) -> None:
        self._bot = bot
        self._parlour = parlour
        self._wishes = wishes
        self._games = wishes.games or tuple(card.key for card in parlour.games)
        self._playing: set[str] = set()  # rooms of games that are not over
        self._attended: set[str] = set()  # rooms with somebody at them, who may wait for a rematch
        self._waiting: set[Waiting] = set()
        self._places = 0  # in queues, taken or about to be: each may become a game
        self._finished = 0
        self._changed = asyncio.Condition()
        self._tasks: asyncio.TaskGroup | None = None

    async def keep(self) -> None:
        """Play until the wishes are fulfilled; for ever, if they have no end. Raises what the connection ends with."""
        unknown = [game for game in self._games if game not in {card.key for card in self._parlour.games}]
        if unknown:
            known = ", ".join(card.key for card in self._parlour.games)
            raise Refusal(ErrorCode.GAME_UNKNOWN, f"There is no game {unknown[0]!r} here. There are {known}.")
        log.info("%s is here, for %s", self._parlour.you.name, ", ".join(self._games))
        try:
            async with asyncio.TaskGroup() as self._tasks:
                hearing = [self._tasks.create_task(self._hear())]
                if self._wishes.queue:
                    hearing += [self._tasks.create_task(self._queue(game)) for game in self._games]
                async with self._changed:
                    await self._changed.wait_for(lambda: self._done)
                for task in hearing:
                    task.cancel()
        except BaseExceptionGroup as faults:
            raise faults.exceptions[0] from None

    @property
    def _done(self) -> bool:
        most = self._wishes.games_in_all
        return most is not None and self._finished >= most and not self._attended

    @property
    def _room_for_more(self) -> bool:
        most = self._wishes.games_in_all
        begun = self._finished + len(self._playing)
        return len(self._playing) < self._wishes.at_once and (most is None or begun < most)

    @property
    def _may_wait(self) -> bool:
        """Whether another place in a queue can be taken: all of them may become games at the same moment."""
        most = self._wishes.games_in_all
        promised = self._finished + len(self._playing) + self._places
        return self._room_for_more and (most is None or promised < most)

    async def _note(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    def _start(self, doing: Coroutine[Any, Any, None]) -> None:
        assert self._tasks is not None
        self._tasks.create_task(doing)

    # -- finding games

    async def _hear(self) -> None:
        async for summons in self._parlour.summons():
            match summons:
                case Paired():
                    self._sit_down(summons.room)
                case Challenged():
                    self._start(self._invited(summons))
                case _:
                    pass

    async def _invited(self, invitation: Challenged) -> None:
        fits = self._wishes.challenges and invitation.terms.game in self._games and self._room_for_more
        try:
            if fits and self._bot.accepts(invitation):
                self._sit_down((await self._parlour.accept(invitation.seek)).room)
            else:
                await self._parlour.decline(invitation.seek)
        except Refusal as refusal:
            log.info("the invitation of %s is gone: %s", invitation.player.name, refusal)

    async def _queue(self, game: str) -> None:
        """Wait in the queue for a game whenever there is room for another one."""
        wishes = self._wishes
        terms = Terms(game, clock=wishes.clock, rated=wishes.rated)
        while True:
            async with self._changed:
                await self._changed.wait_for(lambda: self._may_wait)
                self._places += 1
            try:
                waiting = await self._parlour.queue(terms)
                self._waiting.add(waiting)
                try:
                    self._sit_down(await waiting.room())
                finally:
                    self._waiting.discard(waiting)
            except Refusal as refusal:
                if refusal.code == ErrorCode.SEEK_GONE:
                    continue  # withdrawn, because there are games enough
                if refusal.code not in PASSING:
                    raise
                log.info("no place in the queue for %s: %s", game, refusal)
                await asyncio.sleep(TRY_AGAIN_AFTER)
            finally:
                self._places -= 1
                await self._note()

    async def _withdraw(self, waiting: Waiting) -> None:
        try:
            await waiting.cancel()
        except Refusal:
            return  # somebody was found for us just now, and we play him too

    # -- playing them

    def _sit_down(self, room: str) -> None:
        """Attend to a room, once, however often it is told."""
        if room in self._attended:
            return
        self._attended.add(room)
        self._playing.add(room)
        self._start(self._attend(room))
        if not self._room_for_more:
            for waiting in list(self._waiting):
                self._start(self._withdraw(waiting))

    async def _attend(self, room: str) -> None:
        """One game, and the rematch that may come of it."""
        try:
            seated = Seated(self._bot, await self._parlour.join(room), self._parlour)
            await seated.play()
            self._playing.discard(room)
            self._finished += 1
            await self._note()
            following = await seated.rematch() if self._room_for_more else None
            if following is not None:
                self._sit_down(following)
            await seated.table.leave()
        except Refusal as refusal:
            log.warning("table %s is left: %s", room, refusal)
        finally:
            self._playing.discard(room)
            self._attended.discard(room)
            await self._note()
