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
from time import monotonic
from typing import Any

from parlour.protocol.codec import MSGPACK
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.feed import Feed, Ledger
from parlour.protocol.messages import Choices, Command, Explore, Ok, Play, Rated, Refused, Said, Say, Standing, Sync
from parlour.server.rooms import presenter
from parlour.server.rooms.attendance import Attendance
from parlour.server.rooms.audience import Audience, Follower
from parlour.server.rooms.clock import LAG_CAP
from parlour.server.rooms.core import Room, steps
from parlour.server.rooms.decide import THINKS_WITHIN, Events, back, deadline, decide, due, excuse, gone, play
from parlour.server.rooms.events import AnyEvent, Ended, Gone, Played, Rematch
from parlour.server.rooms.journal import STORE_FAULTS, Act, Change, Journal
from parlour.server.rooms.surroundings import Here, RollCall, Surroundings
from parlour.server.transport.frames import Broadcast, translated

log = logging.getLogger(__name__)

# Events after which the first snapshot is taken. It holds the whole game, so each further one waits for as many again.
FIRST_SNAPSHOT = 64


class Order(Change):
    """A command on its way through a room."""

    __slots__ = ("came", "command", "follower", "is_play", "room")

    def __init__(self, room: LiveRoom, follower: Follower, command: Command) -> None:
        self.room = room
        self.follower = follower
        self.command = command
        self.is_play = type(command) is Play  # these are so many that they are timed here, and not by the visitor
        self.came = monotonic()

    def stored(self) -> None:
        self.accept(self.steps[0][1].seq)

    def accept(self, seq: int) -> None:
        patient = self.is_play and not self.follower.wants_choices  # see `Audience.tell`
        self.follower.send(Ok(id=self.command.id, seq=seq), patient)
        if self.is_play:
            self.room.command_seconds.observe(monotonic() - self.came)

    def failed(self, refusal: Refusal) -> None:
        _refuse(self.follower, self.command, refusal)
        if self.is_play:
            self.room.command_seconds.observe(monotonic() - self.came)

    def again(self) -> None:
        self.room.carry_out(self)


class LiveRoom:
    """The one place on this node where a room changes."""

    def __init__(self, room: Room, node: Surroundings, load: Callable[[], Awaitable[Room | None]]) -> None:
        self._node = node
        self._heartbeat = node.heartbeat
        self._metrics = node.metrics
        self.command_seconds = node.metrics.command_seconds
        self._load = load  # gives the room as its log has it now
        self._journal = Journal(self, node, room.id)
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = 0  # when it rings
        self._due_at: int | None = None  # when something becomes true by itself
        self._ledger = Ledger()  # of what is answered without the log
        self.overheard = self._journal.overheard
        self.catch_up = self._journal.catch_up
        self._begin(room)

    def _begin(self, room: Room) -> None:
        self.room = room
        self.scene = presenter.scene(room)
        self.audience = Audience(room, self.scene, self._node.now, self._node.metrics)
        self._feed: Feed[bytes] = Feed(presenter.EPOCH, room.seq)  # frames as most get them
        self._with_computer = _with_computer(room)
        # By player: only commands with these ids, or lower ones, can have been carried out already.
        self._newest = {chair.player: room.newest_id(chair.player) for chair in room.chairs if chair is not None}
        self._save_at = _next_save(room.seq)  # the number of the event after which a snapshot is taken
        self._considered = 0  # when the newest outage ended that was looked at
        self._choices: Choices | None = None  # what was sent to the mover last
        self._choices_of: Any = None  # the position in which
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
            for frame in missed:
                follower.peer.put(translated(frame, follower.peer.codec))
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

    def hear(self, message: Said | Rated | RollCall | Here) -> None:
        """Somebody, mostly another node, has something to say about this room that is in no log."""
        match message:
            case Said():
                self.audience.hear(message)
            case Rated():
                self.audience.show(message)
            case RollCall() if self.audience.of_seat(message.seat):
                self._node.talk(Here(room=self.room.id, seat=message.seat))
            case Here():
                self._attendance.answered(message.seat)

    def _note_presence(self, seat: int) -> None:
        """Put into the log whether a player is here, if the log has it otherwise."""
        change = back if self.audience.of_seat(seat) else gone
        events = change(self.room, seat, self._node.now())
        if events:
            act = Act(self.audience.presence_soon, lambda _: None, partial(self._note_presence, seat))
            self._journal.append(act, steps(self.room, events))

    # -- commands

    def play(self, follower: Follower, play: Play) -> None:
        """The same as `command`, for what comes most and has to be fast."""
        if self._journal.is_busy:
            self.command(follower, play)
        else:
            self.carry_out(Order(self, follower, play))

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
                self._journal.submit(Order(self, follower, command).again)

    def act(
        self, make: Callable[[Room, int], Events], then: Callable[[], None], fail: Callable[[Refusal], None]
    ) -> None:
        """Let the node itself change the room: `make` decides as soon as the room is free, like a command."""

        def run() -> None:
            now = self._node.now()
            if self._must_wait(now, run, fail):
                return
            try:
                events = make(self.room, now)
            except Refusal as refusal:
                fail(refusal)
                return
            if events:
                self._journal.append(Act(then, fail, run), steps(self.room, events))
            else:
                then()

        self._journal.submit(run)

    def _must_wait(self, now: int, again: Callable[[], None], fail: Callable[[Refusal], None]) -> bool:
        """Whether the log has to be told first of a time in which nobody was served; then comes `again`, or `fail`.

        Nobody may be charged with such a time, or lose by it.
        """
        heartbeat = self._heartbeat
        if now > heartbeat.sure_until:
            self._journal.wait(heartbeat.catch_up, again, fail)
            return True
        if heartbeat.newest <= self._considered:
            return False
        events = excuse(self.room, heartbeat.outages, now)
        if events:
            self._journal.append(Act(again, fail, again), steps(self.room, events))
        else:
            self._considered = heartbeat.newest
        return bool(events)

    def carry_out(self, order: Order) -> None:
        """Decide on a command, now that nothing else is under way."""
        room, follower, command = self.room, order.follower, order.command
        player = follower.player
        if command.id <= self._newest.get(player, -1):
            seq = room.answered(player, command.id)
            if seq is not None:
                order.accept(seq)
                return
        now, heartbeat = self._node.now(), self._heartbeat
        is_sure = now <= heartbeat.sure_until and heartbeat.newest <= self._considered
        if not is_sure and self._must_wait(now, order.again, order.failed):
            return
        lag = follower.lag
        if self._due_at is not None and now >= self._due_at - LAG_CAP:
            is_mover = order.is_play and room.seat_of(player) == room.times.running
            overdue = due(room, now, lag) if is_mover else due(room, now)
            if overdue:
                self._journal.append(Act(order.again, order.failed, order.again), steps(room, overdue))
                return
        try:
            if type(command) is Play:
                follows = play(room, player, command, now, lag)
            else:
                follows = steps(room, decide(room, player, command, now))
            self._journal.append(order, follows)
        except Refusal as refusal:
            order.failed(refusal)
        except Exception:  # a fault of the game, as a rule: nothing has happened, and what waits here goes on
            log.exception("%s failed", type(command).__name__, extra={"room": room.id})
            order.failed(Refusal(ErrorCode.INTERNAL, ErrorCode.INTERNAL.meaning))

    def _explore(self, follower: Follower, command: Explore) -> None:
        room = self.room
        try:
            if command.ply != room.ply:
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
        update, scene = presenter.update(self.scene, room, event)
        self.scene = scene
        broadcast = Broadcast(update)
        self._feed.add(room.seq, broadcast[MSGPACK])
        if type(event) is Played:
            player, plies = event.by, room.plies
            is_next = plies.items[plies.length - 1].seat == room.to_move  # again, so that he cannot wait
            self.audience.tell(broadcast, room, scene, "" if is_next else player)
            if event.id > self._newest.get(player, -1):
                self._newest[player] = event.id
            self._metrics.moves[room.game] += 1
            return
        self._with_computer = _with_computer(room)
        self.audience.tell(broadcast, room, scene)
        player, id = getattr(event, "by", ""), getattr(event, "id", -1)
        self._newest[player] = max(id, self._newest.get(player, -1))
        if isinstance(event, Ended):
            log.info("the game is over: %s", event.result.reason, extra={"room": room.id})
            self._node.ended(room)
        elif isinstance(event, Rematch):
            self._node.rematch(room)
        elif isinstance(event, Gone) and self.audience.of_seat(event.seat):
            self._journal.later(partial(self._note_presence, event.seat))  # another node thought so, and was wrong

    async def begin_anew(self) -> None:
        """The store has lost what it had: whatever it still has is what counts, and everybody is told."""
        room = await self._load()
        if room is not None and room.seq == self.room.seq:
            return  # nothing is lost: the game was put away
        log.error("the store has lost the end of a log", extra={"room": self.room.id})
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

    def settled(self, due_at: int | None) -> None:
        """The room stands still again: tell the mover what can be picked, and set the clocks."""
        room = self.room
        if room.to_move is not None:
            for follower in self.audience.of_seat(room.to_move):
                if follower.wants_choices:
                    follower.send(self._choices_now())
            if self._with_computer and room.thinking is not None:
                self._node.think(room)
        self._due_at = due_at
        if due_at is not None and (self._timer is None or self._timer_at > due_at):
            self._set_timer()
        if room.seq >= self._save_at:
            self._save_at = _next_save(room.seq)
            self._node.run(self._save(room))

    async def _save(self, room: Room) -> None:
        """Keep a snapshot, which only makes loading faster."""
        with suppress(*STORE_FAULTS):
            await self._node.log.save_snapshot(room.id, room.seq, room.pack())

    def _send_choices(self, follower: Follower) -> None:
        room = self.room
        if room.to_move is not None and room.seat_of(follower.player) == room.to_move and follower.wants_choices:
            follower.send(self._choices_now())

    def _choices_now(self) -> Choices:
        """What the mover may pick: the same for each of its connections."""
        room = self.room
        if self._choices is None or self._choices.ply != room.plies.length or self._choices_of is not room.state:
            self._choices, self._choices_of = presenter.choices(room), room.state
        return self._choices

    def _set_timer(self) -> None:
        """Be called when somebody's time is over. The store remembers it too, in case this node is gone then."""
        at = self._next_look()
        if at is None or (self._timer is not None and self._timer_at <= at):
            return  # a timer that is too early is set again when it rings, rather than with every move
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at = at
        wait = max(0, at - self._node.now()) / 1000 + 0.005
        self._timer = asyncio.get_running_loop().call_later(wait, self._ring)

    def _ring(self) -> None:
        self._timer = None
        self.look()

    def _next_look(self) -> int | None:
        """When something is due; a computer that is late is looked at again and again, but not all the time."""
        at = self._due_at = deadline(self.room)
        if at is None or self.room.thinking is None:
            return at
        now = self._node.now()
        return now + THINKS_WITHIN if at <= now else at

    def look(self) -> None:
        """See whether something has become due, and have the room looked into again when the next thing is."""

        def looked() -> None:
            if self.room.thinking is not None:
                self._node.think(self.room)  # whoever should have asked for it may have died before
            self._set_timer()
            if self.room.status != "over":  # then it is for the archive to say
                self._node.remind(self.room.id, self._next_look())

        self.act(due, looked, lambda _: None)

    def close(self) -> None:
        """This node lets go of the room; the log has everything."""
        self.audience.close()
        self._attendance.close()
        self._journal.close()
        if self._timer is not None:
            self._timer.cancel()


def _with_computer(room: Room) -> bool:
    return any(chair is not None and chair.level is not None for chair in room.chairs)


def _next_save(seq: int) -> int:
    return max(FIRST_SNAPSHOT, 2 * seq)


def _refuse(follower: Follower, command: Command, refusal: Refusal) -> None:
    follower.send(Refused(code=refusal.code, text=refusal.sentence, id=command.id))
