"""Plain HTTP on the port of the WebSocket."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
from pathlib import Path
from typing import NamedTuple

import pytest

from parlour.protocol.codec import CODECS
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.transport.http import Ask, Reply, Routes
from parlour.server.transport.incident import Incident
from parlour.server.transport.limits import Limits
from parlour.server.transport.server import Transport
from tests.server.transport.conftest import Raw, Serve
from tests.server.transport.raw_client import request
from tests.server.transport.recorder import Recorder


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def error(self) -> str:
        return str(json.loads(self.body)["error"])


async def ask(raw: Raw, transport: Transport, message: bytes) -> Answer:
    client = await raw(transport, shake=False)
    await client.send(message)
    first, *lines = (await client.head()).split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    assert len(headers) == len(lines)
    return Answer(int(first.split()[1]), headers, await client.rest())


async def echo(asked: Ask) -> Reply:
    return Reply(json.dumps([asked.rest, dict(asked.query), asked.address]).encode())


async def health(asked: Ask) -> Reply:
    return Reply(b"well\n", "text/plain; charset=utf-8", 503)


async def broken(asked: Ask) -> Reply:
    raise ZeroDivisionError("in a page")


async def endless(asked: Ask) -> Reply:
    await asyncio.Event().wait()
    raise AssertionError


async def refusing(asked: Ask) -> Reply:
    raise Refusal(ErrorCode[asked.rest.upper()], "A sentence.")


PAGES = {"/healthz": health, "/api/games/": echo, "/broken": broken, "/endless": endless, "/refuse/": refusing}


@pytest.fixture
def client_folder(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text("<!doctype html>" + "parlour " * 200)
    (tmp_path / "app-4XQZ7K2M.js").write_text("let x;" * 500)
    (tmp_path / "tiny.txt").write_text("tiny")
    return tmp_path


# -- pages of the node


async def test_a_page_answers_under_its_path(serve: Serve, raw: Raw, direct: bool) -> None:
    """With the status, kind and body that it gave; never kept by a cache."""
    answer = await ask(raw, await serve(routes=Routes(PAGES), direct=direct), request("/healthz"))
    assert (answer.status, answer.body) == (503, b"well\n")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Content-Length"] == "5"


@pytest.mark.parametrize(
    ("path", "rest", "query"),
    [
        ("/api/games/abc", "abc", {}),
        ("/api/games/abc?from=5&x=", "abc", {"from": "5", "x": ""}),
        ("/api/games/a%2Fb%20c/d", "a/b c/d", {}),
        ("/api/games/%ff%00", "\ufffd\x00", {}),
    ],
)
async def test_a_page_for_many_paths_gets_the_rest(
    serve: Serve, raw: Raw, direct: bool, path: str, rest: str, query: dict[str, str]
) -> None:
    """Decoded, and with the query apart."""
    answer = await ask(raw, await serve(routes=Routes(PAGES), direct=direct), request(path))
    assert answer.status == 200
    assert json.loads(answer.body) == [rest, query, "127.0.0.1"]


@pytest.mark.parametrize("path", ["/nothing", "/api/games/", "/api/games", "/healthz/", "/HEALTHZ", "//healthz", "/.."])
async def test_what_is_not_there_is_not_found(serve: Serve, raw: Raw, direct: bool, path: str) -> None:
    """A 404 with a sentence, for programs and for people."""
    answer = await ask(raw, await serve(routes=Routes(PAGES), direct=direct), request(path))
    assert (answer.status, answer.error) == (404, "not_found")
    assert answer.headers["Content-Type"] == "application/json"


async def test_a_strange_path_is_not_found_either(serve: Serve, raw: Raw, direct: bool) -> None:
    """Whatever stands in the first line, there is an answer; a long path is not repeated whole."""
    transport = await serve(direct=direct)
    for path in ("http://[", "*", "?", "/" + "x" * 4000, "/<script>alert(1)</script>"):
        answer = await ask(raw, transport, request(path))
        assert (answer.status, answer.error) == (404, "not_found")
        assert len(answer.body) < 300


async def test_a_failing_page_is_a_500_without_details(
    serve: Serve, raw: Raw, node: Recorder, direct: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """The traceback goes into the log, and only there."""
    with caplog.at_level(logging.ERROR):
        answer = await ask(raw, await serve(routes=Routes(PAGES), direct=direct), request("/broken"))
    assert (answer.status, answer.error) == (500, "internal")
    assert b"ZeroDivisionError" not in answer.body
    assert "ZeroDivisionError: in a page" in caplog.text
    assert node.incidents[Incident.PAGE_FAILED] == 1


async def test_a_page_that_takes_too_long_is_a_503(serve: Serve, raw: Raw, node: Recorder, direct: bool) -> None:
    """The request is answered in time, whatever the page waits for."""
    transport = await serve(Limits(page_timeout=0.05), Routes(PAGES), direct=direct)
    answer = await ask(raw, transport, request("/endless"))
    assert (answer.status, answer.error) == (503, "try_again")
    assert node.incidents[Incident.PAGE_LATE] == 1


@pytest.mark.parametrize(
    ("code", "status"),
    [
        (ErrorCode.RECORD_UNKNOWN, 404), (ErrorCode.ROOM_UNKNOWN, 404), (ErrorCode.TRY_AGAIN, 503),
        (ErrorCode.TOO_FAST, 429), (ErrorCode.REQUEST_MALFORMED, 400),
    ],
)  # fmt: skip
async def test_a_page_may_refuse_as_the_protocol_does(serve: Serve, raw: Raw, code: ErrorCode, status: int) -> None:
    """The code of the refusal decides on the status."""
    answer = await ask(raw, await serve(routes=Routes(PAGES)), request(f"/refuse/{code}"))
    assert answer.status == status
    assert json.loads(answer.body) == {"error": code, "text": "A sentence."}


# -- methods and malformed requests


@pytest.mark.parametrize("path", ["/", "/healthz", "/nothing", "/ws"])
async def test_head_gives_the_headers_of_get(serve: Serve, raw: Raw, path: str) -> None:
    """All of them, and no body."""
    transport = await serve(routes=Routes(PAGES))
    full = await ask(raw, transport, request(path))
    bare = await ask(raw, transport, request(path, "HEAD"))
    assert full.body != b""
    assert (bare.status, bare.body) == (full.status, b"")
    assert bare.headers | {"Date": ""} == full.headers | {"Date": ""}


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "FROBNICATE"])
async def test_other_methods_are_not_allowed(serve: Serve, raw: Raw, method: str) -> None:
    """With or without a body, the answer is a 405 that says what is allowed."""
    transport = await serve(routes=Routes(PAGES))
    for message in (request("/", method), request("/", method, Content_Length="5") + b"hello"):
        answer = await ask(raw, transport, message)
        assert (answer.status, answer.error) == (405, "method_not_allowed")
        assert answer.headers["Allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    "garbage", [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET " + b"x" * 20_000, b"\r\n\r\n", b"\x00"]
)
async def test_what_is_no_request_is_a_400(serve: Serve, raw: Raw, garbage: bytes) -> None:
    """TLS on a plain port, endless lines and the like are answered and ended at once."""
    answer = await ask(raw, await serve(), garbage)
    assert answer.status in (400, 405)


async def test_a_malformed_request_ends_the_connection(serve: Serve, raw: Raw, direct: bool) -> None:
    """The library does not answer those, but it does not wait either."""
    transport = await serve(direct=direct)
    for message in (b"GET /\r\n\r\n", b"GET / HTTP/3\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n"):
        client = await raw(transport, shake=False)
        await client.send(message)
        assert await client.is_over()
    assert (await ask(raw, transport, request("/"))).status == 200


# -- files


async def test_files_are_served_with_their_kind_and_tag(
    serve: Serve, raw: Raw, direct: bool, client_folder: Path
) -> None:
    """The index under the bare path; a tag saves sending it again."""
    transport = await serve(routes=Routes(PAGES, client_folder), direct=direct)
    answer = await ask(raw, transport, request("/"))
    assert answer.status == 200
    assert answer.body == (client_folder / "index.html").read_bytes()
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    again = await ask(raw, transport, request("/", If_None_Match=answer.headers["ETag"]))
    assert (again.status, again.body) == (304, b"")
    assert again.headers["ETag"] == answer.headers["ETag"]


async def test_files_are_packed_for_those_who_take_it(serve: Serve, raw: Raw, client_folder: Path) -> None:
    """Named by a hash they are kept forever; the packed form has a tag of its own."""
    transport = await serve(routes=Routes(PAGES, client_folder))
    plain = await ask(raw, transport, request("/app-4XQZ7K2M.js"))
    packed = await ask(raw, transport, request("/app-4XQZ7K2M.js", Accept_Encoding="gzip, br"))
    assert plain.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers["ETag"] != plain.headers["ETag"]
    assert (await ask(raw, transport, request("/app-4XQZ7K2M.js", If_None_Match=packed.headers["ETag"]))).status == 304


async def test_places_inside_the_client_lead_to_its_index(serve: Serve, raw: Raw, client_folder: Path) -> None:
    """A link to a game opens the client, but a missing file or a program's request is not found."""
    transport = await serve(routes=Routes(PAGES, client_folder))
    page = {"Accept": "text/html,application/xhtml+xml"}
    assert (await ask(raw, transport, request("/game/abc", **page))).headers["Content-Type"].startswith("text/html")
    assert (await ask(raw, transport, request("/game/abc"))).status == 404
    assert (await ask(raw, transport, request("/missing.js", **page))).status == 404


@pytest.mark.parametrize("path", ["/../secret", "/%2e%2e/secret", "/..%2fsecret", "/tiny.txt/../../secret", "//secret"])
async def test_nothing_outside_the_folder_is_served(
    serve: Serve, raw: Raw, client_folder: Path, path: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Files are looked up by name in memory, so no path leads out."""
    (client_folder.parent / "secret").write_text("secret")
    assert (await ask(raw, await serve(routes=Routes(PAGES, client_folder)), request(path))).status == 404


async def test_a_slow_browser_gets_the_whole_file(serve: Serve, raw: Raw, tmp_path: Path) -> None:
    """Downloading may take much longer than closing a WebSocket does."""
    body = bytes(range(256)) * 4 * 1024
    (tmp_path / "large.bin").write_bytes(body)
    limits = Limits(kernel_buffer=4096, close_timeout=0.05)
    transport = await serve(limits, Routes(PAGES, tmp_path))
    client = await raw(transport, shake=False, receive_buffer=4096)
    await client.send(request("/large.bin"))
    assert (await client.head()).startswith("HTTP/1.1 200 ")
    await asyncio.sleep(0.3)  # several times what closing may take
    assert await client.rest() == body


async def test_a_missing_folder_is_an_error_at_the_start(serve: Serve, tmp_path: Path) -> None:
    """Rather than a server without its client."""
    with pytest.raises(OSError, match="missing"):
        await serve(routes=Routes(PAGES, tmp_path / "missing"))


# -- without a client, and what every answer has


async def test_without_a_client_the_front_page_says_how_to_connect(serve: Serve, raw: Raw, direct: bool) -> None:
    """In plain text, with the address that was asked for."""
    transport = await serve(routes=Routes(PAGES, about="To play here: parlour play."), direct=direct)
    answer = await ask(raw, transport, request("/"))
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/plain; charset=utf-8")
    text = answer.body.decode()
    assert "ws://localhost/ws" in text
    assert "To play here: parlour play." in text
    assert all(name in text for name in CODECS)


async def test_a_strange_host_is_not_repeated(serve: Serve, raw: Raw) -> None:
    """What is sent to us is not sent back as if it were ours."""
    answer = await ask(raw, await serve(), request("/").replace(b"Host: localhost", b"Host: <b>evil</b>"))
    assert b"evil" not in answer.body
    assert b"ws://this-server/ws" in answer.body


@pytest.mark.parametrize("path", ["/", "/healthz", "/nothing", "/ws", "/broken"])
async def test_every_answer_has_the_safety_headers(
    serve: Serve, raw: Raw, direct: bool, client_folder: Path, path: str
) -> None:
    """Pages, files and errors alike."""
    headers = (await ask(raw, await serve(routes=Routes(PAGES, client_folder), direct=direct), request(path))).headers
    policy = headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Connection"] == "close"
    assert "Server" not in headers
