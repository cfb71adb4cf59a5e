"""What all responses of the API have in common."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack, suppress

from redis.asyncio import Redis

from parlour.server.connections.limits import Limits
from tests.server.api.http_client import HttpClient
from tests.server.running_node import running_node
from tests.waiting import WITHIN


async def test_a_reply_that_is_known_is_not_sent_again(http: HttpClient) -> None:
    """Its ETag tells."""
    first = await http.get("/games")
    again = await http.get("/games", f"If-None-Match: {first.headers['etag']}")
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert (await http.get("/games", 'If-None-Match: "another"')).status == 200


async def test_head_is_get_without_the_body(http: HttpClient) -> None:
    """With the length that it would have."""
    get, head = await http.get("/games"), await http.request("HEAD", "/games")
    assert (head.status, head.body) == (200, b"")
    assert head.headers["content-length"] == str(len(get.body))


async def test_pages_of_other_sites_may_use_it(http: HttpClient) -> None:
    """A browser asks first; refusals can be read as well."""
    asked = await http.request("OPTIONS", "/rooms/r/moves", "Origin: https://example.org")
    assert (asked.status, asked.headers["allow"]) == (204, "GET, HEAD, POST, OPTIONS")
    assert asked.headers["access-control-allow-methods"] == asked.headers["allow"]
    assert "Authorization" in asked.headers["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in asked.headers
    for path in ("/games", "/games/chess", "/nothing"):
        assert (await http.get(path)).headers["access-control-allow-origin"] == "*", path


async def test_other_methods_are_not_allowed(http: HttpClient) -> None:
    """The answer says which are."""
    for method, path, allow in (("DELETE", "/games", "GET, HEAD, OPTIONS"), ("GET", "/guests", "POST, OPTIONS")):
        answer = await http.request(method, path)
        assert (answer.status, answer.headers["allow"]) == (405, allow)
    assert (await http.get("/nothing")).json["error"] == "not_found"


async def test_a_wrong_token_is_refused_everywhere(http: HttpClient) -> None:
    """Even for what is public, so that a client learns of it."""
    for client in (http.with_token("wrong"), http.with_token("x" * 200)):
        answer = await client.get("/games")
        assert (answer.status, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert (await http.get("/me", "Authorization: Basic YTpi")).status == 401


async def test_limits_are_told(valkey: str, redis: Redis) -> None:
    """Every response says what is left, and one over the limit when to come back."""
    async with running_node(valkey, limits=Limits(address_rate=0.01, address_burst=2)) as strict:
        http = HttpClient.of(strict)
        answers = [await http.get("/games") for _ in range(3)]
    assert [answer.status for answer in answers] == [200, 200, 429]
    assert [answer.headers["ratelimit-limit"] for answer in answers[:2]] == ["2", "2"]
    assert [answer.headers["ratelimit-remaining"] for answer in answers[:2]] == ["1", "0"]
    assert int(answers[1].headers["ratelimit-reset"]) > int(answers[0].headers["ratelimit-reset"]) > 0
    assert int(answers[2].headers["retry-after"]) > 0


async def test_bodies_may_be_chunked_and_are_bounded(http: HttpClient) -> None:
    """What is too large is refused before it is read."""
    body = json.dumps({"name": "Ada"}).encode()
    chunked = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    made = await http.request("POST", "/guests", "Transfer-Encoding: chunked", body=chunked)
    assert made.json["you"]["name"] == "Ada"
    large = await http.request("POST", "/guests", body=b" " * 70_000)
    assert (large.status, large.json["error"]) == (413, "request_too_large")
    assert (await http.request("GET", "/games", body=b"{}")).status == 400
    assert (await http.get("/games/" + "x" * 9_000)).status == 414


async def test_a_slow_request_is_given_up(valkey: str, redis: Redis) -> None:
    """A body has to arrive within the time for a request, however little of it comes at a time."""
    async with running_node(valkey, limits=Limits(handshake_timeout=0.3)) as node:
        reader, writer = await asyncio.open_connection("127.0.0.1", HttpClient.of(node).port)
        writer.write(b"POST /api/v1/guests HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n")
        received = b""
        async with asyncio.timeout(WITHIN):
            with suppress(ConnectionError):
                while not reader.at_eof():
                    writer.write(b" ")
                    with suppress(TimeoutError):
                        async with asyncio.timeout(0.05):
                            received += await reader.read(100)
        writer.close()
    assert received == b""


async def test_streams_end_when_the_node_stops(valkey: str, redis: Redis) -> None:
    """With the last chunk, so that the client knows that nothing is missing."""
    async with AsyncExitStack() as stack:
        async with running_node(valkey) as node:
            lines = await stack.enter_async_context(HttpClient.of(node).stream("/lobby/stream"))
            await lines.next("lobby")
        async with asyncio.timeout(WITHIN):
            while await lines.chunk():
                pass
    assert lines.status == 200
