"""Requests to push services, and those that are never sent."""

from __future__ import annotations

import asyncio
from ipaddress import ip_address

import pytest

from parlour.server.push.http_client import ForbiddenEndpoint, PushHttpClient, is_public, split
from tests.server.push.push_service import LOOPBACK, push_service


async def test_a_request_arrives_as_it_is() -> None:
    """The headers and the body arrive, and the status and Retry-After come back."""
    async with push_service() as service:
        service.answers = ["429 Too Many Requests\r\nRetry-After: 7"]
        endpoint = f"{service.url}/send/a?b=c"
        reply = await PushHttpClient(LOOPBACK).post(endpoint, {"TTL": "60"}, b"\x00\x01")
        request = await service.request()

    assert (reply.status, reply.retry_after) == (429, "7")
    assert (request.method, request.target, request.body) == ("POST", "/send/a?b=c", b"\x00\x01")
    assert request.headers["TTL"] == "60"


async def test_no_request_leads_into_the_operators_network() -> None:
    """Loopback, private and link-local addresses get no request, under whichever name, nor does plain HTTP."""
    async with push_service() as service:
        port = service.url.rpartition(":")[2]
        hosts = ("127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1", "169.254.169.254", "0x7f000001")
        for host in hosts:
            for scheme in ("http", "https"):
                with pytest.raises(ForbiddenEndpoint):
                    await PushHttpClient().post(f"{scheme}://{host}:{port}/send", {}, b"")
        for endpoint in ("http://93.184.215.14/send", "https://93.184.215.14:6379/send"):
            with pytest.raises(ForbiddenEndpoint):
                await PushHttpClient().post(endpoint, {}, b"")
        assert service.received == []


def test_public_addresses() -> None:
    """Addresses that stand for other ones are not public."""
    public = ("93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c")
    others = (
        "0.0.0.0",
        "100.64.0.1",
        "192.168.1.1",
        "224.0.0.1",
        "fe80::1",
        "fc00::1",
        "2002:7f00:1::",
        "64:ff9b::7f00:1",
    )
    assert all(is_public(ip_address(each)) for each in public)
    assert not any(is_public(ip_address(each)) for each in others)


def test_an_endpoint_is_an_address() -> None:
    """Other schemes, names and passwords, line breaks and wrong ports are refused."""
    assert split("https://push.example.net/send/1").hostname == "push.example.net"
    broken = (
        "file:///etc/passwd",
        "https://user@host/",
        "https:///x",
        "https://host:99999/",
        "https://h/\r\nX: y",
        "https://é/",
    )
    for endpoint in broken:
        with pytest.raises(ForbiddenEndpoint):
            split(endpoint)


async def test_a_service_that_says_nothing_useful() -> None:
    """A reply that is not HTTP, and a connection that is closed without one, count as failures of the network."""

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answers.pop())
        writer.close()

    answers = [b"", b"+PONG\r\n"]
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    for _ in range(2):
        with pytest.raises(OSError):
            await PushHttpClient(LOOPBACK).post(f"http://127.0.0.1:{port}/", {}, b"")
    server.close()
