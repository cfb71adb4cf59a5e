"""A room that is open on this node: its followers, its queue of commands, and the way from a command to an answer.

One move goes through here once down and once up: the command waits its turn; `decide` makes events of it; the log
takes them or says that somebody else was faster; `evolve` folds them in; `presenter` makes one message of each;
everybody who follows gets it; and the command is answered. Nothing is shown or answered before it is in the log.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from itertools import accumulate
from time import monotonic
from typing import Any, Protocol

import msgspec
from hiredis import ReplyError
from msgspec import Struct

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.feed import Feed, Ledger
from parlour.protocol.messages import Command, Explore, Ok, Play, Refused, Said, Say, Standing, Sync
from parlour.server.metrics import Metrics
from parlour.server.rooms import presenter
from parlour.server.rooms.attendance import Attendance
from parlour.server.rooms.audience import Audience, Follower
from parlour.server.rooms.core import Room, evolve
from parlour.server.rooms.decide import Events, back, deadline, decide, due, gone
from parlour.server.rooms.events import AnyEvent, Ended, Gone, Rematch
from parlour.server.store.log import Appended, RoomLog
from parlour.server.store.update import read

log = logging.getLogger(__name__)

# The connection is lost, or the store answers with an error.
STORE_FAULTS = (OSError, ReplyError)

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(AnyEvent).decode

LONGEST_QUEUE = 256  # commands of one room that wait for the log
SNAPSHOT_EVERY = 64  # events
RETRY_AFTER = 0.1  # seconds
FIND_OUT_WITHIN = 5.0  # seconds to learn what became of an append whose answer was lost


class RollCall(Struct, frozen=True, tag_field="t", tag="roll_call"):
    """Whoever has this player, say so."""

    room: str
    seat: int


class Here(Struct, frozen=True, tag_field="t", tag="here"):
    """This player is connected to me."""

    room: str
    seat: int


class Surroundings(Protocol):
    """What a room needs of its node."""

    log: RoomLog
    metrics: Metrics

    def now(self) -> int: ...  # milliseconds, the same on every node
    def remind(self, room: str, at: int | None) -> None: ...  # have the room looked into then, by whatever node lives
    def rematch(self, room: Room) -> None: ...  # both want another game
    def talk(self, message: Said | RollCall | Here) -> None: ...  # to the other nodes
    def run(self, work: Coroutine[Any, Any, None]) -> None: ...  # beside the callbacks


class LiveRoom:
    """The one place on this node where a room changes."""

    def __init__(self, room: Room, node: Surroundings, load: Callable[[], Awaitable[Room | None]]) -> None:
        self._node = node
        self._load = load  # gives the room as its log has it now
        self._busy = False  # while an append is under way
        self._queue: deque[Callable[[], None]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._ledger = Ledger()  # of what is answered without the log
        self._missed = False  # something was overheard while it could not be taken in
        self._failures = 0  # appends in a row that the store did not take
        self._begin(room)

    def _begin(self, room: Room) -> None:
        self.room = room
        self.scene = presenter.scene(room)
        self.audience = Audience(room, self.scene, self._node.now)
        self._feed = Feed(presenter.EPOCH, room.seq)
        self._saved = room.seq  # up to where the newest snapshot goes
        self._attendance = Attendance(self.audience, self._ask_for, self._presence_of)
        self._set_timer()

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is under way."""
        return not self._busy and not self._queue

    # -- followers

    def join(self, follower: Follower, id: int | None) -> None:
        """Begin to follow; the room is sent whole."""
        self.audience.add(follower)
        self.send_whole(follower, id)
        for said in self.audience.talk:
            follower.send(said)
        self._returned(follower)

    def resume(self, follower: Follower, standing: Standing, id: int | None = None) -> None:
        """Follow, or go on to follow, from a known point: what was missed is sent, or the whole room."""
        self.audience.add(follower)
        missed = None if self.audience.is_behind(follower) else self._feed.since(standing)
        self._node.metrics.resumes["snapshot" if missed is None else "range"] += 1
        if missed is None:
            self.send_whole(follower, id)
        else:
            for update in missed:
                follower.send(update)
            if id is not None:
                follower.send(Ok(id=id, seq=self.room.seq))
            self._send_choices(follower)
        self._returned(follower)

    def leave(self, follower: Follower) -> None:
        """Stop to follow. A player without any connection is gone, which is noted in the log."""
        if self.audience.remove(follower):
            self._returned(follower)

    def send_whole(self, follower: Follower, id: int | None = None) -> None:
        room, scene = self.audience.view(follower)
        seat = room.seat_of(follower.player)
        follower.send(presenter.whole(room, scene, seat, self.audience.watchers, self._node.now(), id))
        self._send_choices(follower)

    def standing(self, follower: Follower) -> Standing:
        """Up to where this follower has been told."""
        return Standing(self.room.id, presenter.EPOCH, self.audience.view(follower)[0].seq)

    def _returned(self, follower: Follower) -> None:
        """Somebody came or went."""
        seat = self.room.seat_of(follower.player)
        if seat is None:
            self.audience.presence_soon()
        else:
            self._presence_of(seat)

    def _presence_of(self, seat: int) -> None:
        self._submit(partial(self._note_presence, seat))

    def _ask_for(self, seat: int) -> None:
        self._node.talk(RollCall(room=self.room.id, seat=seat))

    def hear(self, message: Said | RollCall | Here) -> None:
        """Another node has something to say about this room that is in no log."""
        match message:
            case Said():
                self.audience.hear(message)
            case RollCall() if self.audience.of_seat(message.seat):
                self._node.talk(Here(room=self.room.id, seat=message.seat))
            case Here():
                self._attendance.answered(message.seat)

    def _note_presence(self, seat: int) -> None:
        """Put into the log whether a player is here, if the log has it otherwise."""
        change = back if self.audience.of_seat(seat) else gone
        events = change(self.room, seat, self._node.now())
        if events:
            again = partial(self._note_presence, seat)
            self._append(events, self.audience.presence_soon, lambda _: None, again)

    # -- commands

    def command(self, follower: Follower, command: Command) -> None:
        """Carry out what a follower asks for, when its turn has come."""
        match command:
            case Sync():
                self.resume(follower, Standing(command.room, command.epoch, command.seq), command.id)
            case Explore():
                self._explore(follower, command)
            case Say():
                self._say(follower, command)
            case _ if len(self._queue) >= LONGEST_QUEUE:
                _refuse(follower, command, Refusal(ErrorCode.TRY_AGAIN, "The room is waiting for its store."))
            case _:
                self._submit(partial(self._carry_out, follower, command))

    def act(
        self, make: Callable[[Room, int], Events], then: Callable[[], None], fail: Callable[[Refusal], None]
    ) -> None:
        """Let the node itself change the room: `make` decides as soon as the room is free, like a command."""

        def run() -> None:
            try:
                events = make(self.room, self._node.now())
            except Refusal as refusal:
                fail(refusal)
                return
            if events:
                self._append(events, then, fail)
            else:
                then()

        self._submit(run)

    def _submit(self, act: Callable[[], None]) -> None:
        if self._busy:
            self._queue.append(act)
        else:
            act()

    def _carry_out(self, follower: Follower, command: Command) -> None:
        room = self.room
        seq = room.answered(follower.player, command.id)
        if seq is not None:
            follower.send(Ok(id=command.id, seq=seq))
            return
        now = self._node.now()
        lag = follower.lag if isinstance(command, Play) else 0
        is_mover = isinstance(command, Play) and room.seat_of(follower.player) == room.times.running
        overdue = due(room, now, lag) if is_mover else due(room, now)
        if overdue:
            again = partial(self._carry_out, follower, command)
            self._append(overdue, again, partial(_refuse, follower, command), again)
            return
        try:
            events = decide(room, follower.player, command, now, lag)
        except Refusal as refusal:
            _refuse(follower, command, refusal)
            return
        answer = Ok(id=command.id, seq=room.seq + 1)
        again = partial(self._carry_out, follower, command)

        def done() -> None:
            if isinstance(command, Play):
                self._node.metrics.moves[room.game] += 1
            follower.send(answer)

        self._append(events, done, partial(_refuse, follower, command), again)

    def _explore(self, follower: Follower, command: Explore) -> None:
        room = self.room
        try:
            if command.ply != len(room.moves):
                raise Refusal(ErrorCode.STALE_PLY, "The game has gone on meanwhile.")
            if room.to_move is None or room.seat_of(follower.player) != room.to_move:
                raise Refusal(ErrorCode.NOT_YOUR_TURN, "Only the seat to move can look further.")
            for made, pick in enumerate(command.picks):
                if pick not in room.rules.steps(room.state, command.picks[:made]):
                    raise Refusal(ErrorCode.MOVE_ILLEGAL, "These picks cannot be made.")
        except Refusal as refusal:
            _refuse(follower, command, refusal)
        else:
            follower.send(presenter.choices(room, tuple(command.picks), command.id))

    def _say(self, follower: Follower, command: Say) -> None:
        known = self._ledger.find(follower.player, command.id)
        if known is not None:
            follower.send(known)
            return
        if not command.text.isprintable() or not command.text.strip():
            _refuse(follower, command, Refusal(ErrorCode.TEXT_REFUSED, "Say something that can be shown on one line."))
            return
        if not follower.may_talk():
            _refuse(follower, command, Refusal(ErrorCode.TOO_FAST, "Too many lines in a minute: wait a moment."))
            return
        seat = self.room.seat_of(follower.player)
        said = Said(room=self.room.id, name=follower.name, text=command.text, at=self._node.now(), seat=seat)
        self.audience.hear(said)
        self._node.talk(said)
        answer = Ok(id=command.id)
        self._ledger.note(follower.player, command.id, answer)
        follower.send(answer)

    # -- the log

    def _append(
        self,
        events: Sequence[AnyEvent],
        then: Callable[[], None],
        fail: Callable[[Refusal], None],
        again: Callable[[], None] | None = None,
    ) -> None:
        """Have the events stored; then fold them in, show them and call `then`.

        If somebody else was faster, catch up and call `again` (or, without it, nothing). If it cannot be found out in
        time what became of the events, call `fail`: the command may be sent again with the same id.
        """
        self._busy = True
        entries = [encode(event) for event in events]
        rooms = list(accumulate(events, evolve, initial=self.room))[1:]  # as it will be after each of them
        metrics, began = self._node.metrics, monotonic()

        def stored(outcome: Appended) -> None:
            metrics.append_seconds.observe(monotonic() - began)
            metrics.appends[outcome.value] += 1
            if outcome is Appended.OK:
                self._failures = 0
                for event, room in zip(events, rooms, strict=True):
                    self._fold(event, room)
                self._settled()
                self._go_on(then)
            elif outcome is Appended.CONFLICT:
                self._node.run(self._after_conflict(fail, again))
            else:
                self._node.run(self._after_silence(entries, then, fail, again))

        self._node.log.append(self.room.id, self.room.seq + 1, entries, stored, deadline=deadline(rooms[-1]))

    def _go_on(self, act: Callable[[], None] | None) -> None:
        """The append is over: do what follows from it, then whatever has waited."""
        self._busy = False
        if act is not None:
            act()
        while self._queue and not self._busy:
            self._queue.popleft()()
        if self._missed:
            self.catch_up()

    async def _after_conflict(self, fail: Callable[[Refusal], None], again: Callable[[], None] | None) -> None:
        try:
            await self._read_on()
        except STORE_FAULTS:
            log.warning("the store is away", extra={"room": self.room.id})
        except Refusal as refusal:
            again = partial(fail, refusal)
        self._go_on(again)

    async def _after_silence(
        self,
        entries: Sequence[bytes],
        then: Callable[[], None],
        fail: Callable[[Refusal], None],
        again: Callable[[], None] | None,
    ) -> None:
        """The answer to an append was lost: read the log to see whether it is in there."""
        log.warning("the store did not confirm an append", extra={"room": self.room.id})
        first = self.room.seq + 1
        loop = asyncio.get_running_loop()
        until = loop.time() + FIND_OUT_WITHIN
        while True:
            try:
                found = await self._read_on()
                break
            except STORE_FAULTS:
                if loop.time() > until:
                    refusal = Refusal(ErrorCode.TRY_AGAIN, "The store does not answer. Send the same command again.")
                    self._go_on(partial(fail, refusal))
                    return
                await asyncio.sleep(RETRY_AFTER)
            except Refusal as lost:
                self._go_on(partial(fail, lost))
                return
        mine = [found.get(first + n) for n in range(len(entries))] == list(entries)
        if mine or again is None:
            self._go_on(then if mine else None)
            return
        # The store answers and yet did not take the events: it may be loading, or full. Not too fast, not for ever.
        self._failures += 1
        if self._failures * RETRY_AFTER > FIND_OUT_WITHIN:
            refusal = Refusal(ErrorCode.TRY_AGAIN, "The store does not take anything. Send the same command again.")
            self._go_on(partial(fail, refusal))
            return
        await asyncio.sleep(RETRY_AFTER)
        self._go_on(again)

    async def _read_on(self) -> dict[int, bytes]:
        """Take in what the log has beyond what is known here, and give it back by seq. Refuses if there is no log."""
        known = await self._node.log.tail(self.room.id, self.room.seq - 1)
        if not known:
            await self._begin_anew()
            return {}
        tail = known[1:]
        for seq, entry in tail:
            if seq == self.room.seq + 1:
                event = decode(entry)
                self._fold(event, evolve(self.room, event))
        if tail:
            self._node.metrics.gaps_repaired += 1
            self._settled()
        return dict(tail)

    async def _begin_anew(self) -> None:
        """The store has lost what it had: whatever it still has is what counts, and everybody is told."""
        log.error("the store has lost the end of a log", extra={"room": self.room.id})
        room = await self._load()
        if room is None:
            raise Refusal(ErrorCode.ROOM_UNKNOWN, "The store has lost this room.")
        before = self.audience
        before.close()
        self._attendance.close()
        self._begin(room)
        self.audience.idle_since, self.audience.talk = before.idle_since, before.talk
        for follower in before.followers:
            self.audience.add(follower)
            self.send_whole(follower)
            self._returned(follower)

    def overheard(self, message: bytes) -> None:
        """Another node has appended to the log."""
        if self._busy:
            self._missed = True
            return
        first, entries = read(message)
        if first > self.room.seq + 1:
            self.catch_up()
            return
        news = entries[self.room.seq + 1 - first :]
        for entry in news:
            event = decode(entry)
            self._fold(event, evolve(self.room, event))
        if news:
            self._settled()
            self._go_on(None)

    def catch_up(self) -> None:
        """Something may have been missed: read the log."""
        if self._busy:
            self._missed = True
        else:
            self._busy = True
            self._missed = False
            self._node.run(self._after_conflict(lambda _: None, None))

    # -- what follows from an event

    def _fold(self, event: AnyEvent, room: Room) -> None:
        """One event more is true and has made this of the room: tell everybody."""
        self.room = room
        update, self.scene = presenter.update(self.scene, room, event)
        self._feed.add(update)
        self.audience.tell(update, room, self.scene)
        if isinstance(event, Ended):
            log.info("the game is over: %s", event.result.reason, extra={"room": room.id})
        elif isinstance(event, Rematch):
            self._node.rematch(room)
        elif isinstance(event, Gone) and self.audience.of_seat(event.seat):
            self._queue.append(partial(self._note_presence, event.seat))  # another node thought so, and was wrong

    def _settled(self) -> None:
        """The room stands still again: tell the mover what can be picked, and set the clocks."""
        mover = self.room.to_move
        if mover is not None:
            for follower in self.audience.of_seat(mover):
                self._send_choices(follower)
        self._set_timer()
        if self.room.seq - self._saved >= SNAPSHOT_EVERY:
            self._saved = self.room.seq
            self._node.run(self._save(self.room))

    async def _save(self, room: Room) -> None:
        """Keep a snapshot, which only makes loading faster."""
        with suppress(*STORE_FAULTS):
            await self._node.log.save_snapshot(room.id, room.seq, room.pack())

    def _send_choices(self, follower: Follower) -> None:
        room = self.room
        if room.to_move is not None and room.seat_of(follower.player) == room.to_move:
            follower.send(presenter.choices(room))

    def _set_timer(self) -> None:
        """Be called when somebody's time is over. The store remembers it too, in case this node is gone then."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        at = deadline(self.room)
        if at is not None:
            wait = max(0, at - self._node.now()) / 1000 + 0.005
            self._timer = asyncio.get_running_loop().call_later(wait, self.look)

    def look(self) -> None:
        """See whether something has become due, and have the room looked into again when the next thing is."""

        def looked() -> None:
            self._set_timer()
            self._node.remind(self.room.id, deadline(self.room))

        self.act(due, looked, lambda _: None)

    def close(self) -> None:
        """This node lets go of the room; the log has everything."""
        self.audience.close()
        self._attendance.close()
        if self._timer is not None:
            self._timer.cancel()


def _refuse(follower: Follower, command: Command, refusal: Refusal) -> None:
    follower.send(Refused(code=refusal.code, text=refusal.sentence, id=command.id))
