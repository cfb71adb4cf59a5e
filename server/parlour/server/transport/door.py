"""Who may come in: where a connection is from, which sites may open one, and in which language."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from ipaddress import ip_network
from typing import NamedTuple
from urllib.parse import urlsplit

from websockets.datastructures import Headers

from parlour.protocol.codec import CODECS
from parlour.server.transport.incident import Incident
from parlour.server.transport.limits import parse

ANY = "*"
DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class Rejection(NamedTuple):
    """Why a WebSocket is not opened, as an HTTP answer."""

    status: HTTPStatus
    code: str
    sentence: str
    incident: Incident | None = None


class Door:
    """Looks at requests before they become connections.

    `origins`: sites such as `https://play.example.org` whose pages may connect besides our own; `*` for all.
    `proxies`: addresses or networks in front of us whose word about where a connection comes from is taken.
    Raises ValueError for what is neither.
    """

    def __init__(self, origins: Iterable[str] = (), proxies: Iterable[str] = ()) -> None:
        self._origins = {origin.lower().rstrip("/") for origin in origins}
        self._proxies = [ip_network(proxy, strict=False) for proxy in proxies]

    # -- where from

    def direct(self, transport: asyncio.BaseTransport) -> str | None:
        """The address at the other end, unless that is a proxy of ours: then only the request can tell."""
        address = socket_address(transport)
        return None if self._is_proxy(address) else address

    def address(self, transport: asyncio.BaseTransport, headers: Headers) -> str:
        """Where a connection comes from: the last one on the way whom we do not trust."""
        address = socket_address(transport)
        if not self._is_proxy(address):
            return address
        hops = [hop.strip() for line in headers.get_all("X-Forwarded-For") for hop in line.split(",")]
        for hop in reversed(hops):
            parsed = parse(hop)
            if parsed is None:
                break  # whatever stands before was not written by our proxies either
            address = str(parsed)
            if not self._is_proxy(address):
                break
        return address

    def _is_proxy(self, address: str) -> bool:
        if not self._proxies:
            return False
        parsed = parse(address)
        return parsed is not None and any(parsed in proxy for proxy in self._proxies)

    # -- whether

    def rejection(self, transport: asyncio.BaseTransport, headers: Headers) -> Rejection | None:
        """Why this request for a WebSocket is refused; None if it is not."""
        if not any(value.strip().lower() == "websocket" for value in headers.get_all("Upgrade")):
            sentence = "This is the address of the WebSocket: connect with a WebSocket client."
            return Rejection(HTTPStatus.UPGRADE_REQUIRED, "upgrade_required", sentence)
        origins = headers.get_all("Origin")
        if origins and not (len(origins) == 1 and self._may_enter(origins[0], transport, headers)):
            sentence = "Pages of that site may not connect here. The operator can allow it in the setting “origins”."
            return Rejection(HTTPStatus.FORBIDDEN, "origin_refused", sentence, Incident.BAD_ORIGIN)
        if chosen_subprotocol(offered_subprotocols(headers)) is None:
            sentence = f"Ask for one of these subprotocols: {', '.join(CODECS)}."
            return Rejection(HTTPStatus.BAD_REQUEST, "subprotocol_unknown", sentence, Incident.BAD_SUBPROTOCOL)
        return None

    def _may_enter(self, origin: str, transport: asyncio.BaseTransport, headers: Headers) -> bool:
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
    """The address at the other end of the socket; IPv4 addresses in their own form."""
    name = transport.get_extra_info("peername")
    if not isinstance(name, tuple) or not name:
        return "unix"
    parsed = parse(str(name[0]))
    return str(name[0]) if parsed is None else str(parsed)


def offered_subprotocols(headers: Headers) -> list[str]:
    return [name.strip() for line in headers.get_all("Sec-WebSocket-Protocol") for name in line.split(",")]


def chosen_subprotocol(offered: Sequence[str]) -> str | None:
    """The first one offered that we speak: clients list them by preference."""
    return next((name for name in offered if name in CODECS), None)
