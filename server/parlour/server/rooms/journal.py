"""A room and its log: one change at a time, and nothing is true before the log has it.

Whatever changes a room waits here for its turn. An append that somebody else was faster with is decided on again; one
whose answer is lost is looked up in the log before anything else happens.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from time import monotonic
from typing import Any, Protocol

import msgspec
from hiredis import ReplyError

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.metrics import Metrics
from parlour.server.rooms.core import Room, Step, evolve
from parlour.server.rooms.decide import deadline
from parlour.server.rooms.events import AnyEvent, Ended
from parlour.server.store.log import Appended, RoomLog
from parlour.server.store.update import read

log = logging.getLogger(__name__)

# The connection is lost, or the store answers with an error.
STORE_FAULTS = (OSError, ReplyError)

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(AnyEvent).decode

LONGEST_QUEUE = 256  # changes of one room that wait for the log
RETRY_AFTER = 0.1  # seconds
CATCH_UP_AFTER = 0.5  # seconds until the log is read again that could not be read
FINISHED_WITHIN = 5_000  # milliseconds after a game until another node sees to it that it is counted and recorded
FIND_OUT_WITHIN = 5.0  # seconds to learn what became of an append whose answer was lost


class Desk(Protocol):
    """What a journal needs of its node."""

    log: RoomLog
    metrics: Metrics

    def run(self, work: Coroutine[Any, Any, None]) -> None: ...  # beside the callbacks


class Owner(Protocol):
    """The room that a journal writes for."""

    room: Room

    def fold(self, event: AnyEvent, room: Room) -> None: ...  # an event is true now, and this is the room after it
    def settled(self, due_at: int | None) -> None: ...  # no further event follows at once; see `deadline`
    async def begin_anew(self) -> None: ...  # the store has lost what it had; refuses if there is no room any more


class Change(ABC):
    """What somebody wants to become true, on its way to the log and back."""

    __slots__ = ("began", "due_at", "hint", "steps")

    steps: Sequence[Step]  # each with the room as it will be after it
    due_at: int | None  # the deadline of the room as it will be
    hint: int | None  # the same, if the store was told
    began: float

    @abstractmethod
    def stored(self) -> None:
        """It is true now, and everybody was told."""

    @abstractmethod
    def failed(self, refusal: Refusal) -> None:
        """It is not, or nobody can tell: the command may be sent again with the same id."""

    @abstractmethod
    def again(self) -> None:
        """Somebody else was faster: decide again, now that this is known."""


class Act(Change):
    """A change that nobody has commanded."""

    __slots__ = ("_again", "_fail", "_then")

    def __init__(self, then: Callable[[], None], fail: Callable[[Refusal], None], again: Callable[[], None]) -> None:
        self._then = then
        self._fail = fail
        self._again = again

    def stored(self) -> None:
        self._then()

    def failed(self, refusal: Refusal) -> None:
        self._fail(refusal)

    def again(self) -> None:
        self._again()


class Journal:
    """The one way in which a room changes on this node."""

    def __init__(self, owner: Owner, desk: Desk, room: str) -> None:
        self._owner = owner
        self._desk = desk
        self._pen = desk.log.pen(room)
        self._metrics = desk.metrics
        self.is_busy = False  # while an append, or a look into the log, is under way
        self._queue: deque[Callable[[], None]] = deque()
        self._missed = False  # something was overheard while it could not be taken in
        self._failures = 0  # appends in a row that the store did not take
        self._retry: asyncio.TimerHandle | None = None
        self._under_way: Change
        self._hinted = 0  # when the store has this room looked into, see `Deadlines`

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is under way."""
        return not self.is_busy and not self._queue

    @property
    def is_full(self) -> bool:
        """Whether so much waits that no more should be added."""
        return len(self._queue) >= LONGEST_QUEUE

    def submit(self, act: Callable[[], None]) -> None:
        """Do something with the room as soon as nothing else is under way. It may call `append` once, at its end."""
        if self.is_busy:
            self._queue.append(act)
        else:
            act()

    def later(self, act: Callable[[], None]) -> None:
        """The same, but never at once."""
        self._queue.append(act)

    def append(self, change: Change, steps: Sequence[Step]) -> None:
        """Have the events stored; then fold them in, show them and tell the change what became of it."""
        event, after = steps[-1]
        change.steps = steps
        change.due_at = deadline(after)
        # An earlier hint that is still to come will do as well.
        hint = event.at + FINISHED_WITHIN if type(event) is Ended else change.due_at
        if hint is not None and event.at < self._hinted <= hint:
            hint = None
        change.hint = hint
        change.began = monotonic()
        self._under_way = change
        self.is_busy = True
        first_seq = self._owner.room.seq + 1
        if hint is None and len(steps) == 1:
            self._pen.append(first_seq, encode(event), self._stored)
        else:
            entries = [encode(event) for event, _ in steps]
            self._desk.log.append(self._owner.room.id, first_seq, entries, self._judged, deadline=hint)

    def _stored(self, reply: Any) -> None:
        if reply == 1:
            self._confirmed()
        else:
            self._judged(self._desk.log.judge(reply))

    def _judged(self, outcome: Appended) -> None:
        if outcome is Appended.OK:
            self._confirmed()
            return
        self._metrics.append_seconds.observe(monotonic() - self._under_way.began)
        self._metrics.appends[outcome] += 1
        if outcome is Appended.CONFLICT:
            self._desk.run(self._after_conflict(self._under_way))
        else:
            self._desk.run(self._after_silence(self._under_way))

    def _confirmed(self) -> None:
        """What was under way is in the log: tell everybody, and whoever wanted it last."""
        change, owner, metrics = self._under_way, self._owner, self._metrics
        metrics.append_seconds.observe(monotonic() - change.began)
        metrics.appends["ok"] += 1
        self._failures = 0
        if change.hint is not None:
            self._hinted = change.hint
        try:
            for event, after in change.steps:
                owner.fold(event, after)
            owner.settled(change.due_at)
        except Exception:
            # The events are true, only they could not be shown: a fault of the game, as a rule. The room stays
            # usable for whoever can still do something in it, and clients see that they miss an update.
            log.exception("an event could not be shown", extra={"room": owner.room.id})
            self._go_on(partial(change.failed, Refusal(ErrorCode.INTERNAL, ErrorCode.INTERNAL.meaning)))
        else:
            self.is_busy = False
            change.stored()
            if self._queue or self._missed:
                self._work_off()

    def wait(
        self, answer: Callable[[], Awaitable[None]], then: Callable[[], None], fail: Callable[[Refusal], None]
    ) -> None:
        """Let nothing happen to the room until the store has answered something; `fail` if it does not in time."""
        self.is_busy = True
        self._desk.run(self._wait(answer, then, fail))

    async def _wait(
        self, answer: Callable[[], Awaitable[None]], then: Callable[[], None], fail: Callable[[Refusal], None]
    ) -> None:
        try:
            async with asyncio.timeout(FIND_OUT_WITHIN):
                await answer()
        except STORE_FAULTS:  # a timeout is one of them
            refusal = Refusal(ErrorCode.TRY_AGAIN, "The store does not answer. Send the same command again.")
            self._go_on(partial(fail, refusal))
        else:
            self._go_on(then)

    def _go_on(self, act: Callable[[], None] | None) -> None:
        """The append is over: do what follows from it, then whatever has waited."""
        self.is_busy = False
        if act is not None:
            act()
        self._work_off()

    def _work_off(self) -> None:
        """Do what has waited, as long as nothing is under way."""
        while self._queue and not self.is_busy:
            self._queue.popleft()()
        if self._missed:
            self.catch_up()

    async def _after_conflict(self, change: Change | None) -> None:
        """Read on in the log; then, if somebody wanted a change, let him decide again."""
        act = None if change is None else change.again
        try:
            await self._read_on()
        except STORE_FAULTS:
            # The bus may be back before the pipe is. What was missed must not be forgotten: nobody tells of it again.
            self._retry = asyncio.get_running_loop().call_later(CATCH_UP_AFTER, self.catch_up)
        except Refusal as refusal:
            act = None if change is None else partial(change.failed, refusal)
        self._go_on(act)

    async def _after_silence(self, change: Change) -> None:
        """The answer to an append was lost: read the log to see whether it is in there."""
        log.warning("the store did not confirm an append", extra={"room": self._owner.room.id})
        first = self._owner.room.seq + 1
        loop = asyncio.get_running_loop()
        until = loop.time() + FIND_OUT_WITHIN
        while True:
            try:
                found = await self._read_on()
                break
            except STORE_FAULTS:
                if loop.time() > until:
                    refusal = Refusal(ErrorCode.TRY_AGAIN, "The store does not answer. Send the same command again.")
                    self._go_on(partial(change.failed, refusal))
                    return
                await asyncio.sleep(RETRY_AFTER)
            except Refusal as lost:
                self._go_on(partial(change.failed, lost))
                return
        if all(found.get(first + n) == encode(event) for n, (event, _) in enumerate(change.steps)):
            self._go_on(change.stored)
            return
        # The store answers and yet did not take the events: it may be loading, or full. Not too fast, not for ever.
        self._failures += 1
        if self._failures * RETRY_AFTER > FIND_OUT_WITHIN:
            refusal = Refusal(ErrorCode.TRY_AGAIN, "The store does not take anything. Send the same command again.")
            self._go_on(partial(change.failed, refusal))
            return
        await asyncio.sleep(RETRY_AFTER)
        self._go_on(change.again)

    async def _read_on(self) -> dict[int, bytes]:
        """Take in what the log has beyond what is known here, and give it back by seq. Refuses if there is no log."""
        known = await self._desk.log.tail(self._owner.room.id, self._owner.room.seq - 1)
        if not known:
            await self._owner.begin_anew()
            return {}
        tail = known[1:]
        for seq, entry in tail:
            if seq == self._owner.room.seq + 1:
                event = decode(entry)
                self._owner.fold(event, evolve(self._owner.room, event))
        if tail:
            self._desk.metrics.gaps_repaired += 1
            self._owner.settled(deadline(self._owner.room))
        return dict(tail)

    def overheard(self, message: bytes) -> None:
        """Another node has appended to the log."""
        if self.is_busy:
            self._missed = True
            return
        first, entries = read(message)
        if first > self._owner.room.seq + 1:
            self.catch_up()
            return
        news = entries[self._owner.room.seq + 1 - first :]
        for entry in news:
            event = decode(entry)
            self._owner.fold(event, evolve(self._owner.room, event))
        if news:
            self._owner.settled(deadline(self._owner.room))
            self._go_on(None)

    def close(self) -> None:
        """Read no more."""
        if self._retry is not None:
            self._retry.cancel()

    def catch_up(self) -> None:
        """Something may have been missed: read the log."""
        if self.is_busy:
            self._missed = True
        else:
            self.is_busy = True
            self._missed = False
            self._desk.run(self._after_conflict(None))
