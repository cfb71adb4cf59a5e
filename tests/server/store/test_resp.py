"""One connection to Redis, driven without a network."""

from __future__ import annotations

import asyncio
from typing import Any

import hiredis
import pytest

from parlour.server.store import resp
from parlour.server.store.errors import ConnectionLost, NotSent, StoreRefused
from parlour.server.store.resp import MAX_IN_FLIGHT, RespConnection, resolve


class RecordingTransport(asyncio.Transport):
    """Records what is written; the test plays the server."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.aborted = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written.append(bytes(data))

    def abort(self) -> None:
        self.aborted = True

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass


@pytest.fixture
def transport() -> RecordingTransport:
    return RecordingTransport()


@pytest.fixture
async def connection(transport: RecordingTransport) -> RespConnection:
    made = RespConnection()
    made.connection_made(transport)
    return made


async def flush() -> None:
    """Let the loop iteration end, in which a connection collects commands."""
    await asyncio.sleep(0)


async def test_commands_of_one_iteration_leave_in_one_write(
    connection: RespConnection, transport: RecordingTransport
) -> None:
    """Everything sent in one loop iteration is one write, and the next iteration's is another."""
    for number in range(300):
        connection.send(("ECHO", number), lambda _: None)
    assert transport.written == []
    await flush()
    connection.send(("ECHO", 300), lambda _: None)
    await flush()
    assert [data.count(b"ECHO") for data in transport.written] == [300, 1]
    assert transport.written[1] == b"*2\r\n$4\r\nECHO\r\n$3\r\n300\r\n"


async def test_replies_are_matched_in_order(connection: RespConnection) -> None:
    """Each callback receives the reply to its own command, however the replies are split into packets."""
    replies: list[Any] = []
    for _ in range(3):
        connection.send(("GET", "k"), replies.append)
    assert connection.in_flight == 3
    for packet in (b"$1\r", b"\na\r\n$1\r\nb\r\n$", b"-1\r\n"):
        connection.data_received(packet)
    assert replies == [b"a", b"b", None]
    assert connection.in_flight == 0
    assert connection.received_data


async def test_an_error_reply_is_passed_on(connection: RespConnection) -> None:
    """A callback receives an error reply as a value; `call` raises it as StoreRefused."""
    replies: list[Any] = []
    connection.send(("INCR", "k"), replies.append)
    calling = asyncio.ensure_future(connection.call("INCR", "k"))
    await flush()
    connection.data_received(b"-ERR no\r\n-ERR no\r\n")
    assert [type(reply) for reply in replies] == [hiredis.ReplyError]
    with pytest.raises(StoreRefused, match="ERR no"):
        await calling


async def test_many_replies_take_several_steps(connection: RespConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replies that take long are handled in several steps of the event loop, in order, and so are those that follow."""
    monkeypatch.setattr(resp, "LONGEST_STEP", -1)  # each reply takes too long
    steps: list[list[Any]] = []
    replies: list[Any] = []
    for _ in range(4):
        connection.send(("PING",), replies.append)
    await flush()
    connection.data_received(b":1\r\n:2\r\n:3\r\n")
    steps.append([*replies])
    connection.data_received(b":4\r\n")
    while len(replies) < 4:
        await asyncio.sleep(0)
        steps.append([*replies])
    assert steps == [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4]]


async def test_replies_before_the_loss_count(connection: RespConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command whose reply was received before the connection was lost has not failed."""
    monkeypatch.setattr(resp, "LONGEST_STEP", -1)
    replies: list[Any] = []
    for _ in range(4):
        connection.send(("PING",), replies.append)
    await flush()
    connection.data_received(b":1\r\n:2\r\n:3\r\n")
    connection.connection_lost(None)
    await flush()
    assert replies[:3] == [1, 2, 3]
    assert [type(reply) for reply in replies[3:]] == [ConnectionLost]


async def test_a_lost_connection_fails_all_callbacks(connection: RespConnection) -> None:
    """When the connection is lost, every waiting callback receives ConnectionLost, after the owner is notified."""
    events: list[Any] = []
    connection.on_lost = lambda: events.append("lost")
    for _ in range(2):
        connection.send(("PING",), lambda reply: events.append(type(reply)))
    await flush()
    connection.connection_lost(None)
    assert events == ["lost", ConnectionLost, ConnectionLost]
    assert connection.lost.done()


async def test_a_command_after_the_loss_fails_later(connection: RespConnection, transport: RecordingTransport) -> None:
    """A command sent on a lost connection is not written, and its callback is not called before `send` returns."""
    connection.connection_lost(None)
    replies: list[Any] = []
    connection.send(("PING",), replies.append)
    assert replies == []
    await flush()
    assert [type(reply) for reply in replies] == [ConnectionLost]
    assert transport.written == []


async def test_too_many_commands_in_flight(connection: RespConnection, transport: RecordingTransport) -> None:
    """Commands beyond the limit are refused and not written; the others are."""
    replies: list[Any] = []
    for _ in range(MAX_IN_FLIGHT + 50):
        connection.send(("PING",), replies.append)
    await flush()
    await flush()
    assert [type(reply) for reply in replies] == [NotSent] * 50
    assert sum(data.count(b"PING") for data in transport.written) == MAX_IN_FLIGHT


async def test_a_full_write_buffer(connection: RespConnection) -> None:
    """While Redis does not read, commands are refused."""
    replies: list[Any] = []
    connection.pause_writing()
    connection.send(("PING",), replies.append)
    connection.resume_writing()
    connection.send(("PING",), replies.append)
    await flush()
    assert [type(reply) for reply in replies] == [NotSent]
    assert connection.in_flight == 1


async def test_a_failing_callback_does_not_affect_others(connection: RespConnection) -> None:
    """An exception in a callback is reported to the loop, and the other callbacks are called, also at a loss."""
    reported: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context["exception"]))
    replies: list[Any] = []

    def fail(reply: Any) -> None:
        raise ZeroDivisionError

    for _ in range(2):
        connection.send(("PING",), fail)
        connection.send(("PING",), replies.append)
    connection.data_received(b"+PONG\r\n+PONG\r\n")
    connection.connection_lost(None)
    assert [type(reply) for reply in replies] == [bytes, ConnectionLost]
    assert [type(fault) for fault in reported] == [ZeroDivisionError, ZeroDivisionError]


async def test_invalid_data_breaks_the_connection(connection: RespConnection, transport: RecordingTransport) -> None:
    """A reply that is not RESP aborts the connection."""
    connection.send(("PING",), lambda _: None)
    connection.data_received(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    assert transport.aborted


async def test_push_messages(transport: RecordingTransport) -> None:
    """Push messages go to `on_push`, also between the replies to commands."""
    pushes: list[Any] = []
    replies: list[Any] = []
    connection = RespConnection(pushes.append)
    connection.connection_made(transport)
    connection.send_push_only(("SUBSCRIBE", "c"))
    connection.send(("PING",), replies.append)
    connection.data_received(b">3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n+PONG\r\n")
    assert pushes == [[b"subscribe", b"c", 1]]
    assert replies == [b"PONG"]


async def test_resolve_ignores_a_cancelled_future() -> None:
    """A reply for a caller that gave up is dropped."""
    future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    future.cancel()
    resolve(future, b"late")
    assert future.cancelled()
