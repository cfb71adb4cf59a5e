"""A client session: hello, queueing, pings, timeouts and reconnects; and the server's end of it."""

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
)  # fmt: skip
from parlour.protocol.session import ClientSession, ServerProtocol
from parlour.protocol.timing import (
    PING_INTERVAL,
    PROBE_DELAY,
    PROBE_ROUND_TRIPS,
    PROBE_TIMEOUT,
    SILENCE_LIMIT,
    SUSPENSION,
)
from parlour.protocol.types import Terms
from tests.protocol.counted_table import ROOM, WELCOME, welcomed


def test_nothing_but_hello_is_sent_before_welcome() -> None:
    """Commands wait until the server has welcomed the client."""
    session = ClientSession("test")
    number = session.connected(0)
    session.send(Claim(id=0, room=ROOM))

    assert [type(message) for message in session.outgoing()] == [Hello]

    session.receive(number, WELCOME, 0)

    assert session.outgoing() == [Claim(id=1, room=ROOM)]


def test_the_token_and_the_session_are_given_with_the_next_hello() -> None:
    """A client that reconnects is the same player, in the same session."""
    session, _ = welcomed()
    session.disconnected()
    session.connected(1)

    assert session.outgoing() == [Hello("test", "secret", session="session")]


def test_an_unknown_token_makes_a_new_guest() -> None:
    """A client that the server has forgotten continues as a new guest instead of failing forever."""
    session, _ = welcomed()
    session.disconnected()
    number = session.connected(1)
    session.outgoing()
    session.receive(number, Refused(code=ErrorCode.TOKEN_UNKNOWN, text="Unknown."), 1)

    assert session.outgoing() == [Hello("test")]


def test_silence_means_the_connection_is_dead() -> None:
    """A half-open connection is detected within 25 seconds by unanswered pings."""
    session, number = welcomed()

    assert session.tick(PING_INTERVAL)
    assert session.outgoing() == [Ping()]
    session.receive(number, Pong(), PING_INTERVAL + 1)
    assert session.tick(SILENCE_LIMIT)
    assert not session.tick(PING_INTERVAL + 1 + SILENCE_LIMIT)


def test_an_answer_that_does_not_come_is_not_awaited_long() -> None:
    """With a command under way, a silent server is given up within three seconds; a responsive one is not."""
    session, number = welcomed()
    session.send(QUEUE)
    session.outgoing()

    slow = PROBE_DELAY + PROBE_TIMEOUT - 0.25
    assert lives(session, 0.0, slow) == [Ping()]
    session.receive(number, Pong(), slow)
    lost = slow + PROBE_DELAY + PROBE_ROUND_TRIPS * (slow - PROBE_DELAY)
    assert lives(session, slow + 0.25, lost - 0.25) == [Ping()]
    assert not session.tick(lost)


def test_patience_grows_when_it_was_too_short() -> None:
    """On a slow network a client does not reconnect in a loop: it waits longer each time."""
    session, _ = welcomed()
    session.send(Claim(id=0, room=ROOM))
    lasted = []
    for _ in range(6):
        session.disconnected()
        number, now = session.connected(0), 0.0
        session.receive(number, WELCOME, 0)
        while session.tick(now):
            now += 0.25
        lasted.append(now)

    assert lasted == sorted(lasted)
    assert lasted[0] <= 3.0
    assert lasted[-1] == SILENCE_LIMIT


def test_a_client_that_slept_asks_before_it_gives_up() -> None:
    """Messages that arrived while the client was suspended are still unread, so silence proves nothing."""
    session, _ = welcomed()
    session.send(Claim(id=0, room=ROOM))
    lives(session, 0.0, PROBE_DELAY)

    assert session.tick(PROBE_DELAY + 2 * SUSPENSION)


def lives(session: ClientSession, since: float, until: float) -> list[Message]:
    """Tick four times a second without giving up, and return the messages sent."""
    sent: list[Message] = []
    now = since
    while now <= until:
        assert session.tick(now)
        sent += session.outgoing()
        now += 0.25
    return sent


QUEUE = Queue(id=0, terms=Terms("count"))


def queued() -> tuple[ClientSession, int]:
    """Return a session with a queue place that the server has confirmed."""
    session, number = welcomed()
    assert session.send(QUEUE) == 1
    session.receive(number, Ok(id=1, seek="place"), 0)
    session.outgoing()
    return session, number


def again(session: ClientSession) -> tuple[int, list[Message]]:
    """Reconnect, and return the messages sent after hello."""
    session.disconnected()
    number = session.connected(1)
    session.outgoing()
    session.receive(number, WELCOME, 1)
    return number, list(session.outgoing())


def test_a_place_in_a_queue_is_taken_again() -> None:
    """A queue place ends with its connection, so each new connection repeats the command; its answer is not news."""
    session, _ = queued()
    for _ in range(3):
        number, sent = again(session)
        assert sent == [replace(QUEUE, id=1)]
    assert not session.receive(number, Ok(id=1, seek="place"), 1)
    assert session.unanswered == ()
    assert again(session)[1] == [replace(QUEUE, id=1)]


def test_a_place_that_is_no_more_is_not_taken_again() -> None:
    """After the place was paired, withdrawn or refused, the command is not repeated."""
    session, number = queued()
    assert session.receive(number, Paired(room=ROOM, seat=0, seek="place"), 0)
    assert again(session)[1] == []

    session, number = queued()
    session.send(Cancel(id=0, seek="place"))
    number, sent = again(session)
    assert [type(message) for message in sent] == [Queue, Cancel]
    session.receive(number, Ok(id=1, seek="place"), 1)
    session.receive(number, Ok(id=2), 1)
    assert again(session)[1] == []

    session, _ = queued()
    number, _ = again(session)
    assert session.receive(number, Refused(code=ErrorCode.LIMIT_REACHED, text="Enough.", id=1), 1)
    assert again(session)[1] == []


def test_the_server_wants_hello_first_and_once() -> None:
    """Other messages before hello, and a second hello, are refused without closing the connection."""
    session = ServerProtocol(MSGPACK)

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
    """A frame that cannot be decoded is refused and has no other effect."""
    session = ServerProtocol(JSON)
    session.receive(b'{"t": "hello"}')

    assert session.receive(b"{") is None
    assert session.receive(b'{"t": "fly", "id": 3}') is None
    assert session.receive(b'{"t": "claim", "id": 4, "room": "a", "wings": 2}') == Claim(id=4, room="a")
    refused = [JSON.decode_server(frame) for frame in session.outgoing()]
    assert [(r.code, r.id) for r in refused if isinstance(r, Refused)] == [
        ("request_malformed", None),
        ("message_unknown", 3),
    ]
