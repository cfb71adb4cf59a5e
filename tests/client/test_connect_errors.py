"""Why a connection cannot be opened, with real sockets at the other end."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from parlour.client.connect_errors import ConnectCode, ConnectError
from parlour.client.connection import Connection
from parlour.client.websocket import open_socket
from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Ok, WatchLobby
from tests.waiting import WITHIN

Reply = Callable[[bytes], Awaitable[str]]


@pytest.fixture
async def replies() -> AsyncIterator[Reply]:
    """Return the address of a server that answers every request with these bytes, and closes the connection."""
    async with AsyncExitStack() as stack:

        async def start(reply: bytes) -> str:
            async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                await reader.read(4096)
                with suppress(ConnectionError):
                    writer.write(reply)
                    await writer.drain()
                writer.close()

            server = await asyncio.start_server(answer, "127.0.0.1", 0)
            stack.push_async_callback(server.wait_closed)
            stack.callback(server.close)
            return f"127.0.0.1:{server.sockets[0].getsockname()[1]}"

        yield start


def http(status: str, body: bytes = b"", headers: str = "") -> bytes:
    return f"HTTP/1.1 {status}\r\n{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body


async def failure(address: str, timeout: float = WITHIN) -> ConnectError:
    """Return why a connection cannot be opened."""
    with pytest.raises(ConnectError) as failed:
        await open_socket(address, MSGPACK, timeout)
    assert failed.value.sentence.endswith(".")
    return failed.value


async def test_no_server() -> None:
    """Without a server the sentence names the address; trying again may help."""
    error = await failure("ws://127.0.0.1:9/ws")
    assert (error.code, error.is_temporary) == (ConnectCode.REFUSED, True)
    assert error.sentence.startswith("Nothing listens at 127.0.0.1:9. ")


async def test_no_host() -> None:
    """A name that cannot be resolved is named."""
    error = await failure("ws://no-such-host.invalid/ws")
    assert error.code in (ConnectCode.HOST_UNKNOWN, ConnectCode.HTTP_STATUS)  # the latter behind an HTTP proxy


async def test_no_address() -> None:
    """An address that is none, as a server may announce it, is reported like any other failure."""
    assert (await failure("ws://")).code is ConnectCode.ADDRESS_INVALID


async def test_a_wrong_path(replies: Reply) -> None:
    """A web server without the path is named with its status, and the advice is to leave the path out."""
    error = await failure(f"ws://{await replies(http('404 Not Found'))}/games")
    assert (error.code, error.is_temporary) == (ConnectCode.HTTP_STATUS, False)
    assert "at /games on 127.0.0.1:" in error.sentence
    assert "(HTTP 404). Write only the host and the port." in error.sentence


async def test_an_overloaded_server(replies: Reply) -> None:
    """A server that is not available may be later, and its own words are passed on."""
    body = json.dumps({"error": "try_again", "text": "The server is stopping."}).encode()
    error = await failure(f"ws://{await replies(http('503 Service Unavailable', body))}/ws")
    assert (error.code, error.is_temporary) == (ConnectCode.HTTP_STATUS, True)
    assert "(HTTP 503: The server is stopping)." in error.sentence


async def test_another_version(replies: Reply) -> None:
    """A server that only speaks another version of the protocol is named together with both versions."""
    body = json.dumps({"error": "subprotocol_unknown", "text": "Offer one of these subprotocols: parlour.v2."}).encode()
    error = await failure(f"ws://{await replies(http('400 Bad Request', body))}/ws")
    assert (error.code, error.is_temporary) == (ConnectCode.VERSION_MISMATCH, False)
    assert "speaks parlour.v2, but this program speaks parlour.v1+msgpack and parlour.v1+json." in error.sentence
    newer = Subprotocol("parlour.v2")
    async with serve(_wait, "127.0.0.1", 0, subprotocols=[newer], select_subprotocol=lambda *_: newer) as server:
        error = await failure(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/ws")
        assert error.code is ConnectCode.VERSION_MISMATCH
        assert "speaks parlour.v2, but" in error.sentence


async def test_tls_where_there_is_none(replies: Reply) -> None:
    """An https address of a server without TLS is recognized."""
    error = await failure(f"wss://{await replies(http('400 Bad Request'))}/ws")
    assert (error.code, error.is_temporary) == (ConnectCode.TLS_MISSING, False)
    assert "http:// instead of https://" in error.sentence


async def test_no_tls_where_there_is_tls(replies: Reply, tmp_path: Path) -> None:
    """An http address of a server with TLS is recognized, and so is a certificate that is not valid."""
    error = await failure(f"ws://{await replies(http('400 Bad Request', b'The plain request was sent to HTTPS'))}/ws")
    assert error.code is ConnectCode.TLS_REQUIRED
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = f"openssl req -x509 -newkey rsa:2048 -nodes -keyout {key} -out {certificate} -days 2 -subj /CN=localhost"
    subprocess.run(command.split(), capture_output=True, check=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    async with serve(_wait, "127.0.0.1", 0, ssl=context) as server:
        where = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        error = await failure(f"ws://{where}/ws")
        assert error.code is ConnectCode.CLOSED
        assert "It may expect https:// instead of http://" in error.sentence
        error = await failure(f"wss://{where}/ws")
        assert (error.code, error.is_temporary) == (ConnectCode.CERTIFICATE_INVALID, False)
        assert "self-signed certificate" in error.sentence


async def test_a_redirect(replies: Reply) -> None:
    """A redirect to another scheme is not followed silently: the sentence has the new address."""
    moved = http("301 Moved Permanently", headers="Location: https://play.example.org/\r\n")
    error = await failure(f"ws://{await replies(moved)}/ws")
    assert error.code is ConnectCode.REDIRECTED
    assert "redirects to https://play.example.org/. Use that address." in error.sentence


async def test_other_servers(replies: Reply) -> None:
    """A server that speaks no HTTP, or a WebSocket server without Parlour's protocol, is not a Parlour server."""
    other = await replies(b"SSH-2.0-Example\r\n")
    assert (await failure(f"ws://{other}/ws")).code is ConnectCode.NOT_HTTP
    async with serve(_wait, "127.0.0.1", 0) as server:
        error = await failure(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/ws")
        assert (error.code, error.is_temporary) == (ConnectCode.NOT_PARLOUR, False)


async def test_silence() -> None:
    """A server that never answers is given up after the timeout."""
    with socket.create_server(("127.0.0.1", 0)) as listening:  # accepts nothing
        error = await failure(f"ws://127.0.0.1:{listening.getsockname()[1]}/ws", 0.1)
    assert error.code is ConnectCode.TIMEOUT
    assert error.sentence.endswith("did not answer within 0.1 seconds.")


async def test_before_the_welcome() -> None:
    """A server that sends something unreadable in place of welcome, or closes the connection, is explained too."""

    async def babble(peer: ServerConnection) -> None:
        await peer.recv()
        await peer.send(b"\xc1")
        await peer.wait_closed()

    async def close(peer: ServerConnection) -> None:
        await peer.recv()
        await peer.close(1013, "No room.")

    for handler, code, words in (
        (babble, ConnectCode.VERSION_MISMATCH, "speaks another version of it"),
        (close, ConnectCode.CLOSED, "closed the connection: No room."),
    ):
        async with serve(handler, "127.0.0.1", 0, subprotocols=[Subprotocol(MSGPACK.subprotocol)]) as server:
            address = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/ws"
            async with asyncio.timeout(WITHIN), Connection([address], wait=False) as connection:
                with pytest.raises(ConnectError, match=words) as failed:
                    await connection.ask(WatchLobby(id=0), Ok)
                assert failed.value.code is code


async def _wait(peer: ServerConnection) -> None:
    await peer.wait_closed()
