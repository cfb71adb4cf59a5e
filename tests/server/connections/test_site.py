"""Path prefix, allowed hosts, and requests of this machine."""

from __future__ import annotations

import pytest
from websockets.datastructures import Headers

from parlour.server.connections.site import Site, host_name, is_local


@pytest.mark.parametrize(
    ("target", "local"),
    [
        ("/parlour/ws", "/ws"),
        ("/parlour/api/v1/records/x?y=/parlour", "/api/v1/records/x?y=/parlour"),
        ("/parlour/", "/"),
        ("/parlour", "/"),
        ("/parlour?x", "/?x"),
        ("/parlours", "/parlours"),
        ("/ws", "/ws"),
    ],
)
def test_the_prefix_is_removed(target: str, local: str) -> None:
    """Only where it is a whole part of the path; targets without it stay as they are."""
    assert Site("/parlour").local_target(target) == local


def test_without_a_prefix_targets_stay_as_they_are() -> None:
    """The default is the root of the host."""
    assert Site().local_target("/parlour/ws") == "/parlour/ws"


@pytest.mark.parametrize(
    ("hosts", "allowed"),
    [
        (["play.example.org"], True),
        (["PLAY.example.org:8443"], True),
        (["[::1]:8765"], True),
        (["evil.example"], False),
        (["play.example.org.evil.example"], False),
        ([""], False),
        ([], False),
        (["play.example.org", "evil.example"], False),
    ],
)
def test_only_allowed_hosts_pass(hosts: list[str], allowed: bool) -> None:
    """The name is compared without case and port, and has to be there exactly once."""
    site = Site(allowed_hosts=["Play.example.org", "[::1]"])
    headers = Headers([("Host", host) for host in hosts])

    assert site.allows("/ws", headers) is allowed
    assert site.allows("/readyz", headers)
    assert Site().allows("/ws", headers)


def test_hsts_is_a_header() -> None:
    """It is sent only if it is switched on."""
    assert Site().headers == ()
    assert dict(Site(hsts=True).headers) == {"Strict-Transport-Security": "max-age=15552000"}


@pytest.mark.parametrize(
    ("address", "headers", "local"),
    [
        ("127.0.0.1", {"Host": "localhost:8765"}, True),
        ("::1", {"Host": "[::1]:8765"}, True),
        ("127.0.0.1", {"Host": "127.0.0.1"}, True),
        ("10.0.0.1", {"Host": "localhost"}, False),
        ("127.0.0.1", {"Host": "rebound.example"}, False),
        ("127.0.0.1", {"Host": "localhost", "X-Forwarded-For": "10.0.0.1"}, False),
        ("127.0.0.1", {"Host": "localhost", "Via": "1.1 proxy"}, False),
        ("unix", {"Host": "localhost"}, False),
    ],
)
def test_a_local_request_comes_from_this_machine_itself(address: str, headers: dict[str, str], local: bool) -> None:
    """Not through a proxy on this machine, and not from a page whose name was made to point here."""
    assert is_local(address, Headers(headers)) is local


def test_the_host_name_has_no_port() -> None:
    """Also for addresses in brackets."""
    assert host_name(Headers(Host="[2001:db8::1]:443")) == "[2001:db8::1]"
    assert host_name(Headers(Host="Example.org")) == "example.org"
