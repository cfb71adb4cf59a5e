"""A TLS endpoint in front of a Valkey on a Unix socket."""

from __future__ import annotations

import asyncio
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from msgspec import Struct


class TlsProxy(Struct, frozen=True):
    """Where the endpoint listens, and its self-signed certificate for localhost."""

    url: str
    certificate: Path
    key: Path


@asynccontextmanager
async def run_tls_proxy(
    valkey_socket: str, folder: Path, *, require_certificate: bool = False
) -> AsyncIterator[TlsProxy]:
    """Run the endpoint; the key and the certificate are written to `folder`. Clients may have to show them."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    name = ["-addext", "subjectAltName=DNS:localhost"]
    command = ["openssl", *request.split(), *name, "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    if require_certificate:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(certificate)

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        replies, server = await asyncio.open_unix_connection(valkey_socket)
        await asyncio.gather(copy(reader, server), copy(replies, writer))

    async with await asyncio.start_server(serve, "localhost", 0, ssl=context) as server:
        yield TlsProxy(f"rediss://localhost:{server.sockets[0].getsockname()[1]}/0", certificate, key)
