"""The subscribers of a room on this node, and everything they are sent: updates, snapshots, choices, presence."""

from __future__ import annotations

from asyncio import TimerHandle
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from time import monotonic
from typing import Any, Protocol

from msgspec import Struct

from parlour.protocol.codec import MSGPACK
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import (
    Command,
    Cursor,
    Describe,
    Described,
    Explore,
    Message,
    Moved,
    Ok,
    Presence,
    Refused,
)
from parlour.protocol.replica import Update
from parlour.protocol.scene import Scene
from parlour.protocol.update_buffer import UpdateBuffer
from parlour.server.connections.broadcast import BroadcastGroup
from parlour.server.connections.connection import Connection
from parlour.server.connections.frames import Broadcast, encode_frame, translated
from parlour.server.metrics import Metrics
from parlour.server.restrictions import Restriction
from parlour.server.rooms import view
from parlour.server.rooms.commands import abort_in, claim_in
from parlour.server.rooms.events import AnyEvent
from parlour.server.rooms.state import RoomState
from parlour.server.store.block_lists import BlockLists

SMALL_AUDIENCE = 8  # subscribers up to which an update is coalesced with whatever else each of them is sent
PRESENCE_EVERY = 1.0  # seconds between two announcements, however many subscribers come and go


class Subscriber(Protocol):
    """A session in a room, as the room sees it."""

    @property
    def player(self) -> str: ...
    @property
    def session_id(self) -> str: ...  # within which the ids of commands are unique
    @property
    def name(self) -> str: ...
    @property
    def lag(self) -> int: ...  # milliseconds from the client to this node
    @property
    def wants_choices(self) -> bool: ...  # with each turn
    @property
    def connection(self) -> Connection: ...  # for what all subscribers receive
    def send(self, message: Message | Moved) -> None: ...
    def mark_for_resend(self, room: str) -> None: ...  # an update was dropped: the whole room is sent later
    @property
    def muted(self) -> Restriction | None: ...  # by an operator
    @property
    def block_lists(self) -> BlockLists: ...  # whose chat the player does not get


class Timers(Protocol):
    """What subscribers need of the node."""

    metrics: Metrics

    def now(self) -> int: ...
    def call_later(self, seconds: float, callback: Callable[[], None]) -> TimerHandle: ...


class Moment(Struct, frozen=True):
    """A room at a past time, and the update that led to it."""

    at: int
    state: RoomState
    scene: Scene
    update: Update | None = None


class DelayedUpdate(Struct, frozen=True):
    """An update that spectators may see later, and the room after it."""

    shown_at: int
    update: Broadcast
    state: RoomState
    scene: Scene


class PreparedUpdate(Struct, frozen=True, gc=False):
    """An update for every subscriber, and the scene after it."""

    broadcast: Broadcast
    scene: Scene


class Subscribers:
    """Players see the room as it is. Spectators of a room with a delay see it as it was, until the game is over."""

    def __init__(self, state: RoomState, context: Timers) -> None:
        self.state = state
        self.scene = view.scene(state)
        self.idle_since: float | None = monotonic()  # when the last subscriber left; None while there are any
        self._context = context
        self._metrics = context.metrics
        self._connections: dict[Subscriber, Connection] = {}
        self._group = BroadcastGroup()  # of the same connections, for a large audience
        self._of_player: dict[str, tuple[Subscriber, ...]] = {}
        self._recent: UpdateBuffer[bytes] = UpdateBuffer(view.EPOCH, state.seq)  # frames, to resume from
        self._choices = b""  # the frame for the player to move
        self._choices_of: tuple[int, Any] = (-1, None)  # the ply and the position that they belong to
        self._presence_timer: TimerHandle | None = None
        self._delayed_view: tuple[RoomState, Scene] | None = None  # what spectators see, if not the present
        self._delayed: deque[DelayedUpdate] = deque()
        self._release_timer: TimerHandle | None = None

    # -- coming and going

    @property
    def all(self) -> Iterable[Subscriber]:
        return self._connections.keys()

    def stay_open(self) -> None:
        """Start the time without subscribers again: one is about to be added."""
        if self.idle_since is not None:
            self.idle_since = monotonic()

    def add(self, subscriber: Subscriber) -> None:
        """Add a subscriber; adding it again changes nothing."""
        self.idle_since = None
        if subscriber not in self._connections:
            self._connections[subscriber] = subscriber.connection
            self._group.add(subscriber.connection)
            self._of_player[subscriber.player] = (*self._of_player.get(subscriber.player, ()), subscriber)

    def remove(self, subscriber: Subscriber) -> bool:
        """Remove a subscriber; return whether it was one."""
        if self._connections.pop(subscriber, None) is None:
            return False
        self._group.remove(subscriber.connection)
        others = tuple(one for one in self._of_player[subscriber.player] if one is not subscriber)
        if others:
            self._of_player[subscriber.player] = others
        else:
            del self._of_player[subscriber.player]
        if not self._connections:
            self.idle_since = monotonic()
        return True

    def of_seat(self, seat: int) -> Sequence[Subscriber]:
        """Return the subscribers of the player in a seat."""
        return self._of_player.get(self.state.players[seat].id, ())

    @property
    def spectators(self) -> int:
        return len(self._connections) - len(self.of_seat(0)) - len(self.of_seat(1))

    # -- what they see

    @property
    def public_view(self) -> tuple[RoomState, Scene]:
        """The room as spectators may see it."""
        return (self.state, self.scene) if self._delayed_view is None else self._delayed_view

    def is_delayed(self, subscriber: Subscriber) -> bool:
        """Return whether this subscriber sees the room with a delay."""
        return self.state.delay > 0 and self.state.status != "over" and self.state.seat_of(subscriber.player) is None

    def view(self, subscriber: Subscriber) -> tuple[RoomState, Scene]:
        """Return the room as this subscriber may see it."""
        return self.public_view if self.is_delayed(subscriber) else (self.state, self.scene)

    def cursor(self, subscriber: Subscriber) -> Cursor:
        """Return how far this subscriber has been sent the room."""
        return Cursor(self.state.id, view.EPOCH, self.view(subscriber)[0].seq)

    def send_snapshot(self, subscriber: Subscriber, id: int | None = None) -> None:
        """Send the whole room, as far as this subscriber may see it; `id` is that of the command that asked."""
        state, scene = self.view(subscriber)
        seat = state.seat_of(subscriber.player)
        subscriber.send(view.snapshot(state, scene, seat, self.spectators, self._context.now(), id))
        self.send_choices(subscriber)

    def resume(self, subscriber: Subscriber, cursor: Cursor, id: int | None) -> None:
        """Send what a subscriber has missed since a known point, or the whole room."""
        missed = None if self.is_delayed(subscriber) else self._recent.since(cursor)
        self._metrics.resumes["snapshot" if missed is None else "range"] += 1
        if missed is None:
            self.send_snapshot(subscriber, id)
            return
        for frame in missed:
            _put(subscriber, frame)
        if id is not None:
            subscriber.send(Ok(id=id, seq=self.state.seq, epoch=view.EPOCH))
        self.send_choices(subscriber)

    # -- choices

    def send_choices(self, subscriber: Subscriber) -> None:
        """Send what may be picked, if it is the subscriber's turn and it wants to know."""
        state = self.state
        if not subscriber.wants_choices or state.to_move is None or state.seat_of(subscriber.player) != state.to_move:
            return
        ply, position = self._choices_of
        if ply != state.ply or position is not state.state:
            self._choices, self._choices_of = encode_frame(MSGPACK, view.choices(state)), (state.ply, state.state)
        _put(subscriber, self._choices)

    def query(self, subscriber: Subscriber, command: Explore | Describe) -> None:
        """Reply to a command that changes nothing."""
        if isinstance(command, Explore):
            self.explore(subscriber, command)
        else:
            self.describe(subscriber, command)

    def explore(self, subscriber: Subscriber, command: Explore) -> None:
        """Reply with what may be picked after some picks."""
        state = self.state
        try:
            if command.ply != state.ply:
                raise Refusal(ErrorCode.STALE_PLY, "The game has moved on since.")
            if state.to_move is None or state.seat_of(subscriber.player) != state.to_move:
                raise Refusal(ErrorCode.NOT_YOUR_TURN, "Only the player to move can explore further picks.")
            for made, pick in enumerate(command.picks):
                if pick not in state.rules.steps(state.state, command.picks[:made]):
                    raise Refusal(ErrorCode.MOVE_ILLEGAL, "These picks cannot be made.")
        except Refusal as refusal:
            refuse(subscriber, command, refusal)
        else:
            _put(subscriber, encode_frame(MSGPACK, view.choices(state, tuple(command.picks), command.id)))

    def describe(self, subscriber: Subscriber, command: Describe) -> None:
        """Reply with a move in words, as far as this subscriber may see the room."""
        state, scene = self.view(subscriber)
        try:
            text, change = view.described(state, scene, state.seat_of(subscriber.player), command.ply, command.picks)
        except Refusal as refusal:
            refuse(subscriber, command, refusal)
        else:
            subscriber.send(Described(id=command.id, room=state.id, ply=command.ply, text=text, change=change))

    # -- updates

    def prepare(self, event: AnyEvent, state: RoomState) -> PreparedUpdate:
        """Return the update for the next event, which leads to that state."""
        update, scene = view.update(self.scene, state, event)
        return PreparedUpdate(Broadcast(update), scene)

    def publish(self, state: RoomState, update: PreparedUpdate) -> None:
        """Send the update that leads to a state to every subscriber that may see it now; keep it for the others."""
        broadcast, scene = update.broadcast, update.scene
        self._recent.add(state.seq, broadcast[MSGPACK])
        if state.delay and state.status != "over":
            self._delayed_view = self.public_view
            self.state, self.scene = state, scene
            self._delayed.append(DelayedUpdate(self._context.now() + state.delay, broadcast, state, scene))
            self._set_release_timer()
            self._send_to([each for seat in (0, 1) for each in self.of_seat(seat)], broadcast)
            return
        self.state, self.scene = state, scene
        if self._delayed:
            self._release(everything=True)
        self._delayed_view = None
        self.send_to_all(broadcast)

    def send_to_all(self, message: Broadcast) -> None:
        """Send to every subscriber. One that cannot take it now is sent the whole room later."""
        connections = self._connections
        if len(connections) <= SMALL_AUDIENCE:
            dropped = [each for each, connection in connections.items() if not connection.write(message)]
        else:
            started = monotonic()
            full = self._group.write(message)
            self._metrics.fan_out_seconds.observe(monotonic() - started)
            dropped = [each for each, connection in connections.items() if connection in full] if full else []
        self._metrics.updates_delivered += len(connections) - len(dropped)
        if dropped:
            self._mark_for_resend(dropped)

    def send_chat(self, line: Broadcast, author: str, to_players: bool = True) -> None:
        """Send a line of chat to every subscriber that may see it and has not blocked or muted its author."""
        readers = [each for each in self.all if author not in each.block_lists.hidden]
        if not to_players:
            readers = [each for each in readers if self.state.seat_of(each.player) is None]
        if len(readers) == len(self._connections):
            self.send_to_all(line)
        else:
            self._send_to(readers, line)

    def _send_to(self, subscribers: Sequence[Subscriber], message: Broadcast) -> None:
        dropped = [subscriber for subscriber in subscribers if not subscriber.connection.write(message)]
        self._metrics.updates_delivered += len(subscribers) - len(dropped)
        self._mark_for_resend(dropped)

    def _mark_for_resend(self, subscribers: Sequence[Subscriber]) -> None:
        self._metrics.updates_dropped += len(subscribers)
        for subscriber in subscribers:
            subscriber.mark_for_resend(self.state.id)

    # -- presence

    def announce_presence(self) -> None:
        """Tell every subscriber shortly which players are online and how many spectators there are."""
        if self._presence_timer is None:
            self._presence_timer = self._context.call_later(PRESENCE_EVERY, self._send_presence)

    def _send_presence(self) -> None:
        self._presence_timer = None
        state, now = self.state, self._context.now()
        online = tuple(since is None for since in state.offline_since)
        waits = [wait for seat in (0, 1) if (wait := claim_in(state, seat, now)) is not None]
        self.send_to_all(
            Broadcast(
                Presence(
                    room=state.id,
                    online=online,
                    spectators=self.spectators,
                    claim_in=min(waits, default=None),
                    abort_in=abort_in(state, now),
                )
            )
        )

    # -- delayed spectators

    def delay(self, shown: Moment, since: Sequence[Moment]) -> None:
        """Let spectators see the room as it was, and later what has happened since."""
        self._delayed_view = (shown.state, shown.scene)
        for moment in since:
            assert moment.update is not None
            shown_at = moment.at + moment.state.delay
            self._delayed.append(DelayedUpdate(shown_at, Broadcast(moment.update), moment.state, moment.scene))
        self._set_release_timer()

    def _set_release_timer(self) -> None:
        if self._release_timer is None and self._delayed:
            wait = max(0, self._delayed[0].shown_at - self._context.now()) / 1000
            self._release_timer = self._context.call_later(wait, self._release)

    def _release(self, everything: bool = False) -> None:
        """Show spectators what is old enough by now."""
        _cancel(self._release_timer)
        self._release_timer = None
        while self._delayed and (everything or self._delayed[0].shown_at <= self._context.now()):
            delayed = self._delayed.popleft()
            self._delayed_view = (delayed.state, delayed.scene)
            spectators = [each for each in self.all if delayed.state.seat_of(each.player) is None]
            self._send_to(spectators, delayed.update)
        self._set_release_timer()

    def close(self) -> None:
        """Stop all timers and forget the connections."""
        _cancel(self._presence_timer)
        _cancel(self._release_timer)
        for connection in self._connections.values():
            self._group.remove(connection)


def refuse(subscriber: Subscriber, command: Command, refusal: Refusal) -> None:
    """Reply that a command was refused, and why."""
    after = refusal.retry_after
    subscriber.send(Refused(code=refusal.code, text=refusal.sentence, id=command.id, retry_after=after))


def log_context(subscriber: Subscriber, command: Command) -> dict[str, object]:
    """Return the fields of a log line about a command, by which the lines about the same one are found."""
    room = getattr(command, "room", None)
    return {"room": room, "player": subscriber.player, "session": subscriber.session_id, "command": command.id}


def _put(subscriber: Subscriber, frame: bytes) -> None:
    """Send a frame that was encoded with `MSGPACK`."""
    connection = subscriber.connection
    connection.put(translated(frame, connection.codec))


def _cancel(timer: TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
