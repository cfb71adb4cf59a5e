"""A session greets, waits, loses patience and comes back, whatever the other end does."""

from __future__ import annotations

from msgspec.structs import replace

from parlour.protocol.codec import JSON, MSGPACK
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    Cancel,
    Claim,
    Hello,
    Message,
    Ok,
    Paired,
    Ping,
    Pong,
    Queue,
    Refused,
    Welcome,
)  # fmt: skip
from parlour.protocol.session import (
    HURRY_AFTER,
    PATIENCE,
    PING_EVERY,
    SILENCE_MEANS_DEAD,
    ClientSession,
    ServerSession,
)
from parlour.protocol.tables import Terms
from tests.protocol.counted_table import PLAYER, ROOM, welcomed


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

    slow = HURRY_AFTER + PATIENCE - 0.25
    assert lives(session, 0.0, slow) == [Ping()]
    session.receive(number, Pong(), slow)
    lost = slow + HURRY_AFTER + 4 * (slow - HURRY_AFTER)  # four times as long as that answer took
    assert lives(session, slow + 0.25, lost - 0.25) == [Ping()]
    assert not session.tick(lost)


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
