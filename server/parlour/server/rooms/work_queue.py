"""Runs a room's work, one piece at a time, and performs its effects on the store."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

from parlour.protocol.errors import Refusal
from parlour.server.rooms.effects import Append, Effect, LearnOutages, ReadLog, ReadSeatNodes, Reload, Sleep, Work
from parlour.server.rooms.state import RoomState
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.heartbeat import Heartbeat
from parlour.server.store.room_log import RoomLog
from parlour.server.store.seat_nodes import SeatNodeStore

logger = logging.getLogger(__name__)

MAX_BACKLOG = 256
LEARN_WITHIN = 5.0  # seconds for `LearnOutages`


class Services(Protocol):
    """The services that effects need."""

    room_log: RoomLog
    heartbeat: Heartbeat
    seat_nodes: SeatNodeStore

    def run(self, work: Coroutine[Any, Any, None]) -> None: ...  # as a task


class WorkQueue:
    """Work that has started finishes before the next piece starts, so a room never changes under its feet.

    The store's reply resumes the work directly, without a task or a turn of the event loop in between.
    """

    def __init__(self, room: str, services: Services, load: Callable[[], Awaitable[RoomState | None]]) -> None:
        self._room = room
        self._services = services
        self._load = load
        self._current: Work | None = None
        self._backlog: deque[Work] = deque()

    @property
    def is_idle(self) -> bool:
        """Whether no work is running or queued."""
        return self._current is None

    @property
    def is_full(self) -> bool:
        """Whether no further commands should be queued."""
        return len(self._backlog) >= MAX_BACKLOG

    def submit(self, work: Work) -> None:
        """Run work now, or after everything submitted before."""
        if self._current is None:
            self._current = work
            self._resume(None)
        else:
            self._backlog.append(work)

    async def run(self, work: Work) -> None:
        """Run work like `submit`, and wait for its end. Raise Refusal or StoreUnavailable if it does."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.submit(_reported(work, done))
        try:
            await done
        finally:
            del done  # its error refers to this frame: a reference cycle

    def _resume(self, outcome: Any) -> None:
        """Continue the current work up to its next effect; when it ends, start the next piece."""
        while (work := self._current) is not None:
            try:
                effect = work.throw(outcome) if isinstance(outcome, StoreUnavailable) else work.send(outcome)
            except StopIteration:
                pass
            except Exception:
                logger.exception("work in a room failed", extra={"room": self._room})
            else:
                self._perform(effect)
                return
            self._current, outcome = self._backlog.popleft() if self._backlog else None, None

    def _perform(self, effect: Effect) -> None:
        if type(effect) is Append:
            self._services.room_log.append(
                self._room,
                effect.first_seq,
                effect.entries,
                self._resume,
                deadline=effect.wake_at,
                update=effect.update,
            )
        else:
            self._services.run(self._await(effect))

    async def _await(self, effect: Effect) -> None:
        self._resume(await self._outcome(effect))

    async def _outcome(self, effect: Effect) -> Any:
        """Return the outcome of an effect, or an error. No frame keeps the error, which would be a reference cycle."""
        try:
            match effect:
                case ReadLog():
                    return await self._services.room_log.tail(self._room, effect.after_seq)
                case Reload():
                    return await self._load()
                case ReadSeatNodes():
                    return await self._services.seat_nodes.read(self._room, effect.first, effect.second)
                case LearnOutages():
                    async with asyncio.timeout(LEARN_WITHIN):
                        await self._services.heartbeat.catch_up(effect.until)
                case Sleep():
                    await asyncio.sleep(effect.seconds)
        except StoreUnavailable as error:
            return error
        except TimeoutError:
            return StoreUnavailable("the store did not answer in time")
        return None


def _reported(work: Work, done: asyncio.Future[None]) -> Work:
    """Do work, and complete a future at its end."""
    try:
        yield from work
    except (Refusal, StoreUnavailable) as error:
        if not done.done():
            done.set_exception(error)
    else:
        if not done.done():
            done.set_result(None)
    finally:
        del done  # as in `run`
