"""A model of sessions on a faulty network: no command is lost or repeated, and no replica diverges unnoticed."""

from __future__ import annotations

from collections import deque
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from msgspec.structs import replace

from parlour.protocol.codec import JSON, MSGPACK
from parlour.protocol.messages import (
    Command,
    Cursor,
    Hello,
    Join,
    Message,
    Moved,
    Ok,
    Play,
    ServerMessage,
    Sync,
)  # fmt: skip
from parlour.protocol.replica import Update
from parlour.protocol.session import ClientSession, ServerProtocol
from parlour.protocol.timing import PING_INTERVAL
from parlour.protocol.update_buffer import UpdateBuffer
from tests.protocol.counted_table import ROOM, WELCOME, Table


class Connection:
    """Two queues of frames, and the server's end of the connection."""

    def __init__(self, number: int, codec: Any) -> None:
        self.number = number
        self.codec = codec
        self.session = ServerProtocol(codec)
        self.to_server: deque[bytes] = deque()
        self.to_client: deque[bytes] = deque()
        self.following = False


class Network(RuleBasedStateMachine):
    """A client, a server and everything that can go wrong between them."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.table = Table()
        self.updates: UpdateBuffer[Update] = UpdateBuffer(1, 0, keep=3)
        self.client = ClientSession("test")
        self.connections: list[Connection] = []
        self.open: Connection | None = None
        self.wanted: dict[int, str] = {}  # command id -> the move it plays
        self.answers: dict[int, list[Message]] = {}
        self.connect(codec=MSGPACK)
        self.settle()
        self.client.send(Join(id=0, room=ROOM))
        self.settle()

    # -- actions of the user

    @rule()
    def play(self) -> None:
        text = f"move {len(self.wanted)}"
        id = self.client.send(Play(id=0, room=ROOM, ply=0, move=text))
        self.wanted[id] = text
        self.flush()

    # -- actions of the network

    @precondition(lambda self: self.open is None)
    @rule(codec=st.sampled_from([MSGPACK, JSON]))
    def connect(self, codec: Any) -> None:
        number = self.client.connected(self.now)
        self.open = Connection(number, codec)
        self.connections.append(self.open)
        self.flush()

    @precondition(lambda self: self.open is not None)
    @rule()
    def cut(self) -> None:
        """The client notices that the connection has failed; frames under way may still reach the server late."""
        self.client.disconnected()
        self.open = None

    @rule(frames=st.integers(1, 6))
    def arrive(self, frames: int) -> None:
        """Deliver some frames on the open connection to the server."""
        for _ in range(frames):
            if self.open is not None and self.open.to_server:
                self.serve(self.open, self.open.to_server.popleft())

    @rule(frames=st.integers(1, 6))
    def reach(self, frames: int) -> None:
        """Deliver some frames on the open connection to the client."""
        for _ in range(frames):
            if self.open is not None and self.open.to_client:
                self.hear(self.open, self.open.to_client.popleft())

    @rule(data=st.data())
    def arrive_late(self, data: st.DataObject) -> None:
        """Deliver a frame late, to either side, on a connection that the client has given up."""
        late = [old for old in self.connections if old is not self.open and (old.to_server or old.to_client)]
        if late:
            connection = data.draw(st.sampled_from(late))
            if connection.to_server:
                self.serve(connection, connection.to_server.popleft())
            else:
                self.hear(connection, connection.to_client.popleft())

    @precondition(lambda self: self.open is not None and self.open.to_server)
    @rule()
    def repeat_to_server(self) -> None:
        assert self.open is not None
        self.serve(self.open, self.open.to_server[0])

    def updates_under_way(self) -> list[int]:
        """Return the positions of moves in the open connection's queue."""
        if self.open is None:
            return []
        decode = self.open.codec.decode_server
        return [at for at, frame in enumerate(self.open.to_client) if isinstance(decode(frame), Moved)]

    @precondition(lambda self: self.updates_under_way())
    @rule(data=st.data())
    def repeat_to_client(self, data: st.DataObject) -> None:
        assert self.open is not None
        self.hear(self.open, self.open.to_client[data.draw(st.sampled_from(self.updates_under_way()))])

    @precondition(lambda self: self.updates_under_way())
    @rule(data=st.data())
    def lose_an_update(self, data: st.DataObject) -> None:
        """A relay between nodes silently drops an update."""
        assert self.open is not None
        del self.open.to_client[data.draw(st.sampled_from(self.updates_under_way()))]

    @precondition(lambda self: self.updates_under_way())
    @rule(data=st.data())
    def corrupt_an_update(self, data: st.DataObject) -> None:
        """A diff is corrupted, which the hash reveals."""
        assert self.open is not None
        codec = self.open.codec
        at = data.draw(st.sampled_from(self.updates_under_way()))
        message = codec.decode_server(self.open.to_client[at])
        broken = replace(message, change=replace(message.change, pieces=((63, 7),)))
        self.open.to_client[at] = codec.encode(broken)

    @precondition(lambda self: self.table.seq > 3)
    @rule(new_epoch=st.booleans())
    def crash(self, new_epoch: bool) -> None:
        """The server is killed and restarts without its connections and caches, but with the log.

        In a new epoch, sequence numbers of the old one are invalid.
        """
        self.connections = []
        self.open = None
        self.client.disconnected()
        self.table.epoch += new_epoch
        self.updates = UpdateBuffer(self.table.epoch, self.table.seq, keep=3)

    # -- invariants at the end

    @invariant()
    def nothing_is_done_twice(self) -> None:
        assert len(set(self.table.played)) == len(self.table.played)

    def teardown(self) -> None:
        if self.open is None:
            self.connect(codec=MSGPACK)
        self.settle()
        # The next pong reveals the loss of the last update.
        self.now += PING_INTERVAL
        assert self.client.tick(self.now)
        self.settle()
        self.settle()

        replica = self.client.rooms[ROOM]
        assert replica.in_sync
        assert (replica.epoch, replica.seq) == (self.table.epoch, self.table.seq)
        assert replica.scene == self.table.scene
        assert replica.moves == self.table.played
        assert sorted(self.table.played) == sorted(self.wanted.values())
        assert self.client.unanswered == ()
        assert {id: len(self.answers[id]) for id in self.wanted} == dict.fromkeys(self.wanted, 1)
        assert all(isinstance(self.answers[id][0], Ok) for id in self.wanted)

    # -- transport

    def flush(self) -> None:
        """Put the client's outgoing messages under way, if there is a connection."""
        if self.open is not None:
            self.open.to_server += [self.open.codec.encode(message) for message in self.client.outgoing()]

    def settle(self) -> None:
        """Deliver everything on the open connection until both sides are silent."""
        self.flush()
        while self.open is not None and (self.open.to_server or self.open.to_client):
            while self.open.to_server:
                self.serve(self.open, self.open.to_server.popleft())
            while self.open.to_client:
                self.hear(self.open, self.open.to_client.popleft())

    def hear(self, connection: Connection, frame: bytes) -> None:
        message: ServerMessage = connection.codec.decode_server(frame)
        news = self.client.receive(connection.number, message, self.now)
        id = getattr(message, "id", None)
        if news and id is not None and not isinstance(message, Moved):
            self.answers.setdefault(id, []).append(message)
        self.flush()

    def serve(self, connection: Connection, frame: bytes) -> None:
        """Handle one frame as a correct server would, on top of `ServerProtocol`."""
        cursors = (Cursor(ROOM, self.table.epoch, self.table.seq),) if connection.following else ()
        message = connection.session.receive(frame, lambda: cursors)
        if isinstance(message, Hello):
            connection.session.send(WELCOME)
            for cursor in message.rooms:
                connection.following = True
                self.bring_up_to_date(connection, cursor, None)
        elif isinstance(message, Command):
            self.obey(connection, message)
        connection.to_client += connection.session.outgoing()

    def obey(self, connection: Connection, command: Command) -> None:
        if known := self.table.replies.get("Ada", command):
            connection.session.send(known)
            return
        match command:
            case Join():
                connection.following = True
                connection.session.send(self.table.room(command.id))
            case Sync():
                self.bring_up_to_date(connection, Cursor(ROOM, command.epoch, command.seq), command.id)
            case Play(move=str() as text):
                moved = self.table.play(text)
                self.updates.add(moved.seq, moved)
                answer = Ok(id=command.id, seq=moved.seq, epoch=moved.epoch)
                self.table.replies.put("Ada", command, answer)
                connection.session.send(answer)
                for other in self.connections:
                    if other.following:
                        other.to_client.append(other.codec.encode(moved))

    def bring_up_to_date(self, connection: Connection, cursor: Cursor, id: int | None) -> None:
        missed = self.updates.since(cursor)
        if missed is None:
            connection.session.send(self.table.room(id))
            return
        for update in missed:
            connection.session.send(update)
        if id is not None:
            connection.session.send(Ok(id=id, seq=self.table.seq, epoch=self.table.epoch))


TestNetwork = Network.TestCase
TestNetwork.settings = settings(max_examples=300, stateful_step_count=30)
