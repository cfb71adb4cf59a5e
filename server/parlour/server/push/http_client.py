"""Requests to push services. Their addresses come from clients, so they must not lead into the operator's network."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Mapping, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

import h11
from msgspec import Struct

Network = IPv4Network | IPv6Network

WITHIN = 10.0  # seconds for a whole request
LARGEST_HEAD = 16 * 1024  # bytes of a reply
HTTPS_PORT = 443


class ForbiddenEndpoint(Exception):
    """An endpoint to which no request is sent; `str()` says why."""


class Reply(Struct, frozen=True):
    """The part of a reply that matters."""

    status: int
    retry_after: str = ""


class PushHttpClient:
    """Sends one request on each connection, to public addresses or those that the operator allows.

    The host name is resolved once, and the connection goes to the address that was checked, so DNS rebinding is of no
    use. Redirects are not followed.
    """

    def __init__(self, allowed: Sequence[Network] = ()) -> None:
        self._allowed = allowed
        self._tls = ssl.create_default_context()

    async def post(self, endpoint: str, headers: Mapping[str, str], body: bytes) -> Reply:
        """Send a request and return the reply. Raise ForbiddenEndpoint, or OSError (TimeoutError is one)."""
        url = split(endpoint)
        async with asyncio.timeout(WITHIN):
            address = await self._resolve(url)
            is_https = url.scheme == "https"
            reader, writer = await asyncio.open_connection(
                str(address),
                port_of(url),
                ssl=self._tls if is_https else None,
                server_hostname=url.hostname if is_https else None,
                limit=LARGEST_HEAD,
            )
            try:
                return await _exchange(reader, writer, url, headers, body)
            except h11.RemoteProtocolError as error:
                raise ConnectionError(f"the push service does not speak HTTP/1.1: {error}") from None
            finally:
                writer.close()

    async def _resolve(self, url: SplitResult) -> IPv4Address | IPv6Address:
        assert url.hostname is not None
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(url.hostname, port_of(url), type=socket.SOCK_STREAM)
        addresses = [ip_address(str(each[4][0])) for each in found]
        for address in addresses:
            if any(address.version == network.version and address in network for network in self._allowed):
                return address
            if is_public(address) and url.scheme == "https" and port_of(url) == HTTPS_PORT:
                return address
        raise ForbiddenEndpoint("push services have public addresses and use https on port 443")


def split(endpoint: str) -> SplitResult:
    """Return the parts of an endpoint. Raise ForbiddenEndpoint if it is not the address of a push service."""
    try:
        url = urlsplit(endpoint)
        is_usable = url.scheme in ("http", "https") and bool(url.hostname) and "@" not in url.netloc
        port_of(url)
        endpoint.encode("ascii")
    except ValueError:
        is_usable = False
    if not is_usable or not endpoint.isprintable() or " " in endpoint:
        raise ForbiddenEndpoint("this is not the address of a push service")
    return url


def port_of(url: SplitResult) -> int:
    """Return the port of a URL. Raise ValueError if it is not a number up to 65535."""
    return url.port or (HTTPS_PORT if url.scheme == "https" else 80)


def origin_of(url: SplitResult) -> str:
    """Return scheme, host and port of a URL."""
    return f"{url.scheme}://{url.netloc}"


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address belongs to the internet, and not to a network that tunnels to another address."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address.sixtofour is not None or address.teredo is not None or address in IPv6Network("64:ff9b::/96"):
            return False
    return address.is_global and not address.is_multicast


async def _exchange(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    url: SplitResult,
    headers: Mapping[str, str],
    body: bytes,
) -> Reply:
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=LARGEST_HEAD)
    target = (url.path or "/") + (f"?{url.query}" if url.query else "")
    lines = {"Host": url.netloc, "Content-Length": str(len(body)), "Connection": "close", **headers}
    request = h11.Request(method="POST", target=target, headers=list(lines.items()))
    sent = [connection.send(request), connection.send(h11.Data(data=body)), connection.send(h11.EndOfMessage())]
    writer.write(b"".join(part for part in sent if part))
    with suppress(ConnectionError):  # a service may refuse before it has read everything
        await writer.drain()
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            connection.receive_data(await reader.read(LARGEST_HEAD))
        elif isinstance(event, h11.Response):
            retry_after = dict(event.headers).get(b"retry-after", b"")
            return Reply(event.status_code, retry_after.decode("latin-1"))
        elif isinstance(event, h11.ConnectionClosed):
            raise ConnectionError("the push service closed the connection")
