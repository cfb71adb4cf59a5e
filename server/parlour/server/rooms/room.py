"""A room that is open on this node: everything that happens between a command and its reply.

`_handle` is the path of a command, top to bottom: decide, commit, on conflict catch up and decide again, apply,
publish, reply. Nothing is published or acknowledged before it is in the log. Waiting is an effect that a generator
yields (`effects.py`); `WorkQueue` performs it and resumes the generator with the outcome.
"""

from __future__ import annotations

import logging
from asyncio import TimerHandle
from collections.abc import Awaitable, Callable, Sequence
from time import monotonic

from parlour.protocol.codec import MSGPACK
from parlour.protocol.command_digest import command_digest, id_reused
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Command, Cursor, Describe, Explore, Ok, Play, Rated, Say, Sync
from parlour.server.connections.frames import Broadcast, RelayedBroadcast
from parlour.server.rooms import view
from parlour.server.rooms.chat import Chat
from parlour.server.rooms.commands import Events, deadline, decide, decide_move, disconnect, expire, reconnect
from parlour.server.rooms.context import ChatLine, PlayerHere, RoomContext, WhoHasPlayer
from parlour.server.rooms.deadline_timer import DeadlineTimer
from parlour.server.rooms.effects import Append, ReadLog, Reload, Sleep, Step, Work
from parlour.server.rooms.events import AnyEvent, Closed, Disconnected, Ended, Played, Rematch, decode, encode
from parlour.server.rooms.outage_tracker import OutageTracker
from parlour.server.rooms.presence_check import PresenceCheck
from parlour.server.rooms.state import RoomState, Transition, evolve, transitions
from parlour.server.rooms.subscribers import PreparedUpdate, Subscriber, Subscribers, log_context, refuse
from parlour.server.rooms.work_queue import WorkQueue
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.room_log import Appended, Entry, read_published

logger = logging.getLogger(__name__)

Rule = Callable[[RoomState, int], Events]  # what should happen in this state at this time

# Events before the first snapshot. A snapshot holds the whole game, so each further one waits for as many again.
FIRST_SNAPSHOT = 64

RETRY_AFTER = 0.1  # seconds between attempts to learn what became of an append
VERIFY_WITHIN = 5.0  # seconds for all of them
# Seconds before each further attempt to append while the store answers but takes no events.
APPEND_PAUSES = (0.1, 0.2, 0.4, 0.8, 1.0, 1.0, 1.0)
CATCH_UP_AGAIN_AFTER = 0.5  # seconds, when the log could not be read
SETTLE_WITHIN = 250  # milliseconds until a room whose clock has run out asks again whether the player was served
FINISH_WITHIN = 5_000  # milliseconds after a game until another node makes sure that it is rated and archived

STORE_SILENT = Refusal(ErrorCode.TRY_AGAIN, "The server cannot reach its store at the moment. It keeps trying.")
UNSETTLED = Refusal(ErrorCode.TRY_AGAIN, "Your server may have lost you some time. Send the same command again.")


class Room:
    """The only place on this node where a room changes."""

    def __init__(self, state: RoomState, context: RoomContext, load: Callable[[], Awaitable[RoomState | None]]) -> None:
        self._context = context
        self._heartbeat = context.heartbeat
        self._metrics = context.metrics
        self._work = WorkQueue(state.id, context, load)
        self._timer = DeadlineTimer(context, self.check_deadlines)
        self._wake_at = 0  # when the store will have a node check this room, see `Deadlines`
        self._failed_appends = 0  # in a row
        self._retry: TimerHandle | None = None  # of a catch-up that failed
        self._start(state)

    def _start(self, state: RoomState) -> None:
        self.state = state
        self._last_event: AnyEvent | None = None  # in the log as this room knows it
        self._last_was_relayed = False  # whether that came from another node
        self.subscribers = Subscribers(state, self._context)
        self.chat = Chat(state.id, self.subscribers, self._context)
        # Only commands with an id up to these can have been processed before.
        self._highest_ids = state.highest_command_ids()
        self._snapshot_at = max(FIRST_SNAPSHOT, 2 * state.seq)  # the seq at which a snapshot is saved
        self._outages = OutageTracker(self._context)
        self._presence = PresenceCheck(
            self.subscribers, self._context, lambda seat: self._work.submit(self._record_presence(seat))
        )
        self._due_at = deadline(state)
        self._has_bot = any(each.level is not None for each in state.players)
        self._timer.set(self._due_at, self._bot_to_move)

    @property
    def _bot_to_move(self) -> bool:
        """Whether a bot should think. Bots that play each other outside of tournaments wait for a subscriber."""
        state = self.state
        has_turn = self._has_bot and state.level_to_move is not None
        return has_turn and (bool(state.people or state.tournament) or self.subscribers.idle_since is None)

    @property
    def is_idle(self) -> bool:
        """Whether no work is running or queued."""
        return self._work.is_idle

    # -- subscribers

    def join(self, subscriber: Subscriber, id: int | None) -> None:
        """Subscribe; the whole room is sent."""
        self.subscribers.add(subscriber)
        self.subscribers.send_snapshot(subscriber, id)
        self.chat.send_history(subscriber)
        self._attendance_changed(subscriber)

    def resume(self, subscriber: Subscriber, cursor: Cursor, id: int | None = None) -> None:
        """Subscribe, or stay subscribed, from a known point: what was missed is sent, or the whole room."""
        self.subscribers.add(subscriber)
        self.subscribers.resume(subscriber, cursor, id)
        self._attendance_changed(subscriber)

    def leave(self, subscriber: Subscriber) -> None:
        """Unsubscribe. The log records when a player's last connection is lost."""
        if self.subscribers.remove(subscriber):
            self._attendance_changed(subscriber)

    def _attendance_changed(self, subscriber: Subscriber) -> None:
        if self._bot_to_move and not self.state.people:
            self.check_deadlines()  # a game between bots goes on while it has subscribers
        seat = self.state.seat_of(subscriber.player)
        if seat is None or self.state.ply < len(self.state.players):  # players are told how long they have to begin
            self.subscribers.announce_presence()
        if seat is None:
            return
        if self.state.status != "over":
            is_here = bool(self.subscribers.of_seat(seat))
            self._context.seat_nodes.record(self.state.id, subscriber.player, is_here, self._context.now())
        self._presence.changed(seat)

    # -- the path of a command

    def command(self, subscriber: Subscriber, command: Command) -> None:
        """Process a subscriber's command, after everything submitted before it."""
        if type(command) is Sync:
            self.resume(subscriber, Cursor(command.room, command.epoch, command.seq), command.id)
        elif type(command) is Explore or type(command) is Describe:
            self.subscribers.query(subscriber, command)
        elif type(command) is Say:
            self.chat.say(subscriber, command)
        elif self._work.is_full:
            refuse(subscriber, command, Refusal(ErrorCode.TRY_AGAIN, "The room is waiting for its store."))
        else:
            self._work.submit(self._handle(subscriber, command))

    def _handle(self, subscriber: Subscriber, command: Command) -> Work:
        """Execute a command and reply."""
        received = monotonic()
        try:
            seq = yield from self._execute(subscriber, command)
            subscriber.send(Ok(id=command.id, seq=seq, epoch=view.EPOCH))
        except Refusal as refusal:
            refuse(subscriber, command, refusal)
        except StoreUnavailable:
            refuse(subscriber, command, STORE_SILENT)
        except Exception:  # usually a bug in a game: nothing has happened, and the room carries on
            logger.exception("%s failed", type(command).__name__, extra=log_context(subscriber, command))
            refuse(subscriber, command, Refusal(ErrorCode.INTERNAL, ErrorCode.INTERNAL.meaning))
        self._metrics.command_seconds.observe(monotonic() - received)

    def _execute(self, subscriber: Subscriber, command: Command) -> Step[int]:
        """Decide and commit, again after each conflict; return the seq of the resulting event."""
        player, session, lag = subscriber.player, subscriber.session_id, subscriber.lag
        while True:
            state = self.state
            if command.id <= self._highest_ids.get((player, session), -1):
                done = state.find_processed(player, session, command.id)
                if done is not None:
                    if done.digest != command_digest(command):
                        raise id_reused()
                    return done.seq  # sent again, and executed before
            now = self._context.now()
            if not self._knows_outages(now):
                yield from self._excuse_outages(now)
                continue
            if self._due_at is not None and now >= self._due_at - state.lag_cap:
                is_movers = isinstance(command, Play) and state.seat_of(player) == state.times.running
                expired = expire(state, now, lag) if is_movers else expire(state, now)
                if expired and (yield from self._outages.is_settled(state)):
                    yield from self._commit(transitions(state, expired))
                    continue
                if expired and is_movers:
                    raise UNSETTLED
            if isinstance(command, Play):
                decided = decide_move(state, player, command, now, lag, session)
            else:
                decided = transitions(state, decide(state, player, command, now, session=session))
            if (yield from self._commit(decided)):
                return decided[0][1].seq

    def _commit(self, decided: Sequence[Transition]) -> Step[bool]:
        """Append events to the log and, once they are there, apply and publish them.

        Return False if another node was first: this room has caught up, and the caller has to decide again. Raise
        StoreUnavailable if the store did not answer; the client may then send the same command again.
        """
        event, after = decided[-1]
        due_at = deadline(after)
        wake_at = event.at + FINISH_WITHIN if type(event) is Ended or type(event) is Closed else due_at
        if wake_at is not None and event.at < self._wake_at <= wake_at:
            wake_at = None  # the store already has an earlier time, which does as well
        update, frame = None, b""
        if self._last_was_relayed and len(decided) == 1:
            # The opponent is on that node, which is spared computing the update.
            update = self.subscribers.prepare(event, after)
            frame = update.broadcast[MSGPACK]
        started = monotonic()
        outcome = yield Append(self.state.seq + 1, [encode(event) for event, _ in decided], wake_at, frame)
        self._metrics.append_seconds.observe(monotonic() - started)
        self._metrics.appends[outcome] += 1
        if outcome is Appended.UNKNOWN:
            return (yield from self._verify(decided))
        self._failed_appends = 0
        if outcome is Appended.CONFLICT:
            try:
                yield from self._catch_up()
            except StoreUnavailable:
                self._retry = self._context.call_later(CATCH_UP_AGAIN_AFTER, self.catch_up)
            return False
        if wake_at is not None:
            self._wake_at = wake_at
        try:
            for each, state in decided:
                self._apply(each, state, update)
            self._last_was_relayed = False
            self._publish_turn(due_at)
        except Exception:
            # Usually a bug in a game. The room stays usable: clients see from the numbers that they miss an update.
            logger.exception("an event could not be published", extra={"room": self.state.id})
            raise Refusal(ErrorCode.INTERNAL, ErrorCode.INTERNAL.meaning) from None
        if after.offline_since != (None, None):
            self._context.tell_absent_players(after, event)
        if type(event) is Ended:
            self._metrics.games_ended[after.game, event.result.reason] += 1
        return True

    def _verify(self, decided: Sequence[Transition]) -> Step[bool]:
        """Find out whether an append without a reply is in the log; return False if it is not."""
        first_seq = self.state.seq + 1
        give_up_at = monotonic() + VERIFY_WITHIN
        while True:
            try:
                found = yield from self._catch_up()
                break
            except StoreUnavailable:
                if monotonic() > give_up_at:
                    raise
                yield Sleep(RETRY_AFTER)
        if all(found.get(seq) == encode(event) for seq, (event, _) in enumerate(decided, first_seq)):
            self._failed_appends = 0
            self._context.tell_absent_players(self.state, decided[-1][0])
            return True
        # The store answers reads but did not take the events: it may be loading, or full.
        if self._failed_appends == len(APPEND_PAUSES):
            raise StoreUnavailable("the store accepts no writes")
        yield Sleep(APPEND_PAUSES[self._failed_appends])
        self._failed_appends += 1
        return False

    def _catch_up(self) -> Step[dict[int, bytes]]:
        """Apply and publish what other nodes have appended; return those entries by seq."""
        # The read begins with the last event known here: if it is missing or another one, the store has lost the log.
        entries = yield ReadLog(self.state.seq - 1)
        is_other = bool(entries) and self._last_event is not None and entries[0][1] != encode(self._last_event)
        if not entries or is_other:
            yield from self._reload(is_other)
            return {}
        if missed := entries[1:]:
            self._metrics.gaps_repaired += 1
            self._apply_entries(missed)
        return dict(missed)

    def _reload(self, is_other: bool) -> Step[None]:
        """Continue from whatever the store has, another log or less of it, and send it to every subscriber."""
        state = yield Reload()
        if state is not None and state.seq == self.state.seq and not is_other:
            return  # nothing is lost: the game was archived
        self._metrics.logs_lost += 1
        logger.error("the store has lost the end of a log", extra={"room": self.state.id})
        if state is None:
            raise Refusal(ErrorCode.ROOM_UNKNOWN, "The store has lost this room.")
        subscribers, history = self.subscribers, self.chat.history
        self._presence.close()
        subscribers.close()
        self._start(state)
        self.subscribers.idle_since, self.chat.history = subscribers.idle_since, history
        for subscriber in subscribers.all:
            self.subscribers.add(subscriber)
            self.subscribers.send_snapshot(subscriber)
            self._attendance_changed(subscriber)

    # -- applying and publishing events

    def _apply(self, event: AnyEvent, state: RoomState, update: PreparedUpdate | None = None) -> None:
        """Take over the state after a committed event, and send the update to every subscriber."""
        self.state = state
        self._last_event = event
        self.subscribers.publish(state, update or self.subscribers.prepare(event, state))
        sender, id = (getattr(event, "by", ""), getattr(event, "session", "")), getattr(event, "id", -1)
        if id > self._highest_ids.get(sender, -1):
            self._highest_ids[sender] = id
        if type(event) is Played:
            self._metrics.moves[state.game] += 1
            if state.plies.length <= len(state.players):
                self.subscribers.announce_presence()  # how long there is for the other first move
        elif isinstance(event, Ended):
            logger.info("the game is over: %s", event.result.reason, extra={"room": state.id})
            self.chat.release()
            self._context.finish(state)
        elif isinstance(event, Rematch):
            self._context.start_rematch(state)
        elif isinstance(event, Disconnected) and self.subscribers.of_seat(event.seat):
            self._presence.changed(event.seat)  # another node thought so, and was wrong

    def _apply_entries(self, entries: Sequence[Entry], frame: bytes = b"") -> None:
        """Apply and publish what another node has appended; `frame` is the update of the only entry, if it is known."""
        for seq, entry in entries:
            if seq == self.state.seq + 1:
                event = decode(entry)
                state = evolve(self.state, event)
                update = PreparedUpdate(RelayedBroadcast(frame), view.scene(state)) if frame else None
                self._apply(event, state, update)
        self._last_was_relayed = True
        self._publish_turn(deadline(self.state))

    def _publish_turn(self, due_at: int | None) -> None:
        """After the last of some events: offer the player to move its choices, and arm the timer."""
        state = self.state
        bot_to_move = self._bot_to_move
        if bot_to_move:
            self._context.request_move(state)
        elif state.to_move is not None:
            for subscriber in self.subscribers.of_seat(state.to_move):
                self.subscribers.send_choices(subscriber)
        self._due_at = due_at
        if due_at is not None and due_at < self._timer.fires_at:
            self._timer.set(due_at, bot_to_move)
        if state.seq >= self._snapshot_at:
            self._snapshot_at = max(FIRST_SNAPSHOT, 2 * state.seq)
            self._context.save_snapshot(state)

    # -- changes that no client asked for

    async def change(self, rule: Rule) -> None:
        """Apply a rule of the node itself. Raise Refusal or StoreUnavailable."""
        await self._work.run(self._apply_rule(rule))

    def _apply_rule(self, rule: Rule) -> Step[None]:
        """Commit what a rule demands of the current state, if anything."""
        while True:
            now = yield from self._excuse_all()
            events = rule(self.state, now)
            if not events or (yield from self._commit(transitions(self.state, events))):
                return

    def check_deadlines(self) -> None:
        """Commit what has become due, and plan the next check."""
        self._work.submit(self._check_deadlines())

    def _check_deadlines(self) -> Work:
        try:
            now = yield from self._excuse_all()
            settled = not expire(self.state, now) or (yield from self._outages.is_settled(self.state))
            if settled:
                yield from self._apply_rule(expire)
        except (Refusal, StoreUnavailable):
            return  # the store has another node check the room
        if self._bot_to_move:
            self._context.request_move(self.state)  # the node that should have done so may have died
        check_at = self._timer.set(self._due_at if settled else self._context.now() + SETTLE_WITHIN, self._bot_to_move)
        if self.state.status != "over":  # then the archive decides
            self._context.schedule_check(self.state.id, check_at)

    def _record_presence(self, seat: int) -> Work:
        """Commit whether a player is connected, if the log says otherwise."""
        try:
            while True:
                change = reconnect if self.subscribers.of_seat(seat) else disconnect
                events = change(self.state, seat, self._context.now())
                if not events:
                    return
                if (yield from self._commit(transitions(self.state, events))):
                    self.subscribers.announce_presence()
                    return
        except (Refusal, StoreUnavailable):
            return  # `PresenceCheck` asks again

    # -- time that does not count

    def _knows_outages(self, now: int) -> bool:
        """Whether every outage up to now is known, and excused in this room."""
        return now <= self._heartbeat.known_until and self._heartbeat.last_outage_end <= self._outages.considered_until

    def _excuse_all(self) -> Step[int]:
        """Excuse every outage up to now, and return that time."""
        while not self._knows_outages(now := self._context.now()):
            yield from self._excuse_outages(now)
        return now

    def _excuse_outages(self, now: int) -> Step[None]:
        """Learn of outages, or record one that fell into this turn."""
        events = yield from self._outages.excuses(self.state, now)
        if events:
            yield from self._commit(transitions(self.state, events))

    # -- from other nodes

    def receive_published(self, message: bytes) -> None:
        """Apply entries that another node has appended."""
        self._work.submit(self._receive_published(message))

    def _receive_published(self, message: bytes) -> Work:
        first_seq, entries, frame = read_published(message)
        if first_seq > self.state.seq + 1:
            yield from self._catch_up_or_retry()
        elif first_seq + len(entries) > self.state.seq + 1:
            self._apply_entries(list(enumerate(entries, first_seq)), frame)

    def catch_up(self) -> None:
        """Read the log: messages from other nodes may have been missed."""
        self._work.submit(self._catch_up_or_retry())

    def _catch_up_or_retry(self) -> Work:
        try:
            yield from self._catch_up()
        except StoreUnavailable:  # pub/sub may be back before the pipeline, and these entries are announced only once
            self._retry = self._context.call_later(CATCH_UP_AGAIN_AFTER, self.catch_up)
        except Refusal:
            pass  # the store has lost the room; clients learn it with their next command

    def receive(self, message: ChatLine | Rated | WhoHasPlayer | PlayerHere) -> None:
        """Handle a message of another node that is not part of the log."""
        match message:
            case ChatLine():
                self.chat.receive(message)
            case Rated():
                self.subscribers.send_to_all(Broadcast(message))
            case WhoHasPlayer() if self.subscribers.of_seat(message.seat):
                self._context.tell_nodes(PlayerHere(room=self.state.id, seat=message.seat))
            case PlayerHere():
                self._presence.answered(message.seat)

    # -- the end

    def close(self) -> None:
        """Stop all timers; the log has everything."""
        self.subscribers.close()
        self._presence.close()
        self._timer.end()
        if self._retry is not None:
            self._retry.cancel()
