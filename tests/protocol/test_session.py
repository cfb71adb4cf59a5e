"""Sessions survive whatever a network does: nothing is lost, nothing is done twice, nobody is silently out of step."""

from __future__ import annotations

from collections import deque
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from msgspec.structs import replace

from parlour.protocol.codec import JSON, MSGPACK
from parlour.protocol.errors import ErrorCode
from parlour.protocol.feed import Feed, Ledger
from parlour.protocol.messages import (
    Cancel,
    Claim,
    Command,
    Hello,
    Join,
    Leave,
    Message,
    Moved,
    Ok,
    Paired,
    Ping,
    Play,
    Pong,
    Queue,
    Refused,
    Room,
    ServerMessage,
    Standing,
    Sync,
    Welcome,
)  # fmt: skip
from parlour.protocol.scene import BoardSpec, Scene, SeatSpec, diff, scene_hash
from parlour.protocol.session import (
    HURRY_AFTER,
    PATIENCE,
    PING_EVERY,
    SILENCE_MEANS_DEAD,
    ClientSession,
    ServerSession,
)
from parlour.protocol.tables import Chair, Player, Terms

ROOM = "r00m"
SEATS = (SeatSpec("White", "light"), SeatSpec("Black", "dark"))
BOARD = BoardSpec("count", 8, 8, "clay", SEATS, (), "{0} moves")
PLAYER = Player("Ada")


class Table:
    """What survives a crash of the server: the log of one room, in which every move puts one piece somewhere."""

    def __init__(self) -> None:
        self.epoch = 1
        self.played: list[str] = []
        self.ledger = Ledger()
        self.scene = Scene((), ((0,), (0,)), 0)

    @property
    def seq(self) -> int:
        return len(self.played)

    def room(self, id: int | None) -> Room:
        return Room(
            room=ROOM, epoch=self.epoch, seq=self.seq, hash=scene_hash(self.scene), board=BOARD, scene=self.scene,
            terms=Terms("count"), chairs=(Chair(), Chair()), status="playing", moves=tuple(self.played), id=id,
        )  # fmt: skip

    def play(self, text: str) -> Moved:
        """The log grows by one move."""
        self.played.append(text)
        place = sum(map(ord, text)) % 64
        pieces = {stack[0]: stack for stack in self.scene.pieces}
        pieces[place] = (*pieces.get(place, (place,)), len(self.played) % 3)
        new = Scene(tuple(sorted(pieces.values())), ((self.seq,), (0,)), self.seq % 2)
        change = diff(self.scene, new)
        self.scene = new
        return Moved(ROOM, self.epoch, self.seq, scene_hash(new), text, None, change)


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
        self.feed = Feed(1, 0, keep=3)
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
                self.feed.add(moved)
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
TestNetwork.settings = settings(max_examples=300, stateful_step_count=30, deadline=None)


def welcomed() -> tuple[ClientSession, int]:
    session = ClientSession("test", first_id=1)
    number = session.connected(0)
    session.outgoing()
    session.receive(number, Welcome(you=PLAYER, token="secret", time=0, games=(), largest=1000), 0)
    return session, number


def test_nothing_but_hello_is_sent_before_welcome() -> None:
    """Commands wait until the server knows who speaks."""
    session = ClientSession("test", first_id=1)
    number = session.connected(0)
    session.send(Claim(id=0, room=ROOM))

    assert [type(message) for message in session.outgoing()] == [Hello]

    session.receive(number, Welcome(you=PLAYER, token="secret", time=0, games=(), largest=1000), 0)

    assert session.outgoing() == [Claim(id=1, room=ROOM)]


def test_the_token_is_given_with_the_next_hello() -> None:
    """A reconnecting client is the same player."""
    session, _ = welcomed()
    session.disconnected()
    session.connected(1)

    assert session.outgoing() == [Hello("test", "secret")]


def test_an_unknown_token_makes_a_new_guest() -> None:
    """A client whose server forgot it goes on as somebody new instead of failing for ever."""
    session, _ = welcomed()
    session.disconnected()
    number = session.connected(1)
    session.outgoing()
    session.receive(number, Refused(code=ErrorCode.TOKEN_UNKNOWN, text="Nobody."), 1)

    assert session.outgoing() == [Hello("test")]


def test_silence_means_the_connection_is_dead() -> None:
    """A half-open connection is noticed within 25 seconds, by pings that nobody answers."""
    session, number = welcomed()

    assert session.tick(PING_EVERY)
    assert session.outgoing() == [Ping()]
    session.receive(number, Pong(), PING_EVERY + 1)
    assert session.tick(SILENCE_MEANS_DEAD)
    assert not session.tick(PING_EVERY + 1 + SILENCE_MEANS_DEAD)


def test_an_answer_that_does_not_come_is_not_awaited_long() -> None:
    """With a command under way a silent server is given up within three seconds, one that gives a sign is not."""
    session, number = welcomed()
    session.send(Claim(id=0, room=ROOM))
    session.outgoing()

    assert lives(session, 0.0, HURRY_AFTER + PATIENCE - 0.25) == [Ping()]
    session.receive(number, Pong(), HURRY_AFTER + PATIENCE - 0.25)  # slow, but there
    assert lives(session, 2.0, 8.25) == [Ping()]
    assert not session.tick(8.5)  # four times as long as that answer took


def test_patience_grows_when_it_was_too_short() -> None:
    """A network on which everything takes long is not cut again and again: each time a client waits longer."""
    session, _ = welcomed()
    session.send(Claim(id=0, room=ROOM))
    lasted = []
    for _ in range(6):
        session.disconnected()
        number, now = session.connected(0), 0.0
        session.receive(number, Welcome(you=PLAYER, token="secret", time=0, games=(), largest=1000), 0)
        while session.tick(now):
            now += 0.25
        lasted.append(now)

    assert lasted == sorted(lasted)
    assert lasted[0] <= 3.0
    assert lasted[-1] == SILENCE_MEANS_DEAD


def test_a_client_that_slept_asks_before_it_gives_up() -> None:
    """What came while the client itself stood still is not read yet: that is no sign of a dead server."""
    session, _ = welcomed()
    session.send(Claim(id=0, room=ROOM))
    lives(session, 0.0, HURRY_AFTER)

    assert session.tick(HURRY_AFTER + 2 * PATIENCE)


def lives(session: ClientSession, since: float, until: float) -> list[Message]:
    """What a session sends that looks at the clock four times a second and believes in its connection."""
    sent: list[Message] = []
    now = since
    while now <= until:
        assert session.tick(now)
        sent += session.outgoing()
        now += 0.25
    return sent


QUEUE = Queue(id=0, terms=Terms("count"))


def queued() -> tuple[ClientSession, int]:
    """A session with a place in a queue, which the server has named."""
    session, number = welcomed()
    assert session.send(QUEUE) == 1
    session.receive(number, Ok(id=1, seek="place"), 0)
    session.outgoing()
    return session, number


def again(session: ClientSession) -> tuple[int, list[Message]]:
    """A new connection, and what is sent on it after hello."""
    session.disconnected()
    number = session.connected(1)
    session.outgoing()
    session.receive(number, Welcome(you=PLAYER, token="secret", time=0, games=(), largest=1000), 1)
    return number, list(session.outgoing())


def test_a_place_in_a_queue_is_taken_again() -> None:
    """It goes with its connection, so the same command is sent on the next one, and the next; its answer is no news."""
    session, _ = queued()
    for _ in range(3):
        number, sent = again(session)
        assert sent == [replace(QUEUE, id=1)]
    assert not session.receive(number, Ok(id=1, seek="place"), 1)
    assert session.unanswered == ()
    assert again(session)[1] == [replace(QUEUE, id=1)]


def test_a_place_that_is_no_more_is_not_taken_again() -> None:
    """After the game was made, the place given up or refused, nothing is sent."""
    session, number = queued()
    assert session.receive(number, Paired(room=ROOM, seat=0, seek="place"), 0)
    assert again(session)[1] == []

    session, number = queued()
    session.send(Cancel(id=0, seek="place"))
    assert [type(message) for message in again(session)[1]] == [Queue, Cancel]
    session.receive(session._connection, Ok(id=1, seek="place"), 1)
    session.receive(session._connection, Ok(id=2), 1)
    assert again(session)[1] == []

    session, _ = queued()
    number, _ = again(session)
    assert session.receive(number, Refused(code=ErrorCode.LIMIT_REACHED, text="Enough.", id=1), 1)
    assert again(session)[1] == []


def test_the_server_wants_hello_first_and_once() -> None:
    """Other messages before hello, and a second hello, are refused without harm."""
    session = ServerSession(MSGPACK)

    assert session.receive(MSGPACK.encode(Claim(id=7, room=ROOM))) is None
    assert session.receive(MSGPACK.encode(Hello())) == Hello()
    assert session.receive(MSGPACK.encode(Hello())) is None
    assert session.receive(MSGPACK.encode(Claim(id=8, room=ROOM))) == Claim(id=8, room=ROOM)
    refused = [MSGPACK.decode_server(frame) for frame in session.outgoing()]
    assert [(r.code, r.id) for r in refused if isinstance(r, Refused)] == [
        ("hello_first", 7),
        ("hello_first", None),
    ]


def test_a_bad_frame_is_refused_and_the_conversation_goes_on() -> None:
    """Frames that cannot be read cost nothing but a refusal."""
    session = ServerSession(JSON)
    session.receive(b'{"t": "hello"}')

    assert session.receive(b"{") is None
    assert session.receive(b'{"t": "fly", "id": 3}') is None
    assert session.receive(b'{"t": "claim", "id": 4, "room": "a", "wings": 2}') == Claim(id=4, room="a")
    refused = [JSON.decode_server(frame) for frame in session.outgoing()]
    assert [(r.code, r.id) for r in refused if isinstance(r, Refused)] == [
        ("request_malformed", None),
        ("message_unknown", 3),
    ]


def in_a_room() -> tuple[ClientSession, int, Table, list[Moved]]:
    """A client that has joined, and five moves that it has not heard of yet."""
    session, number = welcomed()
    table = Table()
    session.receive(number, table.room(None), 0)
    return session, number, table, [table.play(f"move {n}") for n in range(5)]


def test_a_gap_is_asked_for_once() -> None:
    """An update that is not the next one makes the client ask for the range from where it stands, and only once."""
    session, number, _, moved = in_a_room()

    assert session.receive(number, moved[0], 0)
    assert not session.receive(number, moved[2], 0)
    assert not session.receive(number, moved[3], 0)
    assert session.outgoing() == [Sync(id=1, room=ROOM, epoch=1, seq=1)]
    assert session.rooms[ROOM].seq == 1


def test_a_repeated_update_is_ignored() -> None:
    """An update that is known already changes nothing."""
    session, number, _, moved = in_a_room()
    session.receive(number, moved[0], 0)
    scene = session.rooms[ROOM].scene

    assert not session.receive(number, moved[0], 0)
    assert session.rooms[ROOM].scene == scene
    assert session.outgoing() == []


def test_a_wrong_hash_makes_the_client_ask_for_the_whole_room() -> None:
    """A scene that is not the server's is replaced, and nothing is applied to it meanwhile."""
    session, number, table, moved = in_a_room()

    assert not session.receive(number, replace(moved[0], hash=moved[0].hash ^ 1), 0)
    assert not session.receive(number, moved[1], 0)
    assert session.outgoing() == [Sync(id=1, room=ROOM, epoch=0, seq=0)]

    assert session.receive(number, table.room(1), 0)
    assert session.rooms[ROOM].scene == table.scene
    assert session.unanswered == ()


def test_a_copy_that_breaks_during_a_sync_is_replaced() -> None:
    """If the missed updates do not mend the copy either, the client asks for the whole room."""
    session, number, _, moved = in_a_room()
    session.receive(number, moved[1], 0)
    session.outgoing()
    session.receive(number, replace(moved[0], hash=0), 0)
    session.receive(number, Ok(id=1, seq=5), 0)

    assert session.outgoing() == [Sync(id=2, room=ROOM, epoch=0, seq=0)]


def test_a_lost_last_update_shows_with_the_next_pong() -> None:
    """A client that nobody tells anything is not out of step for longer than a ping."""
    session, number, _, _ = in_a_room()
    session.receive(number, Pong(rooms=(Standing(ROOM, 1, 5),)), 0)

    assert session.outgoing() == [Sync(id=1, room=ROOM, epoch=1, seq=0)]


def test_a_new_epoch_makes_old_numbers_worthless() -> None:
    """An update of a later epoch is never applied to a room of an earlier one."""
    session, number, _, moved = in_a_room()

    assert not session.receive(number, replace(moved[0], epoch=2), 0)
    assert session.outgoing() == [Sync(id=1, room=ROOM, epoch=0, seq=0)]


def test_messages_of_an_old_connection_come_too_late() -> None:
    """What arrives on a connection that was given up is not heard."""
    session, number, _, moved = in_a_room()
    session.disconnected()
    session.connected(1)

    assert not session.receive(number, moved[0], 1)
    assert session.rooms[ROOM].seq == 0


def test_hello_tells_where_the_client_stands() -> None:
    """After a reconnect the server knows what to send; a broken copy stands nowhere."""
    session, number, _, moved = in_a_room()
    session.receive(number, moved[0], 0)
    session.disconnected()
    session.connected(1)

    assert session.outgoing() == [Hello("test", "secret", (Standing(ROOM, 1, 1),))]

    session.rooms[ROOM].true = False
    session.connected(2)

    assert session.outgoing() == [Hello("test", "secret", (Standing(ROOM, 0, 0),))]


def test_a_room_that_was_left_is_forgotten() -> None:
    """After leave is answered, a reconnect does not follow the room again."""
    session, number, _, _ = in_a_room()
    id = session.send(Leave(id=0, room=ROOM))
    session.receive(number, Ok(id=id), 0)
    session.disconnected()
    session.connected(1)

    assert session.outgoing() == [Hello("test", "secret")]
