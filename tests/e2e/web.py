"""Plain HTTP over a bare socket, and the server's metrics."""

from __future__ import annotations

import asyncio
import json
from typing import Any, NamedTuple

from tests.e2e.processes import ServerProcess
from tests.waiting import until

WITHIN = 60.0  # seconds


class Answer(NamedTuple):
    """An HTTP response; header names are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        assert self.headers["content-type"] == "application/json"
        return json.loads(self.body)


async def ask(server: ServerProcess, path: str, method: str = "GET", *headers: str) -> Answer:
    """Send one request and return the answer. The server ends the connection after it."""
    async with asyncio.timeout(WITHIN):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write("\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode())
        data = await reader.read()
        writer.close()
        await writer.wait_closed()
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    fields = (line.partition(": ") for line in lines)
    return Answer(int(first.split()[1]), {name.lower(): value for name, _, value in fields}, body)


async def when(server: ServerProcess, path: str, status: int) -> Answer:
    """Wait until a path is answered with this status; return the answer."""
    answers: list[Answer] = []

    async def has_status() -> bool:
        answers.append(await ask(server, path))
        return answers[-1].status == status

    await until(has_status)
    return answers[-1]


async def numbers(server: ServerProcess) -> dict[str, float]:
    """Return every sample of /metrics, by its name and labels as they are written there."""
    answer = await ask(server, "/metrics")
    samples = (line.rpartition(" ") for line in answer.body.decode().splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in samples}
