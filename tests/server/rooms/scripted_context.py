"""A room without a store and without an event loop: the test decides what becomes of each effect."""

from __future__ import annotations

from asyncio import TimerHandle
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, NamedTuple, cast

from parlour.protocol.codec import MSGPACK, Codec
from parlour.protocol.messages import Message, Moved, ServerMessage, YourGame
from parlour.server.connections.connection import Connection
from parlour.server.connections.frames import Broadcast, decode_frame
from parlour.server.metrics import Metrics
from parlour.server.outages import UNKNOWN_NODES, Outage, SeatNodes
from parlour.server.restrictions import Restriction
from parlour.server.rooms import absent_players
from parlour.server.rooms.context import RoomMessage
from parlour.server.rooms.events import AnyEvent, Participant, decode, encode
from parlour.server.rooms.room import Room
from parlour.server.rooms.state import RoomState
from parlour.server.store.block_lists import NO_BLOCK_LISTS
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.room_log import Appended, Entry
from tests.server.rooms.sample_rooms import NOON


class Append(NamedTuple):
    """An append that waits for its outcome."""

    first_seq: int
    events: tuple[AnyEvent, ...]
    outcome: Callable[[Appended], None]
    deadline: int | None
    update: bytes


class ScriptedLog:
    """Appends wait for the test; reads see `entries`, or fail while `unavailable`."""

    def __init__(self, state: RoomState) -> None:
        self.appends: list[Append] = []
        self.entries: list[Entry] = [(state.seq, b"")]  # the last event that the room knows, and what follows
        self.unavailable = False

    def append(
        self,
        room: str,
        first_seq: int,
        entries: Sequence[bytes],
        on_outcome: Callable[[Appended], None],
        *,
        deadline: int | None = None,
        update: bytes = b"",
    ) -> None:
        self.appends.append(Append(first_seq, tuple(map(decode, entries)), on_outcome, deadline, update))

    def add(self, *events: AnyEvent) -> None:
        """Let another node append."""
        for event in events:
            self.entries.append((self.entries[-1][0] + 1, encode(event)))

    async def tail(self, room: str, after_seq: int) -> list[Entry]:
        if self.unavailable:
            raise StoreUnavailable("away")
        return [entry for entry in self.entries if entry[0] > after_seq]


class ScriptedHeartbeat:
    """Knows every outage, unless the test says otherwise."""

    def __init__(self) -> None:
        self.known_until = NOON * 2
        self.last_outage_end = 0
        self.outages: list[Outage] = []
        self.learned = 0
        self.beats: dict[str, int] = {}

    async def catch_up(self, until: int) -> None:
        self.learned += 1
        self.known_until = NOON * 2


class ScriptedSeatNodes:
    """Keeps what the room records; the test decides where the players are."""

    node = "here"

    def __init__(self) -> None:
        self.recorded: list[tuple[str, bool]] = []
        self.nodes: SeatNodes = UNKNOWN_NODES

    def record(self, room: str, player: str, is_here: bool, now: int) -> None:
        self.recorded.append((player, is_here))

    async def read(self, room: str, first: str, second: str) -> SeatNodes:
        return self.nodes


class ScriptedContext:
    """A node that has only the log, the heartbeat and a clock that stands still."""

    def __init__(self, state: RoomState) -> None:
        self.metrics = Metrics()
        self.log = ScriptedLog(state)
        self.room_log: Any = self.log
        self.beat = ScriptedHeartbeat()
        self.heartbeat: Any = self.beat
        self.players_at = ScriptedSeatNodes()
        self.seat_nodes: Any = self.players_at
        self.time = NOON
        self.timers: list[ScriptedTimer] = []  # in the order in which they were set
        self.told: list[RoomMessage] = []
        self.told_players: list[tuple[str, YourGame]] = []
        self.checks: list[tuple[str, int | None]] = []
        self.requested: list[RoomState] = []
        self.finished: list[RoomState] = []
        self.rematches: list[RoomState] = []
        self.snapshots: list[RoomState] = []
        self.sleeping: list[Coroutine[Any, Any, None]] = []

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run up to the end, or up to a sleep that `wake` ends."""
        try:
            work.send(None)
        except StopIteration:
            return
        self.sleeping.append(work)

    def wake(self) -> None:
        """End the sleeps."""
        sleeping, self.sleeping = self.sleeping, []
        for work in sleeping:
            self.run(work)

    def now(self) -> int:
        return self.time

    def call_later(self, seconds: float, callback: Callable[[], None]) -> TimerHandle:
        timer = ScriptedTimer(seconds, callback)
        self.timers.append(timer)
        return cast("TimerHandle", timer)

    def tell_nodes(self, message: RoomMessage) -> None:
        self.told.append(message)

    def tell_absent_players(self, state: RoomState, event: AnyEvent) -> None:
        self.told_players += absent_players.news(state, event)

    def schedule_check(self, room: str, at: int | None) -> None:
        self.checks.append((room, at))

    def request_move(self, state: RoomState) -> None:
        self.requested.append(state)

    def start_rematch(self, state: RoomState) -> None:
        self.rematches.append(state)

    def finish(self, state: RoomState) -> None:
        self.finished.append(state)

    def save_snapshot(self, state: RoomState) -> None:
        self.snapshots.append(state)


class ScriptedTimer:
    """A timer that fires when the test calls `fire`."""

    def __init__(self, seconds: float, callback: Callable[[], None]) -> None:
        self.seconds = seconds
        self.fire = callback
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True


class ScriptedConnection:
    """Keeps every message in order; drops broadcasts while `full`."""

    def __init__(self) -> None:
        self.codec: Codec = MSGPACK
        self.groups: set[object] = set()
        self.hub = None
        self.full = False
        self.messages: list[ServerMessage] = []
        self.frames: list[bytes] = []

    def write(self, broadcast: Broadcast) -> bool:
        if not self.full:
            self.put(broadcast[MSGPACK])
        return not self.full

    def put(self, frame: bytes) -> None:
        self.frames.append(frame)
        self.messages.append(decode_frame(frame))


class ScriptedSubscriber:
    """A subscriber whose received messages can be read."""

    def __init__(
        self, player: Participant, lag: int = 0, wants_choices: bool = False, session_id: str = "session"
    ) -> None:
        self.player = player.id
        self.session_id = session_id
        self.name = player.player.name
        self.lag = lag
        self.wants_choices = wants_choices
        self.wire = ScriptedConnection()
        self.connection = cast("Connection", self.wire)
        self.resends: list[str] = []
        self.muted: Restriction | None = None
        self.block_lists = NO_BLOCK_LISTS

    def send(self, message: Message | Moved) -> None:
        self.wire.messages.append(cast("ServerMessage", message))

    def mark_for_resend(self, room: str) -> None:
        self.resends.append(room)

    def take(self) -> list[ServerMessage]:
        """Return the messages since the last call."""
        messages, self.wire.messages = self.wire.messages, []
        return messages


def open_room(state: RoomState, *subscribers: ScriptedSubscriber) -> tuple[Room, ScriptedContext]:
    """Return a room with these subscribers, which have read everything so far."""
    context = ScriptedContext(state)

    async def load() -> RoomState | None:
        return None

    room = Room(state, context, load)
    for subscriber in subscribers:
        room.join(subscriber, None)
        subscriber.take()
    return room, context
