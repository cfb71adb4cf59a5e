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
from parlour.server.connections.http import HttpReply, HttpRequest, Routes
from parlour.server.connections.incidents import Incident
from parlour.server.connections.limits import Limits
from parlour.server.connections.server import WebServer
from tests.server.connections.conftest import Raw, Serve
from tests.server.connections.raw_client import request
from tests.server.connections.recorder import Recorder


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def error(self) -> str:
        return str(json.loads(self.body)["error"])


async def ask(raw: Raw, transport: WebServer, message: bytes) -> Answer:
    client = await raw(transport, shake=False)
    await client.send(message)
    first, *lines = (await client.head()).split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    assert len(headers) == len(lines)
    return Answer(int(first.split()[1]), headers, await client.rest())


async def echo(asked: HttpRequest) -> HttpReply:
    return HttpReply(json.dumps([asked.rest, dict(asked.query), asked.address]).encode())


async def health(asked: HttpRequest) -> HttpReply:
    return HttpReply(b"well\n", "text/plain; charset=utf-8", 503)


async def broken(asked: HttpRequest) -> HttpReply:
    raise ZeroDivisionError("in a page")


async def endless(asked: HttpRequest) -> HttpReply:
    await asyncio.Event().wait()
    raise AssertionError


async def refusing(asked: HttpRequest) -> HttpReply:
    raise Refusal(ErrorCode[asked.rest.upper()], "A sentence.")


ENDPOINTS = {"/healthz": health, "/echo/": echo, "/broken": broken, "/endless": endless, "/refuse/": refusing}


@pytest.fixture
def client_folder(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text("<!doctype html>" + "parlour " * 200)
    (tmp_path / "app-4XQZ7K2M.js").write_text("let x;" * 500)
    (tmp_path / "tiny.txt").write_text("tiny")
    return tmp_path


# -- pages of the node


async def test_an_endpoint_replies_under_its_path(serve: Serve, raw: Raw, direct: bool) -> None:
    """With its status, content type and body; no cache keeps it."""
    answer = await ask(raw, await serve(routes=Routes(ENDPOINTS), direct=direct), request("/healthz"))
    assert (answer.status, answer.body) == (503, b"well\n")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Content-Length"] == "5"


@pytest.mark.parametrize(
    ("path", "rest", "query"),
    [
        ("/echo/abc", "abc", {}),
        ("/echo/abc?from=5&x=", "abc", {"from": "5", "x": ""}),
        ("/echo/a%2Fb%20c/d", "a/b c/d", {}),
        ("/echo/%ff%00", "\ufffd\x00", {}),
    ],
)
async def test_an_endpoint_for_many_paths_is_given_the_rest(
    serve: Serve, raw: Raw, direct: bool, path: str, rest: str, query: dict[str, str]
) -> None:
    """Decoded, and without the query."""
    answer = await ask(raw, await serve(routes=Routes(ENDPOINTS), direct=direct), request(path))
    assert answer.status == 200
    assert json.loads(answer.body) == [rest, query, "127.0.0.1"]


@pytest.mark.parametrize("path", ["/nothing", "/echo/", "/echo", "/healthz/", "/HEALTHZ", "//healthz", "/.."])
async def test_an_unknown_path_is_not_found(serve: Serve, raw: Raw, direct: bool, path: str) -> None:
    """A 404 with a code and a sentence."""
    answer = await ask(raw, await serve(routes=Routes(ENDPOINTS), direct=direct), request(path))
    assert (answer.status, answer.error) == (404, "not_found")
    assert answer.headers["Content-Type"] == "application/json"


async def test_a_malformed_path_is_not_found_either(serve: Serve, raw: Raw, direct: bool) -> None:
    """Every request is answered; a long path is not repeated in full."""
    transport = await serve(direct=direct)
    for path in ("http://[", "*", "?", "/" + "x" * 4000, "/<script>alert(1)</script>"):
        answer = await ask(raw, transport, request(path))
        assert (answer.status, answer.error) == (404, "not_found")
        assert len(answer.body) < 300


async def test_a_failing_endpoint_is_a_500_without_details(
    serve: Serve, raw: Raw, node: Recorder, direct: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Only the log has the traceback."""
    with caplog.at_level(logging.ERROR):
        answer = await ask(raw, await serve(routes=Routes(ENDPOINTS), direct=direct), request("/broken"))
    assert (answer.status, answer.error) == (500, "internal")
    assert b"ZeroDivisionError" not in answer.body
    assert "ZeroDivisionError: in a page" in caplog.text
    assert node.incidents[Incident.ENDPOINT_FAILED] == 1


async def test_an_endpoint_that_takes_too_long_is_a_503(serve: Serve, raw: Raw, node: Recorder, direct: bool) -> None:
    """The request is answered in time, whatever the endpoint waits for."""
    transport = await serve(Limits(endpoint_timeout=0.05), Routes(ENDPOINTS), direct=direct)
    answer = await ask(raw, transport, request("/endless"))
    assert (answer.status, answer.error) == (503, "try_again")
    assert node.incidents[Incident.ENDPOINT_TIMEOUT] == 1


@pytest.mark.parametrize(
    ("code", "status"),
    [
        (ErrorCode.RECORD_UNKNOWN, 404), (ErrorCode.ROOM_UNKNOWN, 404), (ErrorCode.TRY_AGAIN, 503),
        (ErrorCode.TOO_FAST, 429), (ErrorCode.REQUEST_MALFORMED, 400),
    ],
)  # fmt: skip
async def test_an_endpoint_may_raise_a_refusal(serve: Serve, raw: Raw, code: ErrorCode, status: int) -> None:
    """The code of the refusal determines the status."""
    answer = await ask(raw, await serve(routes=Routes(ENDPOINTS)), request(f"/refuse/{code}"))
    assert answer.status == status
    assert json.loads(answer.body) == {"error": code, "text": "A sentence."}


# -- methods and malformed requests


@pytest.mark.parametrize("path", ["/", "/healthz", "/nothing", "/ws"])
async def test_head_returns_the_headers_of_get(serve: Serve, raw: Raw, path: str) -> None:
    """All of them, and no body."""
    transport = await serve(routes=Routes(ENDPOINTS))
    full = await ask(raw, transport, request(path))
    bare = await ask(raw, transport, request(path, "HEAD"))
    assert full.body != b""
    assert (bare.status, bare.body) == (full.status, b"")
    assert bare.headers | {"Date": ""} == full.headers | {"Date": ""}


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "FROBNICATE"])
async def test_other_methods_are_not_allowed(serve: Serve, raw: Raw, method: str) -> None:
    """With or without a body, the response is a 405 that says what is allowed."""
    transport = await serve(routes=Routes(ENDPOINTS))
    for message in (request("/", method), request("/", method, Content_Length="5") + b"hello"):
        answer = await ask(raw, transport, message)
        assert (answer.status, answer.error) == (405, "method_not_allowed")
        assert answer.headers["Allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    "garbage", [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET " + b"x" * 20_000, b"\r\n\r\n", b"\x00"]
)
async def test_bytes_that_are_not_a_request_are_a_400(serve: Serve, raw: Raw, garbage: bytes) -> None:
    """TLS on a plain port and endless lines are answered and ended at once."""
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


async def test_files_are_served_with_their_content_type_and_etag(
    serve: Serve, raw: Raw, direct: bool, client_folder: Path
) -> None:
    """The index is served at the root; an ETag saves sending it again."""
    transport = await serve(routes=Routes(ENDPOINTS, client_folder), direct=direct)
    answer = await ask(raw, transport, request("/"))
    assert answer.status == 200
    assert answer.body == (client_folder / "index.html").read_bytes()
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    again = await ask(raw, transport, request("/", If_None_Match=answer.headers["ETag"]))
    assert (again.status, again.body) == (304, b"")
    assert again.headers["ETag"] == answer.headers["ETag"]


async def test_files_are_compressed_for_clients_that_accept_it(serve: Serve, raw: Raw, client_folder: Path) -> None:
    """Files named by a hash are cached forever; the compressed form has its own ETag."""
    transport = await serve(routes=Routes(ENDPOINTS, client_folder))
    plain = await ask(raw, transport, request("/app-4XQZ7K2M.js"))
    packed = await ask(raw, transport, request("/app-4XQZ7K2M.js", Accept_Encoding="gzip, br"))
    assert plain.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers["ETag"] != plain.headers["ETag"]
    assert (await ask(raw, transport, request("/app-4XQZ7K2M.js", If_None_Match=packed.headers["ETag"]))).status == 304


async def test_every_other_path_is_a_page(serve: Serve, raw: Raw, client_folder: Path) -> None:
    """Whatever the client accepts, the page gets the path and the origin; endpoints and files keep theirs."""

    async def page(asked: HttpRequest) -> HttpReply:
        body = f"<p>{asked.rest} {asked.origin}</p>".encode()
        return HttpReply(body, "text/html; charset=utf-8", 404 if asked.rest == "/no" else 200, "no-cache")

    transport = await serve(routes=Routes(ENDPOINTS, client_folder, page))
    for path, status in (("/", 200), ("/game/abc.d", 200), ("/missing.js", 200), ("/no", 404)):
        for accept in ("*/*", "text/html", "application/json"):
            answer = await ask(raw, transport, request(path, Accept=accept))
            assert (answer.status, answer.headers["Content-Type"]) == (status, "text/html; charset=utf-8")
            assert answer.body.startswith(f"<p>{path} http://".encode())
            assert answer.headers["Cache-Control"] == "no-cache"
    packed = await ask(raw, transport, request("/", Accept_Encoding="gzip", X_Forwarded_Proto="https"))
    assert gzip.decompress(packed.body).startswith(b"<p>/ https://")
    assert (await ask(raw, transport, request("/tiny.txt"))).body == b"tiny"
    assert (await ask(raw, transport, request("/echo/abc"))).headers["Content-Type"] == "application/json"


async def test_without_pages_an_unknown_path_is_not_found(serve: Serve, raw: Raw, client_folder: Path) -> None:
    """The answer is JSON with a code, whatever the client accepts."""
    transport = await serve(routes=Routes(ENDPOINTS, client_folder))
    assert (await ask(raw, transport, request("/game/abc", Accept="text/html"))).error == "not_found"


@pytest.mark.parametrize("path", ["/../secret", "/%2e%2e/secret", "/..%2fsecret", "/tiny.txt/../../secret", "//secret"])
async def test_nothing_outside_the_folder_is_served(
    serve: Serve, raw: Raw, client_folder: Path, path: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Files are looked up by name in memory, so no path leads out."""
    (client_folder.parent / "secret").write_text("secret")
    assert (await ask(raw, await serve(routes=Routes(ENDPOINTS, client_folder)), request(path))).status == 404


async def test_a_slow_browser_gets_the_whole_file(serve: Serve, raw: Raw, tmp_path: Path) -> None:
    """A download may take much longer than closing a WebSocket."""
    body = bytes(range(256)) * 4 * 1024
    (tmp_path / "large.bin").write_bytes(body)
    limits = Limits(kernel_buffer=4096, close_timeout=0.05)
    transport = await serve(limits, Routes(ENDPOINTS, tmp_path))
    client = await raw(transport, shake=False, receive_buffer=4096)
    await client.send(request("/large.bin"))
    assert (await client.head()).startswith("HTTP/1.1 200 ")
    await asyncio.sleep(0.3)  # several times what closing may take
    assert await client.rest() == body


async def test_a_missing_folder_is_an_error_at_the_start(serve: Serve, tmp_path: Path) -> None:
    """Instead of a server without its client."""
    with pytest.raises(OSError, match="missing"):
        await serve(routes=Routes(ENDPOINTS, tmp_path / "missing"))


# -- without a client, and what every answer has


async def test_without_a_client_the_front_page_says_how_to_connect(serve: Serve, raw: Raw, direct: bool) -> None:
    """In plain text, with the address of the request."""
    transport = await serve(routes=Routes(ENDPOINTS, about="To play here: parlour play."), direct=direct)
    answer = await ask(raw, transport, request("/"))
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/plain; charset=utf-8")
    text = answer.body.decode()
    assert "ws://localhost/ws" in text
    assert "To play here: parlour play." in text
    assert all(name in text for name in CODECS)


async def test_a_malformed_host_is_not_repeated(serve: Serve, raw: Raw) -> None:
    """Input is not sent back as if it were the server's."""
    answer = await ask(raw, await serve(), request("/").replace(b"Host: localhost", b"Host: <b>evil</b>"))
    assert b"evil" not in answer.body
    assert b"ws://this-server/ws" in answer.body


@pytest.mark.parametrize("path", ["/", "/healthz", "/nothing", "/ws", "/broken"])
async def test_every_response_has_the_security_headers(
    serve: Serve, raw: Raw, direct: bool, client_folder: Path, path: str
) -> None:
    """Endpoints, files and errors alike."""
    headers = (
        await ask(raw, await serve(routes=Routes(ENDPOINTS, client_folder), direct=direct), request(path))
    ).headers
    policy = headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Connection"] == "close"
    assert "Server" not in headers
