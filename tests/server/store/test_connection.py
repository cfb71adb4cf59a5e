"""The clients of redis-py."""

from __future__ import annotations

import asyncio
import ssl
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as LostConnection
from redis.exceptions import TimeoutError as TookTooLong

from parlour.server.store.connection import ANSWER_WITHIN, blocking_client, client
from parlour.server.store.pipe import Pipe
from parlour.server.store.trouble import StoreTrouble
from tests.server.store.private_valkey import PrivateValkey


async def test_shapes_are_plain(redis: Redis) -> None:
    """Answers are bytes in lists and dicts, without a second layer around them."""
    await redis.xadd("s", {"f": "v"}, id="1-0")
    assert await redis.xread({"s": "0"}) == {b"s": [(b"1-0", {b"f": b"v"})]}


async def test_a_restart_is_not_noticed(start_valkey: Callable[..., PrivateValkey]) -> None:
    """A command after Redis was started again simply works."""
    server = start_valkey()
    connected = client(server.url)
    await connected.ping()
    server.kill()
    server.start()
    assert await connected.ping()
    await connected.aclose()


async def test_redis_away_is_told_soon(start_valkey: Callable[..., PrivateValkey]) -> None:
    """Without Redis a command fails before an answer would be late."""
    server = start_valkey()
    connected = client(server.url)
    await connected.ping()
    server.kill()
    began = time.monotonic()
    with pytest.raises(LostConnection):
        await connected.ping()
    assert time.monotonic() - began < ANSWER_WITHIN
    await connected.aclose()


async def test_connections_are_bounded(redis: Redis, valkey: str) -> None:
    """Many commands at once share a few connections."""
    connected = client(valkey)
    await asyncio.gather(*(connected.incr("k") for _ in range(500)))
    assert await connected.get("k") == b"500"
    assert len(await connected.client_list()) <= 30
    await connected.aclose()


async def test_blocking_reads(redis: Redis, valkey: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client for blocking commands waits for as long as they do; the other gives up."""
    monkeypatch.setattr("parlour.server.store.connection.ANSWER_WITHIN", 0.05)
    monkeypatch.setattr("parlour.server.store.connection.RETRIES", 0)
    impatient, patient = client(valkey), blocking_client(valkey)
    assert await patient.blpop(["nothing"], timeout=0.2) is None
    with pytest.raises(TookTooLong):
        await impatient.blpop(["nothing"], timeout=0.2)
    await impatient.aclose()
    await patient.aclose()


@pytest.fixture
async def encrypted(valkey: str, tmp_path: Path) -> AsyncIterator[str]:
    """The address of the same Valkey behind TLS, with a certificate of our own for localhost in `tmp_path`."""
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")
    ask = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    name = ["-addext", "subjectAltName=DNS:localhost"]
    command = ["openssl", *ask.split(), *name, "-keyout", key, "-out", certificate]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, server = await asyncio.open_unix_connection(valkey.removeprefix("unix://"))
        await asyncio.gather(copy(reader, server), copy(answers, writer))

    async with await asyncio.start_server(serve, "localhost", 0, ssl=context) as server:
        yield f"rediss://localhost:{server.sockets[0].getsockname()[1]}/0"


async def test_tls(redis: Redis, encrypted: str, tmp_path: Path) -> None:
    """Both ways to Redis can be encrypted, with a certificate that is checked unless one says not to."""
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)  # the server side complains about the stranger
    for option in (f"ssl_ca_certs={tmp_path}/certificate.pem", "ssl_cert_reqs=none"):
        connected, pipe = client(f"{encrypted}?{option}"), Pipe(f"{encrypted}?{option}")
        await pipe.open()
        await connected.set("k", option)
        assert await pipe.call("GET", "k") == option.encode()
        await pipe.close()
        await connected.aclose()
    with pytest.raises(StoreTrouble, match=r"rediss://localhost:.* cannot be used: .*certificate"):
        await Pipe(encrypted).open(within=20)
