"""A client's connection: answers, reconnects, silent servers, and errors that end it for good."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, suppress

import pytest
from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from parlour.client import connection as client
from parlour.client.connection import Connection, RefusedError
from parlour.protocol import timing
from parlour.protocol.codec import CODECS, JSON, Codec
from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.messages import (
    Challenge,
    Closing,
    Command,
    GetRecord,
    Hello,
    Join,
    Message,
    Ok,
    Ping,
    Pong,
    Refused,
    Resign,
    Said,
    Say,
    Welcome,
)  # fmt: skip
from parlour.protocol.types import Player, Terms
from tests.waiting import WITHIN

WELCOME = Welcome(you=Player("Ada"), token="secret", session="session", time=0, games=(), max_message_size=16_384)

Handler = Callable[["Client"], Awaitable[None]]
Host = Callable[[Handler], Awaitable[str]]


class Client:
    """The server's end of one connection."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self.codec = CODECS[str(socket.subprotocol)]

    async def send(self, message: Message) -> None:
        await self.socket.send(self.codec.encode(message), text=self.codec.text)

    async def receive(self) -> Message:
        return self.codec.decode_client(await self.socket.recv())

    async def command(self) -> Command:
        """Return the next message that is not a ping."""
        while isinstance(message := await self.receive(), Ping):
            await self.send(Pong(message.n))
        assert isinstance(message, Command), message
        return message

    async def welcome(self, nodes: tuple[str, ...] = ()) -> Hello:
        """Welcome the client and return its hello."""
        hello = await self.receive()
        assert isinstance(hello, Hello)
        await self.send(replace(WELCOME, nodes=nodes))
        return hello


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make clients reconnect quickly and tick often."""
    monkeypatch.setattr(timing, "FIRST_PLAYER_DELAY", 0.01)
    monkeypatch.setattr(timing, "MAX_RECONNECT_DELAY", 0.05)
    monkeypatch.setattr(client, "TICK", 0.02)


@pytest.fixture
async def host() -> AsyncIterator[Host]:
    """Return a function that starts servers; each passes its connections to a handler, and stops with the test."""
    async with AsyncExitStack() as stack:

        async def start(handler: Handler) -> str:
            async def handle(socket: ServerConnection) -> None:
                with suppress(ConnectionClosed):
                    await handler(Client(socket))

            server = await stack.enter_async_context(
                serve(handle, "127.0.0.1", 0, subprotocols=list(CODECS), compression=None, ping_interval=None)  # type: ignore[arg-type]
            )
            return f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/ws"

        yield start


def free_address() -> str:
    """Return an address where no server listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"ws://127.0.0.1:{probe.getsockname()[1]}/ws"


async def answer_all(peer: Client) -> None:
    """Answer every command with ok."""
    await peer.welcome()
    while True:
        await peer.send(Ok(id=(await peer.command()).id))


# -- answers


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS.keys())
async def test_a_command_has_its_own_answer(host: Host, codec: Codec) -> None:
    """In both encodings, answers reach their commands in any order, and all other messages are news."""

    async def handle(peer: Client) -> None:
        await peer.welcome()
        first, second = await peer.command(), await peer.command()
        await peer.send(Ok(id=second.id, seq=2))
        await peer.send(Said(room="r", name="Ben", text="Hi"))
        await peer.send(Refused(id=first.id, code="not_in_room", text="No."))
        await peer.send(Ok(id=first.id, seq=1))  # ignored: the command is already answered
        await peer.socket.wait_closed()

    async with asyncio.timeout(WITHIN), Connection([await host(handle)], codec=codec) as connection:
        first = asyncio.create_task(connection.call(Resign(id=0, room="r")))
        await asyncio.sleep(0)
        second = await connection.call(GetRecord(id=0, room="r"))
        assert (type(second), getattr(second, "seq", None)) == (Ok, 2)
        with pytest.raises(RefusedError, match=r"^No\.$") as refused:
            await first
        assert refused.value.code == ErrorCode.NOT_IN_ROOM
        assert isinstance(await connection.news.get(), Welcome)
        assert isinstance(await connection.news.get(), Said)
        assert connection.news.empty()


async def test_nothing_is_sent_before_welcome(host: Host) -> None:
    """Commands wait until the server has welcomed the client, and are then sent in order."""
    seen: list[Message] = []

    async def handle(peer: Client) -> None:
        seen.append(await peer.receive())
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                seen.append(await peer.receive())
        await peer.send(WELCOME)
        for _ in range(3):
            command = await peer.command()
            seen.append(command)
            await peer.send(Ok(id=command.id))

    async with asyncio.timeout(WITHIN), Connection([await host(handle)]) as connection:
        sent = [connection.send(Say(id=0, room="r", text=text)) for text in ("a", "b", "c")]
        await asyncio.gather(*sent)
    assert [type(message) for message in seen] == [Hello, Say, Say, Say]
    assert [message.text for message in seen[1:] if isinstance(message, Say)] == ["a", "b", "c"]


async def test_unanswered_commands_are_sent_again(host: Host) -> None:
    """After a cut, unanswered commands are repeated with the same ids, by the same player, until they are answered."""
    hellos: list[Hello] = []
    commands: list[Command] = []

    async def handle(peer: Client) -> None:
        hellos.append(await peer.welcome())
        commands.append(await peer.command())
        if len(hellos) < 4:
            peer.socket.transport.abort()
        else:
            await peer.send(Ok(id=commands[-1].id))
            await peer.socket.wait_closed()

    async with asyncio.timeout(WITHIN), Connection([await host(handle)], name="Ada") as connection:
        assert isinstance(await connection.call(Resign(id=0, room="r")), Ok)
        assert connection.connects == 4
    assert len(set(commands)) == 1
    assert [(hello.token, hello.name) for hello in hellos] == [(None, "Ada"), *[("secret", None)] * 3]


async def test_a_command_is_sent_again_later_while_much_comes_in(host: Host) -> None:
    """A command that the server is too busy for is retried after a delay, however much the server sends meanwhile."""

    async def handle(peer: Client) -> None:
        await peer.welcome()
        first = await peer.command()
        await peer.send(Refused(id=first.id, code="try_again", text="Later."))
        again = asyncio.create_task(peer.command())
        while not again.done():
            await peer.send(Said(room="r", name="Ben", text="Hi"))
            await asyncio.sleep(0.005)
        assert again.result() == first
        await peer.send(Ok(id=first.id))

    async with asyncio.timeout(WITHIN), Connection([await host(handle)]) as connection:
        assert isinstance(await connection.call(Resign(id=0, room="r")), Ok)


async def test_an_unreadable_message_is_skipped(host: Host) -> None:
    """An unknown message from a newer server is skipped."""

    async def handle(peer: Client) -> None:
        await peer.welcome()
        await peer.socket.send('{"t": "fanfare", "loud": true}')
        await peer.socket.send("[")
        await peer.send(Ok(id=(await peer.command()).id))

    async with asyncio.timeout(WITHIN), Connection([await host(handle)], codec=JSON) as connection:
        assert isinstance(await connection.call(Resign(id=0, room="r")), Ok)
        assert connection.connects == 1


# -- addresses


async def test_addresses_are_tried_in_turn(host: Host) -> None:
    """An address where no server listens and an invalid address are skipped."""
    addresses = [free_address(), "ws://", "https://nowhere.invalid/ws", await host(answer_all)]
    async with asyncio.timeout(WITHIN), Connection(addresses) as connection:
        assert isinstance(await connection.call(Resign(id=0, room="r")), Ok)
        assert connection.connects == 1
        assert connection.address == addresses[-1]


@pytest.mark.parametrize("farewell", [True, False], ids=["told when leaving", "told at the beginning"])
async def test_a_client_goes_on_where_the_server_said(host: Host, farewell: bool) -> None:
    """When its server is lost for good, a client moves to the nodes that the server named."""
    other = await host(answer_all)
    ended = asyncio.Event()

    async def handle(peer: Client) -> None:
        if not ended.is_set():
            await peer.welcome(() if farewell else (other,))
            await peer.command()
            if farewell:
                await peer.send(Closing(code=CloseCode.RESTART, text="The server stops.", nodes=(other,)))
            ended.set()
        await peer.socket.close(CloseCode.RESTART)

    async with asyncio.timeout(WITHIN), Connection([await host(handle)]) as connection:
        assert isinstance(await connection.call(Resign(id=0, room="r")), Ok)
        assert ended.is_set()
        assert other in connection.addresses


async def test_a_server_that_refuses_hello_for_now_is_asked_again(host: Host) -> None:
    """A server without its store is left, and tried again; its words are known meanwhile."""
    hellos: list[Hello] = []
    problems: list[str] = []

    async def handle(peer: Client) -> None:
        if len(hellos) == 2:
            await answer_all(peer)
        hello = await peer.receive()
        assert isinstance(hello, Hello)
        hellos.append(hello)
        await peer.send(Refused(code="try_again", text="The store does not answer."))
        await peer.socket.wait_closed()

    connection = Connection([await host(handle)])
    connection.on_state = lambda _: problems.append(connection.problem)
    async with asyncio.timeout(WITHIN), connection:
        assert isinstance(await connection.call(Resign(id=0, room="r")), Ok)
        assert connection.connects == 3
        assert problems == ["The store does not answer.", ""]


async def test_a_forgotten_player_becomes_a_new_guest(host: Host) -> None:
    """A token that the server does not know is dropped, on the same connection."""

    async def handle(peer: Client) -> None:
        hello = await peer.receive()
        assert isinstance(hello, Hello)
        assert hello.token == "of long ago"
        await peer.send(Refused(code="token_unknown", text="No player has this token."))
        assert (await peer.welcome()).token is None
        await peer.send(Ok(id=(await peer.command()).id))

    async with asyncio.timeout(WITHIN), Connection([await host(handle)], token="of long ago") as connection:
        assert isinstance(await connection.call(Resign(id=0, room="r")), Ok)
        assert connection.connects == 1


# -- silence


async def test_a_silent_server_is_left(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """A silent connection is given up even though it is open and commands are being sent all the time."""
    monkeypatch.setattr(timing, "PING_INTERVAL", 0.1)
    monkeypatch.setattr(timing, "SILENCE_LIMIT", 0.8)
    silent = 0

    async def handle(peer: Client) -> None:
        nonlocal silent
        await peer.welcome()
        if silent == 0:
            silent += 1
            while True:
                await peer.receive()
        while True:
            await peer.send(Ok(id=(await peer.command()).id))

    async with asyncio.timeout(WITHIN), Connection([await host(handle)]) as connection:
        answers = []
        while connection.connects < 2:
            answers.append(connection.send(Join(id=0, room="r")))
            await asyncio.sleep(0.01)
        assert all(isinstance(answer, Ok) for answer in await asyncio.gather(*answers))


async def test_an_answer_is_fetched_elsewhere(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that waits for an answer from a silent node soon repeats the command at another node."""
    monkeypatch.setattr(timing, "PROBE_DELAY", 0.1)
    monkeypatch.setattr(timing, "PROBE_TIMEOUT", 0.5)
    other = await host(answer_all)

    async def fall_silent(peer: Client) -> None:
        await peer.welcome(nodes=(other,))
        await peer.socket.wait_closed()

    async with asyncio.timeout(WITHIN), Connection([await host(fall_silent)]) as connection:
        assert isinstance(await connection.call(Resign(id=0, room="r")), Ok)
        assert connection.connects == 2


async def test_a_server_that_does_not_read_is_left(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Data that piles up for a server that has stopped reading does not keep the client from leaving it."""
    monkeypatch.setattr(timing, "PING_INTERVAL", 0.2)
    monkeypatch.setattr(timing, "SILENCE_LIMIT", 2.0)
    stuck: list[ServerConnection] = []

    async def handle(peer: Client) -> None:
        await peer.welcome()
        if not stuck:
            stuck.append(peer.socket)
            peer.socket.transport.pause_reading()
            await peer.socket.wait_closed()
        while True:
            await peer.send(Ok(id=(await peer.command()).id))

    async with asyncio.timeout(WITHIN), Connection([await host(handle)]) as connection:
        large = Challenge(id=0, terms=Terms("replica"), position="x" * 4_000)
        last = [connection.send(large) for _ in range(3_000)][-1]  # more than the socket buffers hold
        assert isinstance(await last, Ok)
        assert connection.connects >= 2
    stuck[0].transport.abort()


# -- the end


@pytest.mark.parametrize("code", [CloseCode.TAKEN_OVER, CloseCode.SIGNED_OUT])
async def test_a_session_that_was_ended_is_not_continued(host: Host, code: CloseCode) -> None:
    """The client does not reconnect, and pending and later commands fail with the reason."""

    async def handle(peer: Client) -> None:
        await peer.welcome()
        await peer.command()
        await peer.socket.close(code, code.meaning)

    async with asyncio.timeout(WITHIN), Connection([await host(handle)]) as connection:
        for _ in range(2):
            with pytest.raises(ConnectionError, match=code.meaning):
                await connection.call(Resign(id=0, room="r"))
        assert connection.connects == 1


async def test_a_permanently_refused_hello_is_reported(host: Host) -> None:
    """A name that is refused for good is reported instead of being retried forever."""

    async def handle(peer: Client) -> None:
        await peer.receive()
        await peer.send(Refused(code="text_refused", text="That is no name."))
        await peer.socket.wait_closed()

    async with asyncio.timeout(WITHIN), Connection([await host(handle)], name="?") as connection:
        with pytest.raises(RefusedError, match="no name") as refused:
            await connection.call(Resign(id=0, room="r"))
        assert refused.value.code == ErrorCode.TEXT_REFUSED
        assert connection.connects == 1


async def test_pending_commands_fail_on_close(host: Host) -> None:
    """Pending commands fail when the connection is closed, and the server sees it close."""
    gone = asyncio.Event()

    async def handle(peer: Client) -> None:
        await peer.welcome()
        await peer.command()
        await peer.socket.wait_closed()
        gone.set()

    async with asyncio.timeout(WITHIN):
        async with Connection([await host(handle)]) as connection:
            answer = connection.send(Resign(id=0, room="r"))
            while not isinstance(await connection.news.get(), Welcome):
                pass
        with pytest.raises(ConnectionError):
            await answer
        with pytest.raises(ConnectionError):
            await connection.call(Resign(id=0, room="r"))
        await gone.wait()
