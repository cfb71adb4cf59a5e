"""The address of the store: a Redis or Valkey server, a Sentinel group, or a cluster."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from parlour.server.store.errors import StoreUnavailable

EXAMPLES = (
    "redis://localhost:6379/0, rediss://user:password@host:6380/0, unix:///run/valkey.sock?db=0, "
    "redis+sentinel://host:26379,host:26379/service or redis+cluster://host:6379,host:6379"
)
SENTINEL_PORT = 26379

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
    certificate: str | None = None  # a file with this client's certificate
    private_key: str | None = None  # a file with the key of that certificate, if it is not in the same file

    def __str__(self) -> str:
        if self.path is not None:
            return f"unix://{self.path}?db={self.db}"
        return f"{'rediss' if self.tls else 'redis'}://{self.endpoint}/{self.db}"

    __repr__ = __str__

    @property
    def endpoint(self) -> str:
        """Host and port as in a URL."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def login(self) -> tuple[str, ...]:
        """The arguments of HELLO that authenticate."""
        return () if self.password is None else ("AUTH", self.username or "default", self.password)

    async def locate(self) -> Address:
        """Return the address to connect to, which is this one."""
        return self

    async def connect(self, protocol: Callable[[], P]) -> P:
        """Open a connection. Raise OSError if no server is listening."""
        loop = asyncio.get_running_loop()
        if self.path is not None:
            return (await loop.create_unix_connection(protocol, self.path))[1]
        context = _tls(self.ca, self.verify, self.certificate, self.private_key) if self.tls else None
        return (await loop.create_connection(protocol, self.host, self.port, ssl=context))[1]


class SentinelAddress(Struct, frozen=True):
    """A service that a group of Sentinels watches."""

    sentinels: tuple[Address, ...]
    service: str
    master: Address  # everything but its host and port

    def __str__(self) -> str:
        hosts = ",".join(each.endpoint for each in self.sentinels)
        return f"{'rediss' if self.master.tls else 'redis'}+sentinel://{hosts}/{self.service}/{self.master.db}"

    __repr__ = __str__


class ClusterAddress(Struct, frozen=True):
    """Some servers of a cluster, which know the others."""

    seeds: tuple[Address, ...]

    def __str__(self) -> str:
        hosts = ",".join(each.endpoint for each in self.seeds)
        return f"{'rediss' if self.seeds[0].tls else 'redis'}+cluster://{hosts}"

    __repr__ = __str__


AnyAddress = Address | SentinelAddress | ClusterAddress

_TLS_OPTIONS = {"ssl_ca_certs", "ssl_cert_reqs", "ssl_certfile", "ssl_keyfile"}
_SENTINEL_OPTIONS = {"sentinel_username", "sentinel_password"}


def parse(url: str) -> AnyAddress:
    """Return the address in a URL; its options have the same names as for redis-py. Raise StoreUnavailable."""
    scheme, _, kind = url.partition("://")[0].partition("+")
    if scheme not in ("redis", "rediss", "unix") or kind not in ("", "sentinel", "cluster"):
        raise _unusable(
            url, "it does not start with redis://, rediss://, unix://, redis+sentinel:// or redis+cluster://"
        )
    try:
        parts = urlsplit(url)
        login, at, hosts = parts.netloc.rpartition("@")
        items = [urlsplit(f"//{login}{at}{host}") for host in hosts.split(",")]
        ports = [each.port for each in items]
    except ValueError as error:
        raise _unusable(url, str(error)) from None
    query = dict(parse_qsl(parts.query))
    known = {"db"} if kind != "cluster" else set[str]()
    known |= _TLS_OPTIONS if scheme == "rediss" else set()
    known |= _SENTINEL_OPTIONS if kind == "sentinel" else set()
    if unknown := sorted(query.keys() - known):
        raise _unusable(url, f"the option {unknown[0]} is not supported")
    if query.get("ssl_cert_reqs", "required") not in ("required", "none"):
        raise _unusable(url, "ssl_cert_reqs must be required or none")
    if scheme == "unix" and (items[0].hostname or not parts.path):
        raise _unusable(url, "the path of a socket must be absolute: write three slashes")
    if not kind and len(items) > 1:
        raise _unusable(url, "it lists several hosts: write redis+sentinel:// or redis+cluster://")
    in_path = "" if scheme == "unix" else unquote(parts.path).strip("/")
    service = ""
    if kind == "sentinel":
        service, _, in_path = in_path.partition("/")
        if not service:
            raise _unusable(url, "the name of the service is missing after the hosts")
    db = query.get("db") or in_path or "0"
    if not (db.isascii() and db.isdigit() and len(db) < 6):
        raise _unusable(url, "the database must be a small number")
    if kind == "cluster" and int(db):
        raise _unusable(url, "a cluster has only the database 0")
    default_port = SENTINEL_PORT if kind == "sentinel" else 6379
    servers = tuple(
        Address(
            host=item.hostname or "localhost",
            port=port or default_port,
            path=unquote(parts.path) if scheme == "unix" else None,
            db=int(db),
            username=_unquoted(item.username),
            password=_unquoted(item.password),
            tls=scheme == "rediss",
            ca=query.get("ssl_ca_certs"),
            verify=query.get("ssl_cert_reqs", "required") == "required",
            certificate=query.get("ssl_certfile"),
            private_key=query.get("ssl_keyfile"),
        )
        for item, port in zip(items, ports, strict=True)
    )
    if kind == "cluster":
        return ClusterAddress(servers)
    if kind == "sentinel":
        login_there = query.get("sentinel_username"), query.get("sentinel_password")
        sentinels = (replace(each, db=0, username=login_there[0], password=login_there[1]) for each in servers)
        return SentinelAddress(tuple(sentinels), service, servers[0])
    return servers[0]


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
def _tls(ca: str | None, verify: bool, certificate: str | None, private_key: str | None) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=ca)
    except OSError as error:
        raise StoreUnavailable(f"the certificates in {ca} cannot be read") from error
    if certificate is not None:
        try:
            context.load_cert_chain(certificate, private_key)
        except OSError as error:  # an SSLError too
            raise StoreUnavailable(f"the client certificate in {certificate}, or its key, cannot be read") from error
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context
