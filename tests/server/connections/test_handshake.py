"""Which clients may open a WebSocket, and which address they come from."""

from __future__ import annotations

import json

import pytest

from parlour.protocol.codec import CODECS
from parlour.server.connections.handshake import Handshake
from parlour.server.connections.incidents import Incident
from parlour.server.connections.limits import Limits
from parlour.server.connections.server import WebServer
from tests.server.connections.conftest import Raw, Serve
from tests.server.connections.raw_client import request, upgrade
from tests.server.connections.recorder import Recorder


async def ask(raw: Raw, transport: WebServer, message: bytes) -> tuple[int, dict[str, str]]:
    """Return the status of the response and, unless a WebSocket was opened, the refusal."""
    client = await raw(transport, shake=False)
    await client.send(message)
    status = int((await client.head()).split()[1])
    return status, {} if status == 101 else json.loads(await client.rest())


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("http://localhost", True),
        ("https://localhost", True),  # a proxy terminates TLS
        ("http://LOCALHOST/", True),
        ("http://localhost:80", True),
        ("http://localhost:8080", False),
        ("http://evil.example", False),
        ("http://localhost.evil.example", False),
        ("http://evil.example/localhost", False),
        ("http://localhost@evil.example", False),
        ("ftp://localhost", False),
        ("null", False),
        ("", False),
        ("http://[", False),
        ("https://friend.example", True),
        ("https://FRIEND.example", True),
        ("http://friend.example", False),
        ("https://friend.example:8443", False),
    ],
)
async def test_pages_of_other_sites_may_not_connect(
    serve: Serve, raw: Raw, node: Recorder, origin: str, allowed: bool
) -> None:
    """The server's own host may always connect, with any scheme; others only if they are listed exactly."""
    transport = await serve(origins=["https://friend.example"])
    status, refused = await ask(raw, transport, upgrade(Origin=origin))
    assert status == (101 if allowed else 403)
    assert node.incidents[Incident.BAD_ORIGIN] == (0 if allowed else 1)
    if not allowed:
        assert refused["error"] == "origin_refused"


async def test_programs_without_an_origin_may_connect(serve: Serve, raw: Raw, direct: bool) -> None:
    """Only browsers send an origin."""
    assert (await ask(raw, await serve(direct=direct), upgrade()))[0] == 101


async def test_two_origins_are_refused(serve: Serve, raw: Raw) -> None:
    """Even if one of them is allowed."""
    message = upgrade(Origin="http://localhost", origin="http://evil.example")
    assert (await ask(raw, await serve(), message))[0] == 403


async def test_a_star_allows_every_origin(serve: Serve, raw: Raw) -> None:
    """For example while developing a client."""
    assert (await ask(raw, await serve(origins=["*"]), upgrade(Origin="http://evil.example")))[0] == 101


@pytest.mark.parametrize("offer", ["", "chess", "parlour.v2+msgpack", "parlour.v1", "PARLOUR.V1+JSON"])
async def test_the_refusal_of_a_subprotocol_names_the_supported_ones(
    serve: Serve, raw: Raw, node: Recorder, direct: bool, offer: str
) -> None:
    """An HTTP 400 says what to offer."""
    status, refused = await ask(raw, await serve(direct=direct), upgrade(offer))
    assert (status, refused["error"]) == (400, "subprotocol_unknown")
    assert all(name in refused["text"] for name in CODECS)
    assert node.incidents[Incident.BAD_SUBPROTOCOL] == 1
    assert node.opened_peers == []


async def test_the_websocket_path_is_for_websockets_only(serve: Serve, raw: Raw, direct: bool) -> None:
    """A browser that opens /ws as a page is told so."""
    status, refused = await ask(raw, await serve(direct=direct), request("/ws"))
    assert (status, refused["error"]) == (426, "upgrade_required")


async def test_a_websocket_at_another_path_is_refused(serve: Serve, raw: Raw, direct: bool) -> None:
    """The refusal names /ws; a query makes no difference."""
    transport = await serve(direct=direct)
    status, refused = await ask(raw, transport, upgrade().replace(b"GET /ws ", b"GET /socket "))
    assert status == 404
    assert "The WebSocket is at /ws." in refused["text"]
    assert (await ask(raw, transport, upgrade().replace(b"GET /ws ", b"GET /ws?from=here ")))[0] == 101


async def test_a_wrong_version_of_websockets_is_refused(serve: Serve, raw: Raw, direct: bool) -> None:
    """The library checks the handshake itself."""
    client = await raw(await serve(direct=direct), shake=False)
    await client.send(upgrade().replace(b"Version: 13", b"Version: 7"))
    assert (await client.head()).startswith("HTTP/1.1 400 ")


# -- behind a proxy


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        ([], "203.0.113.7", "127.0.0.1"),
        (["192.0.2.0/24"], "203.0.113.7", "127.0.0.1"),
        (["127.0.0.1"], "203.0.113.7", "203.0.113.7"),
        (["127.0.0.0/8"], "203.0.113.7", "203.0.113.7"),
        (["127.0.0.1"], "198.51.100.9, 203.0.113.7", "203.0.113.7"),
        (["127.0.0.1", "10.0.0.0/8"], "198.51.100.9, 203.0.113.7, 10.1.2.3", "203.0.113.7"),
        (["127.0.0.1", "10.0.0.0/8"], "10.9.9.9, 10.1.2.3", "10.9.9.9"),
        (["127.0.0.1"], "2001:db8::1", "2001:db8::1"),
        (["127.0.0.1"], "::ffff:203.0.113.7", "203.0.113.7"),
        (["127.0.0.1"], "203.0.113.7, nonsense", "127.0.0.1"),
        (["127.0.0.1"], "", "127.0.0.1"),
    ],
)
async def test_only_trusted_proxies_may_name_the_client(
    serve: Serve, raw: Raw, node: Recorder, direct: bool, proxies: list[str], forwarded: str, address: str
) -> None:
    """The client's address is the last hop that is not a trusted proxy."""
    transport = await serve(proxies=proxies, direct=direct)
    client = await raw(transport, shake=False)
    await client.send(upgrade(X_Forwarded_For=forwarded))
    await node.until(lambda: bool(node.opened_peers))
    assert node.connection.address == address


async def test_limits_count_the_addresses_behind_a_proxy(serve: Serve, raw: Raw, direct: bool) -> None:
    """All connections come from the proxy, and yet each client has its own limit."""
    transport = await serve(Limits(connections_per_address=1), proxies=["127.0.0.1"], direct=direct)
    addresses = ("203.0.113.7", "203.0.113.8", "203.0.113.7")
    statuses = [(await ask(raw, transport, upgrade(X_Forwarded_For=address)))[0] for address in addresses]
    assert statuses == [101, 101, 503]


async def test_a_trusted_proxy_may_name_the_host(serve: Serve, raw: Raw) -> None:
    """Proxies often replace the Host header; X-Forwarded-Host has the browser's."""
    message = upgrade(Origin="https://play.example", X_Forwarded_Host="play.example")
    assert (await ask(raw, await serve(proxies=["127.0.0.1"]), message))[0] == 101
    assert (await ask(raw, await serve(), message))[0] == 403


def test_a_proxy_that_is_not_an_address_is_refused() -> None:
    """A mistake in the settings is found at the start."""
    with pytest.raises(ValueError, match=r"proxy\.example"):
        Handshake(proxies=["proxy.example"])
