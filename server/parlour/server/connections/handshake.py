"""The opening handshake: the client's address behind proxies, allowed origins, and the subprotocol."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from ipaddress import ip_network
from typing import NamedTuple
from urllib.parse import urlsplit

from websockets.datastructures import Headers

from parlour.protocol.codec import CODECS
from parlour.server.connections.incidents import Incident
from parlour.server.connections.limits import parse

ANY = "*"
DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class Rejection(NamedTuple):
    """Why a WebSocket is not opened, for an HTTP response."""

    status: HTTPStatus
    code: str
    sentence: str
    incident: Incident | None = None


class Handshake:
    """Checks requests before they become connections.

    `origins`: other sites whose pages may connect, such as `https://play.example.org`; `*` allows all.
    `proxies`: addresses or networks of reverse proxies whose `X-Forwarded-For` is trusted.
    Raise ValueError if one of them is not an address.
    """

    def __init__(self, origins: Iterable[str] = (), proxies: Iterable[str] = ()) -> None:
        self._origins = {origin.lower().rstrip("/") for origin in origins}
        self._proxies = [ip_network(proxy, strict=False) for proxy in proxies]

    # -- the client's address

    def direct(self, transport: asyncio.BaseTransport) -> str | None:
        """Return the address of the other end; None for a trusted proxy, where only the request can tell."""
        address = socket_address(transport)
        return None if self._is_proxy(address) else address

    def address(self, transport: asyncio.BaseTransport, headers: Headers) -> str:
        """Return the client's address: the last hop that is not a trusted proxy."""
        address = socket_address(transport)
        if not self._is_proxy(address):
            return address
        hops = [hop.strip() for line in headers.get_all("X-Forwarded-For") for hop in line.split(",")]
        for hop in reversed(hops):
            parsed = parse(hop)
            if parsed is None:
                break  # what precedes it was not written by a trusted proxy either
            address = str(parsed)
            if not self._is_proxy(address):
                break
        return address

    def _is_proxy(self, address: str) -> bool:
        if not self._proxies:
            return False
        parsed = parse(address)
        return parsed is not None and any(parsed in proxy for proxy in self._proxies)

    # -- admission

    def rejection(self, transport: asyncio.BaseTransport, headers: Headers) -> Rejection | None:
        """Return why a request for a WebSocket is refused; None if it is accepted."""
        if not any(value.strip().lower() == "websocket" for value in headers.get_all("Upgrade")):
            sentence = "This is the path of the WebSocket. Connect with a WebSocket client."
            return Rejection(HTTPStatus.UPGRADE_REQUIRED, "upgrade_required", sentence)
        origins = headers.get_all("Origin")
        if origins and not (len(origins) == 1 and self._is_allowed(origins[0], transport, headers)):
            sentence = "Pages of that site may not connect. The operator can allow it with the setting “origins”."
            return Rejection(HTTPStatus.FORBIDDEN, "origin_refused", sentence, Incident.BAD_ORIGIN)
        if chosen_subprotocol(offered_subprotocols(headers)) is None:
            sentence = f"Offer one of these subprotocols: {', '.join(CODECS)}."
            return Rejection(HTTPStatus.BAD_REQUEST, "subprotocol_unknown", sentence, Incident.BAD_SUBPROTOCOL)
        return None

    def _is_allowed(self, origin: str, transport: asyncio.BaseTransport, headers: Headers) -> bool:
        origin = origin.lower().rstrip("/")
        if ANY in self._origins or origin in self._origins:
            return True
        try:
            site = urlsplit(origin)
        except ValueError:
            return False
        hosts = headers.get_all("Host")
        if self._is_proxy(socket_address(transport)):
            hosts += headers.get_all("X-Forwarded-Host")
        port = DEFAULT_PORTS.get(site.scheme)
        if port is None or not site.netloc:
            return False
        return any(host.strip().lower().removesuffix(port) == site.netloc.removesuffix(port) for host in hosts)


def socket_address(transport: asyncio.BaseTransport) -> str:
    """Return the address of the other end of the socket, mapped IPv4 addresses as IPv4."""
    name = transport.get_extra_info("peername")
    if not isinstance(name, tuple) or not name:
        return "unix"
    parsed = parse(str(name[0]))
    return str(name[0]) if parsed is None else str(parsed)


def offered_subprotocols(headers: Headers) -> list[str]:
    """Return the subprotocols that a client offers."""
    return [name.strip() for line in headers.get_all("Sec-WebSocket-Protocol") for name in line.split(",")]


def chosen_subprotocol(offered: Sequence[str]) -> str | None:
    """Return the first offered subprotocol that is supported: clients list them by preference."""
    return next((name for name in offered if name in CODECS), None)
