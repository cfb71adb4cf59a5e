"""The address of a Redis or Valkey server, and its URL."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

from msgspec import Struct

from parlour.server.store.errors import StoreUnavailable

EXAMPLES = "redis://localhost:6379/0, rediss://user:password@host:6380/0 or unix:///run/valkey.sock?db=0"

P = TypeVar("P", bound=asyncio.Protocol)


class Address(Struct, frozen=True):
    """A database of a Redis or Valkey server. `str()` shows it without the password."""

    host: str = "localhost"
    port: int = 6379
    path: str | None = None  # of a Unix socket, used instead of host and port
    db: int = 0
    username: str | None = None
    password: str | None = None
    tls: bool = False
    ca: str | None = None  # a file with the certificates to trust instead of the system's
    verify: bool = True  # whether the server's certificate is checked

    def __str__(self) -> str:
        if self.path is not None:
            return f"unix://{self.path}?db={self.db}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'rediss' if self.tls else 'redis'}://{host}:{self.port}/{self.db}"

    __repr__ = __str__

    @property
    def login(self) -> tuple[str, ...]:
        """The arguments of HELLO that authenticate."""
        return () if self.password is None else ("AUTH", self.username or "default", self.password)

    async def connect(self, protocol: Callable[[], P]) -> P:
        """Open a connection. Raise OSError if no server is listening."""
        loop = asyncio.get_running_loop()
        if self.path is not None:
            return (await loop.create_unix_connection(protocol, self.path))[1]
        context = _tls(self.ca, self.verify) if self.tls else None
        return (await loop.create_connection(protocol, self.host, self.port, ssl=context))[1]


def parse(url: str) -> Address:
    """Return the address in a URL, which has the same format as for redis-py. Raise StoreUnavailable."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _unusable(url, str(error)) from None
    if parts.scheme not in ("redis", "rediss", "unix"):
        raise _unusable(url, "it does not start with redis://, rediss:// or unix://")
    query = dict(parse_qsl(parts.query))
    known = {"db", "ssl_ca_certs", "ssl_cert_reqs"} if parts.scheme == "rediss" else {"db"}
    if unknown := sorted(query.keys() - known):
        raise _unusable(url, f"the option {unknown[0]} is not supported")
    if query.get("ssl_cert_reqs", "required") not in ("required", "none"):
        raise _unusable(url, "ssl_cert_reqs must be required or none")
    in_path = "" if parts.scheme == "unix" else unquote(parts.path).strip("/")
    db = query.get("db") or in_path or "0"
    if not (db.isascii() and db.isdigit() and len(db) < 6):
        raise _unusable(url, "the database must be a small number")
    if parts.scheme == "unix" and (parts.hostname or not parts.path):
        raise _unusable(url, "the path of a socket must be absolute: write three slashes")
    return Address(
        host=parts.hostname or "localhost",
        port=port or 6379,
        path=unquote(parts.path) if parts.scheme == "unix" else None,
        db=int(db),
        username=_unquoted(parts.username),
        password=_unquoted(parts.password),
        tls=parts.scheme == "rediss",
        ca=query.get("ssl_ca_certs"),
        verify=query.get("ssl_cert_reqs", "required") == "required",
    )


def _unquoted(text: str | None) -> str | None:
    return unquote(text) if text else None


def _unusable(url: str, reason: str) -> StoreUnavailable:
    return StoreUnavailable(f"The Redis address {_without_password(url)} cannot be used: {reason}. Write {EXAMPLES}.")


def _without_password(url: str) -> str:
    head, at, tail = url.rpartition("@")
    if not at:
        return url
    scheme, colon, _ = head.partition("://")
    return f"{scheme}{colon}…@{tail}" if colon else f"…@{tail}"


@lru_cache(maxsize=4)
def _tls(ca: str | None, verify: bool) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=ca)
    except OSError as error:
        raise StoreUnavailable(f"the certificates in {ca} cannot be read") from error
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context
