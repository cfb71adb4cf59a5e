"""What a server answers to plain HTTP, beside the WebSocket on the same port."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from urllib.parse import quote

import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families

from parlour import games
from parlour.client.connection import Connection
from parlour.protocol.messages import Create, GetRules, Ok, Paired, Queue, Record, Rules
from parlour.protocol.types import Clock, Terms
from parlour.server.archive.verify import faults, read
from tests.e2e.conftest import MakeServer
from tests.e2e.players import play_pair
from tests.e2e.processes import ServerProcess
from tests.e2e.web import ask, numbers, when
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import WITHIN, until

ON_EVERY_ANSWER = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
    "connection": "close",
}


@pytest.fixture
def valkey() -> Iterator[PrivateValkey]:
    """A store that can be taken away from its server."""
    store = PrivateValkey()
    store.start()
    yield store
    store.close()


# -- how it is


async def test_a_server_is_alive_and_ready(server: ServerProcess) -> None:
    """Both checks are answered with 200 as soon as the server has said where it listens."""
    alive, ready = await ask(server, "/healthz"), await ask(server, "/readyz")

    assert (alive.status, alive.json) == (200, {"status": "alive"})
    assert (ready.status, ready.json) == (200, {"status": "ready"})


async def test_a_server_without_its_store_is_alive_but_not_ready(
    make_server: MakeServer, valkey: PrivateValkey
) -> None:
    """It answers 503 wherever the store is needed, and recovers on its own."""
    server = make_server("--redis", valkey.url)
    await server.start()
    assert (await ask(server, "/readyz")).status == 200

    valkey.kill()
    ready = await when(server, "/readyz", 503)
    game = await when(server, "/api/v1/records/nowhere", 503)
    assert (ready.json["status"], ready.json["reason"]) == ("not ready", "unreachable")
    assert game.json["error"] == "try_again"
    assert (await ask(server, "/healthz")).status == 200
    assert (await numbers(server))["parlour_store_up"] == 0

    valkey.start()
    await when(server, "/readyz", 200)
    await when(server, "/api/v1/records/nowhere", 404)
    assert (await numbers(server))["parlour_store_up"] == 1
    assert server.errors == []


# -- numbers


async def test_metrics_can_be_read_by_prometheus(server: ServerProcess) -> None:
    """Every metric has a description and a type."""
    answer = await ask(server, "/metrics")

    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/plain")
    families = {family.name: family for family in text_string_to_metric_families(answer.body.decode())}
    ours = [family for name, family in families.items() if name.startswith("parlour_")]
    assert len(ours) >= 17
    assert all(family.documentation and family.type != "unknown" for family in ours)
    assert "process_resident_memory_bytes" in families


async def test_everything_is_counted_once(server: ServerProcess) -> None:
    """After a game, the counts of moves, messages and appends are exactly those of the game."""
    one, two = await play_pair(server.url, "replica", seed=5)
    moves = len(one.replica.moves)
    counted: dict[str, float] = {}

    async def is_empty() -> bool:
        counted.update(await numbers(server))
        return counted["parlour_connections"] == 0

    await until(is_empty)  # the server may not have noticed yet that the players have left

    def received(name: str) -> float:
        return counted[f'parlour_messages_received_total{{type="{name}"}}']

    assert moves == len(two.replica.moves) > 0
    assert counted['parlour_moves_total{game="replica"}'] == moves
    assert [received(name) for name in ("hello", "queue", "join", "play")] == [2, 2, 2, moves]
    assert received("unreadable") == 0
    assert sum(value for name, value in counted.items() if name.startswith("parlour_refusals_total")) == 0
    assert sum(value for name, value in counted.items() if name.startswith("parlour_incidents_total")) == 0

    # Each move is one append, and so is each time that a player came or went.
    appends = counted['parlour_appends_total{outcome="ok"}']
    assert moves <= appends <= moves + 8
    assert counted["parlour_append_duration_seconds_count"] == appends
    timed = sum(received(name) for name in ("hello", "queue", "join", "play"))
    assert counted["parlour_command_duration_seconds_count"] == timed
    # Each move was shown to both, and so was the end.
    assert counted["parlour_updates_delivered_total"] >= 2 * moves + 1
    assert counted["parlour_updates_dropped_total"] == 0
    assert counted["parlour_rooms_open"] == 1


async def test_refusals_are_counted_by_their_code(server: ServerProcess) -> None:
    """Each refusal is counted under the code that the client was sent."""
    async with Connection([server.url]) as connection:
        refused = await connection.send(Queue(id=0, terms=Terms("halma")))

    assert getattr(refused, "code", None) == "game_unknown"
    assert (await numbers(server))['parlour_refusals_total{code="game_unknown"}'] == 1


async def test_metrics_are_not_public(server: ServerProcess) -> None:
    """A request that a proxy forwards is refused, although the proxy runs on this machine."""
    forwarded = await ask(server, "/metrics", "GET", "X-Forwarded-For: 203.0.113.7")

    assert (forwarded.status, forwarded.json["error"]) == (403, "metrics_refused")


async def test_a_server_behind_a_proxy_with_a_path(make_server: MakeServer) -> None:
    """It answers with and without the prefix, only under its own name, and demands https from then on."""
    server = make_server(
        "--public-url", "https://localhost/parlour", "--allowed-hosts", "localhost,127.0.0.1", "--metrics", "off"
    )
    await server.start()
    page = await ask(server, "/parlour/rules/isaac", "GET", "Accept: */*")
    stripped = await ask(server, "/rules/isaac", "GET", "Accept: text/html")

    assert b'src="/parlour/app-' in page.body
    assert b'="/app-' not in page.body
    assert b'"https://localhost/parlour/pictures/rules/isaac.png"' in page.body
    assert page.body == stripped.body
    assert page.headers["strict-transport-security"].startswith("max-age=")
    assert (await ask(server, "/parlour/healthz")).status == 200
    assert (await ask(server, "/parlour/metrics")).status == 404
    async with Connection([f"ws://127.0.0.1:{server.port}/parlour/ws"]) as connection:
        assert isinstance(await connection.call(GetRules(id=0, game="isaac")), Rules)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET / HTTP/1.1\r\nHost: rebound.example\r\n\r\n")
    async with asyncio.timeout(WITHIN):
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    assert head.split()[1] == b"421"
    assert b"host_refused" in body


# -- games


async def test_a_running_game_can_be_fetched(server: ServerProcess) -> None:
    """Its record has the terms, both players, no result, and no secrets."""
    clock = Clock("fischer", 300_000, 2_000)
    async with Connection([server.url], name="Ada") as one, Connection([server.url], name="Bo") as two:
        await one.call(Queue(id=0, terms=Terms("mapello", clock=clock)))
        await two.call(Queue(id=0, terms=Terms("mapello", clock=clock)))
        async with asyncio.timeout(WITHIN):
            while not isinstance(paired := await one.news.get(), Paired):
                pass
        answer = await ask(server, f"/api/v1/records/{paired.room}")

    record = msgspec.json.decode(answer.body, type=Record)
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert (record.room, record.terms.game, record.terms.clock) == (paired.room, "mapello", clock)
    assert {player.name for player in record.players} == {"Ada", "Bo"}
    assert (record.moves, record.result) == ((), None)
    assert one.session.token is not None
    assert one.session.token.encode() not in answer.body


async def test_a_finished_game_can_be_fetched(server: ServerProcess) -> None:
    """Its record has every move and the result, and leads to the final scene."""
    one, _ = await play_pair(server.url, "replica", seed=6)
    answer = await ask(server, f"/api/v1/records/{one.room}")

    record = msgspec.json.decode(answer.body, type=Record)
    assert [recorded.move for recorded in record.moves] == one.replica.moves
    assert record.result == one.replica.result is not None
    game = games.find("replica")
    state = game.initial(game.options(record.options))
    for recorded in record.moves:
        state = game.apply(state, game.read(state, recorded.move))
    assert game.scene(state).pieces == one.replica.scene.pieces


async def test_a_finished_game_can_be_fetched_as_text(server: ServerProcess) -> None:
    """Both forms are the same valid record; a running game has no text yet."""
    async with Connection([server.url]) as solo:
        made = await solo.call(Create(id=0, terms=Terms("isaac"), levels=(None, "1")))
        assert isinstance(made, Ok)
        running = await ask(server, f"/api/v1/records/{made.room}.txt")
    one, _ = await play_pair(server.url, "isaac", seed=6)
    text = await ask(server, f"/api/v1/records/{one.room}.txt")
    data = await ask(server, f"/api/v1/records/{one.room}")

    assert (running.status, running.json["error"]) == (404, "record_unknown")
    assert (text.status, text.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    assert list(faults(read(text.body.decode()))) == []
    assert read(data.body.decode()) == read(text.body.decode())


async def test_an_unknown_game_is_not_found(server: ServerProcess) -> None:
    """The answer is 404 with a code for programs and a sentence for people."""
    for name in ("nowhere", "../healthz", "é ü", "{a}:b", "\x00", "%", "a/b", " "):
        answer = await ask(server, f"/api/v1/records/{quote(name, safe='')}")
        assert (answer.status, answer.json["error"]) == (404, "record_unknown"), name
        assert answer.json["text"].endswith("."), name
    for name in ("%ff%fe", "x" * 500):  # no UTF-8, and no id of a room
        answer = await ask(server, f"/api/v1/records/{name}")
        assert (answer.status, answer.json["error"]) == (400, "request_malformed")
    assert server.errors == []


# -- requests of all kinds


async def test_head_is_get_without_the_body(server: ServerProcess) -> None:
    """HEAD has the status and headers of GET, including the length, and nothing else."""
    for path in ("/healthz", "/readyz", "/metrics", "/", "/nothing", "/api/v1/records/nowhere"):
        get, head = await ask(server, path), await ask(server, path, "HEAD")
        assert head.body == b"", path
        assert head.status == get.status, path
        assert set(head.headers) == set(get.headers), path
        assert int(get.headers["content-length"]) == len(get.body) > 0, path
        if path != "/metrics":  # which is another one every time
            assert head.headers["content-length"] == get.headers["content-length"], path


async def test_every_response_has_the_security_headers(server: ServerProcess) -> None:
    """On paths that exist and on those that do not."""
    for path in ("/", "/healthz", "/readyz", "/metrics", "/api/v1/records/nowhere", "/nothing", "/ws"):
        headers = (await ask(server, path)).headers
        # A browser may keep a page, but has to ask whether it is still the same.
        expected = ON_EVERY_ANSWER | ({"cache-control": "no-cache"} if path in ("/", "/nothing") else {})
        assert headers | expected == headers, path
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'"), path
        assert "server" not in headers, path


async def test_other_methods_are_refused(server: ServerProcess) -> None:
    """Only GET and HEAD are allowed, and the response says so."""
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get", "BREW"):
        answer = await ask(server, "/healthz", method)
        assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD"), method
        assert answer.json["error"] == "method_not_allowed"


async def test_a_plain_request_for_the_websocket_is_refused(server: ServerProcess) -> None:
    """/ws without an upgrade is 426, with a foreign origin 403, with an unknown subprotocol 400."""
    upgrade = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13")
    key = "Sec-WebSocket-Key: c2l4dGVlbiBieXRlcyBvaw=="
    plain = await ask(server, "/ws")
    foreign = await ask(server, "/ws", "GET", *upgrade, key, "Origin: https://evil.example")
    unknown = await ask(server, "/ws", "GET", *upgrade, key, "Sec-WebSocket-Protocol: chat")

    assert (plain.status, plain.headers["upgrade"]) == (426, "websocket")
    assert (foreign.status, foreign.json["error"]) == (403, "origin_refused")
    assert (unknown.status, unknown.json["error"]) == (400, "subprotocol_unknown")
    counted = await numbers(server)
    assert counted['parlour_incidents_total{kind="bad_origin"}'] == 1
    assert counted['parlour_incidents_total{kind="bad_subprotocol"}'] == 1


async def test_bytes_that_are_not_http_are_refused(server: ServerProcess) -> None:
    """They are answered with 400, or the connection just ends, and the server carries on."""

    async def answer(nonsense: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(nonsense)
        writer.write_eof()
        async with asyncio.timeout(WITHIN):
            data = await reader.read()
        writer.close()
        return data

    assert (await answer(b"\x16\x03\x01\x02")).startswith(b"HTTP/1.1 400 ")
    assert (await answer(b"G" * 20_000)).startswith(b"HTTP/1.1 400 ")
    for nonsense in (b"GET /\r\n\r\n", b"GET / HTTP/1.1\r\nHost\r\n\r\n", b"GET \xff HTTP/9\r\n\r\n", b"GET"):
        assert b" 200 " not in await answer(nonsense)
    assert (await ask(server, "/healthz")).status == 200
    assert server.errors == []
