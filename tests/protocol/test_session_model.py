"""Sessions survive whatever a network does: nothing is lost, nothing is done twice, nobody is silently out of step."""

from __future__ import annotations

from collections import deque
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from msgspec.structs import replace

from parlour.protocol.codec import JSON, MSGPACK
from parlour.protocol.feed import Feed
from parlour.protocol.messages import (
    Command,
    Hello,
    Join,
    Message,
    Moved,
    Ok,
    Play,
    ServerMessage,
    Standing,
    Sync,
    Welcome,
)  # fmt: skip
from parlour.protocol.mirror import Update
from parlour.protocol.session import (
    PING_EVERY,
    ClientSession,
    ServerSession,
)
from tests.protocol.counted_table import PLAYER, ROOM, Table


class Connection:
    """Two queues of frames, and the server's end of them."""

    def __init__(self, number: int, codec: Any) -> None:
        self.number = number
        self.codec = codec
        self.session = ServerSession(codec)
        self.to_server: deque[bytes] = deque()
        self.to_client: deque[bytes] = deque()
        self.following = False


class Network(RuleBasedStateMachine):
    """A client, a server and everything that can go wrong between them."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.table = Table()
        self.feed: Feed[Update] = Feed(1, 0, keep=3)
        self.client = ClientSession("test", first_id=100)
        self.connections: list[Connection] = []
        self.open: Connection | None = None
        self.wanted: dict[int, str] = {}  # command id -> the move it plays
        self.answers: dict[int, list[Message]] = {}
        self.connect(codec=MSGPACK)
        self.settle()
        self.client.send(Join(id=0, room=ROOM))
        self.settle()

    # -- what the client's user does

    @rule()
    def play(self) -> None:
        text = f"move {len(self.wanted)}"
        id = self.client.send(Play(id=0, room=ROOM, ply=0, move=text))
        self.wanted[id] = text
        self.flush()

    # -- what the network does

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
        """The client notices that the connection is gone; frames under way may still arrive at the server, late."""
        self.client.disconnected()
        self.open = None

    @rule(frames=st.integers(1, 6))
    def arrive(self, frames: int) -> None:
        """The open connection carries some frames to the server."""
        for _ in range(frames):
            if self.open is not None and self.open.to_server:
                self.serve(self.open, self.open.to_server.popleft())

    @rule(frames=st.integers(1, 6))
    def reach(self, frames: int) -> None:
        """The open connection carries some frames to the client."""
        for _ in range(frames):
            if self.open is not None and self.open.to_client:
                self.hear(self.open, self.open.to_client.popleft())

    @rule(data=st.data())
    def arrive_late(self, data: st.DataObject) -> None:
        """A frame on a connection that the client has given up reaches the server, or the client, after all."""
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
        """Where in the open connection's queue there are moves."""
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
        """A relay between nodes drops an update without a word."""
        assert self.open is not None
        del self.open.to_client[data.draw(st.sampled_from(self.updates_under_way()))]

    @precondition(lambda self: self.updates_under_way())
    @rule(data=st.data())
    def corrupt_an_update(self, data: st.DataObject) -> None:
        """A diff is not what it should be; the hash tells."""
        assert self.open is not None
        codec = self.open.codec
        at = data.draw(st.sampled_from(self.updates_under_way()))
        message = codec.decode_server(self.open.to_client[at])
        broken = replace(message, change=replace(message.change, pieces=((63, 7),)))
        self.open.to_client[at] = codec.encode(broken)

    @precondition(lambda self: self.table.seq > 3)
    @rule(new_epoch=st.booleans())
    def crash(self, new_epoch: bool) -> None:
        """The server is killed and comes back: connections and short memory are gone, the log is not.

        With a new epoch, numbers of the old one mean nothing any more.
        """
        self.connections = []
        self.open = None
        self.client.disconnected()
        self.table.epoch += new_epoch
        self.feed = Feed(self.table.epoch, self.table.seq, keep=3)

    # -- how it must end

    @invariant()
    def nothing_is_done_twice(self) -> None:
        assert len(set(self.table.played)) == len(self.table.played)

    def teardown(self) -> None:
        if self.open is None:
            self.connect(codec=MSGPACK)
        self.settle()
        # Whatever was lost last shows at the latest with the next pong.
        self.now += PING_EVERY
        assert self.client.tick(self.now)
        self.settle()
        self.settle()

        mirror = self.client.rooms[ROOM]
        assert mirror.true
        assert (mirror.epoch, mirror.seq) == (self.table.epoch, self.table.seq)
        assert mirror.scene == self.table.scene
        assert mirror.moves == self.table.played
        assert sorted(self.table.played) == sorted(self.wanted.values())
        assert self.client.unanswered == ()
        assert {id: len(self.answers[id]) for id in self.wanted} == dict.fromkeys(self.wanted, 1)
        assert all(isinstance(self.answers[id][0], Ok) for id in self.wanted)

    # -- the plumbing

    def flush(self) -> None:
        """Whatever the client wants to send is under way, unless there is no connection."""
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
        """A server that keeps the rules, on top of `ServerSession`."""
        standings = (Standing(ROOM, self.table.epoch, self.table.seq),) if connection.following else ()
        message = connection.session.receive(frame, lambda: standings)
        if isinstance(message, Hello):
            connection.session.send(Welcome(you=PLAYER, token="secret", time=0, games=(), largest=1000))
            for standing in message.rooms:
                connection.following = True
                self.bring_up_to_date(connection, standing, None)
        elif isinstance(message, Command):
            self.obey(connection, message)
        connection.to_client += connection.session.outgoing()

    def obey(self, connection: Connection, command: Command) -> None:
        if known := self.table.ledger.find("Ada", command.id):
            connection.session.send(known)
            return
        match command:
            case Join():
                connection.following = True
                connection.session.send(self.table.room(command.id))
            case Sync():
                self.bring_up_to_date(connection, Standing(ROOM, command.epoch, command.seq), command.id)
            case Play(move=str() as text):
                moved = self.table.play(text)
                self.feed.add(moved.seq, moved)
                answer = Ok(id=command.id, seq=moved.seq)
                self.table.ledger.note("Ada", command.id, answer)
                connection.session.send(answer)
                for other in self.connections:
                    if other.following:
                        other.to_client.append(other.codec.encode(moved))

    def bring_up_to_date(self, connection: Connection, standing: Standing, id: int | None) -> None:
        missed = self.feed.since(standing)
        if missed is None:
            connection.session.send(self.table.room(id))
            return
        for update in missed:
            connection.session.send(update)
        if id is not None:
            connection.session.send(Ok(id=id, seq=self.table.seq))


TestNetwork = Network.TestCase
TestNetwork.settings = settings(max_examples=300, stateful_step_count=30)
