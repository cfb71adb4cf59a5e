"""The clients of the fuzzer notice what the server must not do."""

from __future__ import annotations

import asyncio
from random import Random

from bench.fuzz.frames import Known
from bench.fuzz.visits import Tally, Visit


async def test_the_status_500_is_a_violation() -> None:
    """A connection that the server just closes is none."""

    async def fail(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        if b"Sec-WebSocket-Protocol" not in head:
            writer.write(b"HTTP/1.1 500 Internal Server Error\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(fail, "127.0.0.1", 0)
    async with server:
        tally = Tally()
        port = server.sockets[0].getsockname()[1]
        for seed in range(60):
            await Visit(port, "127.0.0.1", Random(seed), Known(), tally).run(20)
    assert len(tally.violations) == tally.statuses["500"] > 0
    assert all(each.startswith("HTTP 500") for each in tally.violations)
