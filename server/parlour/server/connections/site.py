"""How users reach the server: the path below which a proxy serves it, and the host names in their requests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import ip_address

from websockets.datastructures import Headers

HALF_A_YEAR = 180 * 24 * 3600  # seconds
HSTS = "Strict-Transport-Security", f"max-age={HALF_A_YEAR}"

# Load balancers and Kubernetes request these under any name or address.
UNCHECKED_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})
FORWARDING_HEADERS = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")

_PORT = re.compile(r":[0-9]{1,5}$")


class Site:
    """The public side of a server.

    `path_prefix`: such as `/parlour`. Requests are answered with and without it, because some proxies remove it.
    `allowed_hosts`: the names that requests may have as their host; without any, all are allowed. `hsts`: whether
    browsers are told to use only https from now on.
    """

    def __init__(self, path_prefix: str = "", allowed_hosts: Iterable[str] = (), *, hsts: bool = False) -> None:
        self.path_prefix = path_prefix
        self.headers: tuple[tuple[str, str], ...] = (HSTS,) if hsts else ()
        self._allowed_hosts = frozenset(host.lower() for host in allowed_hosts)

    def local_target(self, target: str) -> str:
        """Return the target of a request as it is without the prefix."""
        prefix = self.path_prefix
        if not prefix or not target.startswith(prefix) or target[len(prefix) :][:1] not in ("", "/", "?"):
            return target
        rest = target.removeprefix(prefix)
        return rest if rest.startswith("/") else f"/{rest}"

    def allows(self, path: str, headers: Headers) -> bool:
        """Return whether a request has an allowed host."""
        if not self._allowed_hosts or path in UNCHECKED_PATHS:
            return True
        return host_name(headers) in self._allowed_hosts


def host_name(headers: Headers) -> str:
    """Return the name in the Host header, without the port; empty if there is not exactly one."""
    hosts = headers.get_all("Host")
    return _PORT.sub("", hosts[0].strip().lower()) if len(hosts) == 1 else ""


def is_local(address: str, headers: Headers) -> bool:
    """Return whether a request comes from this machine, not through a proxy, and not from a page of another site.

    Such a page could have its own name point to this machine; the Host header tells.
    """
    if any(name in headers for name in FORWARDING_HEADERS):
        return False
    name = host_name(headers)
    return _is_loopback(address) and (name == "localhost" or _is_address(name))


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _is_address(name: str) -> bool:
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True
