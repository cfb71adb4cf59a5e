"""The port of operators: tokens, limits, and requests that are none."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from parlour.server.admin.api import AdminApi
from parlour.server.admin.http_server import LOCKED_FOR, MAX_ATTEMPTS, AdminServer, Attempts
from parlour.server.admin.operators import Operators
from parlour.server.connections.static_files import File

TOKEN = "t" * 40
PAGE = File("text/html", b"<!doctype html>", None, "tag", "no-cache")


@pytest.fixture
async def server(api: AdminApi) -> AsyncIterator[AdminServer]:
    """A server with one operator and a page."""
    opened = AdminServer(api, Operators({"nora": TOKEN}), {"/index.html": PAGE, "/": PAGE})
    await opened.open("127.0.0.1", 0)
    yield opened
    await opened.close()


async def send(server: AdminServer, data: str) -> tuple[int, str, bytes]:
    """Send bytes; return the status, the headers and the body of the response."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(data.encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return int(head.split(b" ", 2)[1]), head.decode(), body


async def request(server: AdminServer, line: str, token: str = TOKEN, body: str = "") -> tuple[int, Any]:
    """Send a request; return its status and the JSON of the answer."""
    headers = f"Host: localhost\r\nAuthorization: Bearer {token}\r\nContent-Length: {len(body)}\r\n"
    status, _, answer = await send(server, f"{line} HTTP/1.1\r\n{headers}\r\n{body}")
    return status, json.loads(answer)


async def test_an_operator_is_known_by_the_token(server: AdminServer) -> None:
    """Without a valid token, nothing is read and nothing is done."""
    assert await request(server, "GET /api/operator") == (200, {"name": "nora"})
    for token in ("", "wrong", TOKEN[:-1]):
        status, answer = await request(server, "POST /api/announce", token, '{"text": "hello", "reason": "fun"}')
        assert (status, answer["error"]) == (401, "token_unknown")
    assert await request(server, "GET /api/audit") == (200, [])


async def test_attempts_are_limited(server: AdminServer) -> None:
    """After ten wrong tokens an address has to wait, even with the right one."""
    for _ in range(MAX_ATTEMPTS):
        assert (await request(server, "GET /api/operator", "wrong"))[0] == 401
    status, answer = await request(server, "GET /api/operator")
    assert (status, answer["error"]) == (429, "too_many_sign_ins")


def test_attempts_are_forgotten() -> None:
    """A minute after the last wrong token, an address may try again; others may always."""
    attempts = Attempts()
    for _ in range(MAX_ATTEMPTS):
        assert attempts.wait("a", 0.0) == 0.0
        attempts.failed("a", 0.0)
    assert attempts.wait("a", 1.0) == LOCKED_FOR - 1.0
    assert attempts.wait("b", 1.0) == 0.0
    assert attempts.wait("a", LOCKED_FOR) == 0.0


async def test_refusals_have_a_code_and_a_sentence(server: AdminServer) -> None:
    """As everywhere else."""
    status, answer = await request(server, "GET /api/players/missing%20player")
    assert (status, answer["error"]) == (404, "player_unknown")
    status, answer = await request(server, "GET /api/praise")
    assert (status, answer["error"]) == (404, "not_found")
    status, answer = await request(server, "DELETE /api/audit")
    assert (status, answer["error"]) == (405, "method_not_allowed")


async def test_a_name_may_have_a_slash_in_its_encoding(server: AdminServer) -> None:
    """Each part of a path is decoded by itself."""
    status, answer = await request(server, "GET /api/players/a%2Fb")
    assert (status, answer["error"]) == (404, "player_unknown")
    assert "a/b" in answer["text"]


async def test_the_page_needs_no_token(server: AdminServer) -> None:
    """It has no secrets, and the same headers as the page of the players."""
    for path in ("/", "/players/Sedge"):
        status, head, body = await send(server, f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert (status, body) == (200, PAGE.body)
        assert "Content-Security-Policy: default-src 'none'" in head
    status, _, _ = await send(server, "GET /missing.js HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert status == 404


LONG = f"POST /api/announce HTTP/1.1\r\nHost: a\r\nX: {'x' * 20_000}"


@pytest.mark.parametrize("data", ["hello\r\n\r\n", "GET / HTTP/9\r\n\r\n", LONG], ids=["text", "version", "long"])
async def test_what_is_no_request_is_refused(server: AdminServer, data: str) -> None:
    """The connection is closed after the answer."""
    status, _, _ = await send(server, data)
    assert status == 400
