"""How a server stops, and why one does not start."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic

import pytest
from websockets.asyncio.client import ClientConnection

from parlour.client.connection import Connection
from parlour.protocol.errors import CloseCode
from parlour.protocol.messages import Closing
from parlour.server.configuration.settings import Settings
from tests.e2e.conftest import MakeServer
from tests.e2e.processes import ServerProcess, is_running
from tests.e2e.tournament import Tournament
from tests.e2e.web import ask, when
from tests.waiting import until

GAMES = 50
OTHER = "ws://127.0.0.1:1/ws"  # the address of another node, which does not answer
STOP_WITHIN = Settings().stop_grace + 3.0  # seconds; the machine may be busy

Way = Callable[[ServerProcess], Awaitable[int]]


class Witness(Connection):
    """A connection that remembers how it ended the first time."""

    def __init__(self, address: str) -> None:
        super().__init__([address])
        self.farewells: list[Closing] = []
        self.code: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()

    async def _converse(self, socket: ClientConnection) -> bool:
        is_final = await super()._converse(socket)
        if not self.code.done():
            self.code.set_result(socket.close_code)
        return is_final

    def _take(self, number: int, frame: bytes | str, now: float) -> None:
        message = self.codec.decode_server(frame)
        if isinstance(message, Closing):
            self.farewells.append(message)
        super()._take(number, frame, now)


@pytest.mark.parametrize("way", [ServerProcess.stop, ServerProcess.interrupt])
async def test_a_stop_loses_nothing(server: ServerProcess, way: Way) -> None:
    """A server that is stopped in the middle of 50 games tells all clients, exits in time, and leaves nothing
    behind but the games, which go on when it is started again.
    """
    witnesses: list[Witness] = []

    def connect() -> Witness:
        witnesses.append(Witness(server.url))
        return witnesses[-1]

    async with Tournament(seed=6) as tournament:
        await tournament.begin(GAMES, connect)
        store = server.store
        await tournament.play_for_a_while()
        began = monotonic()
        code = await way(server)
        took = monotonic() - began

        assert code == 0
        assert took < STOP_WITHIN
        for witness in witnesses:
            assert await witness.code == CloseCode.RESTART
            (farewell,) = witness.farewells
            assert farewell.code == CloseCode.RESTART
        assert is_free(server.port)
        with pytest.raises(ProcessLookupError):
            os.kill(store, 0)
        assert not (server.data / "valkey.json").exists()  # which tells of a store that is left over

        await server.start()
        await tournament.finish()
        await tournament.check(server)
    assert server.errors == []


async def test_idle_clients_do_not_delay_a_stop(server: ServerProcess) -> None:
    """A client that never answers is aborted: a server stops in time, whatever is connected."""
    silent = [await open_and_fall_silent(server) for _ in range(3)]
    began = monotonic()

    assert await server.stop() == 0
    assert monotonic() - began < STOP_WITHIN
    assert server.errors == []
    for writer in silent:
        writer.close()


async def test_load_balancers_learn_of_a_stop_first(make_server: MakeServer) -> None:
    """During the drain delay only readiness fails: new clients connect, and games go on. A second signal ends the
    delay."""
    server = make_server("--bot-workers", "0", "--drain-delay", "5m", "--nodes", OTHER)
    await server.start()
    assert server.process is not None
    async with Tournament(seed=7) as tournament:
        witnesses: list[Witness] = []

        def connect() -> Witness:
            witnesses.append(Witness(server.url))
            return witnesses[-1]

        await tournament.begin(1, connect)
        server.process.terminate()
        ready = await when(server, "/readyz", 503)
        assert ready.json["reason"] == "stopping"
        assert (await ask(server, "/healthz")).status == 200
        await tournament.begin(2, connect)
        await tournament.play_for_a_while()
        assert await server.stop() == 0
        for witness in witnesses:
            assert await witness.code == CloseCode.RESTART
            (farewell,) = witness.farewells
            assert farewell.nodes == (OTHER,)
        await server.start()
        await tournament.finish()
    assert server.errors == []


async def test_a_store_that_hangs_does_not_keep_a_node_from_stopping(make_server: MakeServer) -> None:
    """The process ends within its grace, even if nothing can be closed properly, and its store with it."""
    server = make_server("--stop-grace", "3")
    await server.start()
    store = server.store
    os.kill(store, signal.SIGSTOP)
    try:
        assert await server.stop() == 1
    finally:
        os.kill(store, signal.SIGCONT)
    await until(lambda: not is_running(store))


async def open_and_fall_silent(server: ServerProcess) -> asyncio.StreamWriter:
    """Open a WebSocket that takes no part in closing."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(
        b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Protocol: parlour.v1+json\r\n\r\n"
    )
    assert b" 101 " in await reader.readline()
    return writer


def is_free(port: int) -> bool:
    """Return whether a server could listen there."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as every server does it
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


# -- servers that cannot begin


async def refusal(*options: str, **environment: str) -> str:
    """Return what a server that exits at once prints: one sentence, and nothing else but its log."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "parlour.cli", "serve", *options, stdout=PIPE, stderr=PIPE,
        env={**os.environ, **environment},
    )  # fmt: skip
    async with asyncio.timeout(60):
        out, told = await process.communicate()
    assert process.returncode not in (None, 0)
    assert out == b""
    (sentence,) = (line for line in told.decode().splitlines() if not line.startswith("{"))
    assert sentence.startswith("parlour: ")
    assert sentence.endswith((".", "?"))
    return sentence


async def test_two_servers_in_one_folder(server: ServerProcess) -> None:
    """The second one says which process has the folder, and the first one does not notice."""
    assert server.process is not None
    sentence = await refusal("--port", "0", "--data", str(server.data))

    assert f"(process {server.process.pid})" in sentence
    assert str(server.data) in sentence
    assert await server.stop() == 0
    assert server.errors == []


async def test_a_port_in_use(server: ServerProcess, tmp_path: Path) -> None:
    """The sentence names it, and the store that was started meanwhile is stopped."""
    sentence = await refusal("--port", str(server.port), "--data", str(tmp_path / "other"))

    assert f"127.0.0.1:{server.port}" in sentence
    assert not (tmp_path / "other" / "valkey.json").exists()


async def test_no_redis(tmp_path: Path) -> None:
    """The sentence names the address that does not answer, without the password."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        port = taken.getsockname()[1]
        sentences = await asyncio.gather(
            refusal("--port", "0", PARLOUR_REDIS=f"redis://:secret@127.0.0.1:{port}/3"),
            refusal("--port", "0", "--redis", f"unix://{tmp_path}/none"),
        )

    assert f"redis://127.0.0.1:{port}/3" in sentences[0]
    assert "secret" not in sentences[0]
    assert f"unix://{tmp_path}/none" in sentences[1]


async def test_bad_settings(tmp_path: Path) -> None:
    """The sentence says where the setting is, and what would be right."""
    (tmp_path / "parlour.toml").write_text("prot = 1", "utf-8")
    sentences = await asyncio.gather(
        refusal("--port", "http"),
        refusal(PARLOUR_FSYNC="sometimes"),
        refusal("--config", str(tmp_path / "parlour.toml")),
    )

    assert "--port" in sentences[0]
    assert "PARLOUR_FSYNC" in sentences[1]
    assert "always" in sentences[1]
    assert str(tmp_path / "parlour.toml") in sentences[2]
    assert "port" in sentences[2]
