"""A room that is open on this node: its followers, its queue of commands, and the way from a command to an answer.

One move goes through here once down and once up: the command waits its turn; `decide` makes events of it; the log
takes them or says that somebody else was faster; `evolve` folds them in; `presenter` makes one message of each;
everybody who follows gets it; and the command is answered. Nothing is shown or answered before it is in the log.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Protocol

from msgspec import Struct

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.feed import Feed, Ledger
from parlour.protocol.messages import Choices, Command, Explore, Ok, Play, Refused, Said, Say, Standing, Sync
from parlour.server.rooms import presenter
from parlour.server.rooms.attendance import Attendance
from parlour.server.rooms.audience import Audience, Follower
from parlour.server.rooms.core import Room
from parlour.server.rooms.decide import Events, back, deadline, decide, due, gone
from parlour.server.rooms.events import AnyEvent, Ended, Gone, Rematch
from parlour.server.rooms.journal import STORE_FAULTS, Desk, Journal

log = logging.getLogger(__name__)

SNAPSHOT_EVERY = 64  # events


class RollCall(Struct, frozen=True, tag_field="t", tag="roll_call"):
    """Whoever has this player, say so."""

    room: str
    seat: int


class Here(Struct, frozen=True, tag_field="t", tag="here"):
    """This player is connected to me."""

    room: str
    seat: int


class Surroundings(Desk, Protocol):
    """What a room needs of its node."""

    def now(self) -> int: ...  # milliseconds, the same on every node
    def remind(self, room: str, at: int | None) -> None: ...  # have the room looked into then, by whatever node lives
    def rematch(self, room: Room) -> None: ...  # both want another game
    def talk(self, message: Said | RollCall | Here) -> None: ...  # to the other nodes


class LiveRoom:
    """The one place on this node where a room changes."""

    def __init__(self, room: Room, node: Surroundings, load: Callable[[], Awaitable[Room | None]]) -> None:
        self._node = node
        self._load = load  # gives the room as its log has it now
        self._journal = Journal(self, node)
        self._timer: asyncio.TimerHandle | None = None
        self._ledger = Ledger()  # of what is answered without the log
        self.overheard = self._journal.overheard
        self.catch_up = self._journal.catch_up
        self._begin(room)

    def _begin(self, room: Room) -> None:
        self.room = room
        self.scene = presenter.scene(room)
        self.audience = Audience(room, self.scene, self._node.now)
        self._feed = Feed(presenter.EPOCH, room.seq)
        self._saved = room.seq  # up to where the newest snapshot goes
        self._choices: tuple[int, Choices] | None = None  # what was sent to the mover last, and at which seq
        self._attendance = Attendance(self.audience, self._ask_for, self._presence_of)
        self._set_timer()

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is under way."""
        return self._journal.is_quiet

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
        self._journal.submit(partial(self._note_presence, seat))

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
            self._journal.append(events, self.audience.presence_soon, lambda _: None, again)

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
            case _ if self._journal.is_full:
                _refuse(follower, command, Refusal(ErrorCode.TRY_AGAIN, "The room is waiting for its store."))
            case _:
                self._journal.submit(partial(self._carry_out, follower, command))

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
                self._journal.append(events, then, fail)
            else:
                then()

        self._journal.submit(run)

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
            self._journal.append(overdue, again, partial(_refuse, follower, command), again)
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

        self._journal.append(events, done, partial(_refuse, follower, command), again)

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

    # -- what follows from an event

    def fold(self, event: AnyEvent, room: Room) -> None:
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
            self._journal.later(partial(self._note_presence, event.seat))  # another node thought so, and was wrong

    async def begin_anew(self) -> None:
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

    def settled(self) -> None:
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
        if room.to_move is None or room.seat_of(follower.player) != room.to_move:
            return
        if self._choices is None or self._choices[0] != room.seq:
            self._choices = (room.seq, presenter.choices(room))  # the same for every connection of the mover
        follower.send(self._choices[1])

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
