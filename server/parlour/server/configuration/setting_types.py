"""The types of value a setting can have: how each is written, and which values are allowed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from msgspec import Struct

from parlour.server.cores import available_cores

TIME_UNITS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
SIZE_UNITS = {unit + end: 1024**power for power, unit in enumerate(("", "k", "m", "g")) for end in ("", "b", "ib")}
SWITCH_WORDS = {"on": True, "true": True, "yes": True, "1": True, "off": False, "false": False, "no": False, "0": False}

N = TypeVar("N", int, float)


class SettingType(Struct, frozen=True):
    """The values that a setting accepts."""

    allowed: str  # completes the sentence “it must be …”
    metavar: str
    parse: Callable[[str], Any]  # raises ValueError if the text is not allowed
    format: Callable[[Any], str] = str  # the inverse of `parse`
    unquoted: tuple[type, ...] = ()  # the types, besides strings, that a TOML file may use
    is_list: bool = False  # if so, `parse` and `format` deal with one item
    is_secret: bool = False  # may contain a password, so the value is never printed


# -- numbers


def whole_number(lowest: int, highest: int) -> SettingType:
    def parse(text: str) -> int:
        return _quantity(int, text, {"": 1}, lowest, highest)

    return SettingType(f"a whole number from {lowest} to {highest}", "N", parse, unquoted=(int,))


def duration(lowest: float, highest: float) -> SettingType:
    def parse(text: str) -> float:
        return _quantity(float, text, TIME_UNITS, lowest, highest)

    def to_text(value: float) -> str:
        return f"{value:.6f}".rstrip("0").rstrip(".")

    allowed = f"a time from {lowest:g} to {highest:g} seconds, written like 5, 0.5, 500ms, 2m or 1h"
    return SettingType(allowed, "SECONDS", parse, to_text, unquoted=(int, float))


def size(lowest: int, highest: int) -> SettingType:
    def parse(text: str) -> int:
        return int(_quantity(int, text, SIZE_UNITS, lowest, highest))

    def to_text(value: int) -> str:
        unit = next(unit for unit in ("G", "M", "k", "") if value % SIZE_UNITS[unit.lower()] == 0)
        return f"{value // SIZE_UNITS[unit.lower()]}{unit}"

    allowed = f"a number of bytes from {to_text(lowest)} to {to_text(highest)}, written like 65536, 64k or 1M"
    return SettingType(allowed, "BYTES", parse, to_text, unquoted=(int,))


def _quantity(number: Callable[[str], N], text: str, units: Mapping[str, N], lowest: N, highest: N) -> N:
    """Parse a number with a unit, such as 64k."""
    match = re.fullmatch(r"([0-9]{1,16}(?:\.[0-9]{1,9})?) ?([a-z]*)", text.lower())
    if match is None or match[2] not in units:
        raise ValueError
    value = number(match[1]) * units[match[2]]
    if not lowest <= value <= highest:
        raise ValueError
    return value


# -- text


def choice(*names: str) -> SettingType:
    def parse(text: str) -> str:
        return names[names.index(text.lower())]

    return SettingType(f"{', '.join(names[:-1])} or {names[-1]}", "|".join(names), parse)


def text(pattern: str, allowed: str, metavar: str) -> SettingType:
    def parse(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError
        return text

    return SettingType(allowed, metavar, parse)


def url(pattern: str, allowed: str, *, is_secret: bool = False) -> SettingType:
    def parse(text: str) -> str:
        parts = urlsplit(text)
        # A SQLite file has no host, and a PostgreSQL behind a Unix socket has it among the parameters.
        has_hosts = parts.scheme in ("unix", "sqlite", "postgresql") or _has_hosts(parts.netloc)
        if not re.fullmatch(pattern, text) or not has_hosts:
            raise ValueError
        return text.rstrip("/") if parts.scheme in ("http", "https") else text

    return SettingType(allowed, "URL", parse, is_secret=is_secret)


def _has_hosts(netloc: str) -> bool:
    """Return whether a URL names a host, or several separated by commas, as for a cluster."""
    hosts = [urlsplit(f"//{host}") for host in netloc.rpartition("@")[2].split(",")]
    # Reading the port raises ValueError unless it is a number up to 65535.
    return all(each.hostname is not None and each.port != 0 for each in hosts)


def list_of(item: SettingType) -> SettingType:
    """A list: an array in TOML, separated by commas or spaces elsewhere; its option may also be repeated."""
    return SettingType(item.allowed, f"{item.metavar},...", item.parse, item.format, is_list=True)


def _parse_workers(text: str) -> int:
    return available_cores() if text.lower() == "auto" else WORKER_COUNT.parse(text)


def _parse_switch(text: str) -> bool:
    if text.lower() not in SWITCH_WORDS:
        raise ValueError
    return SWITCH_WORDS[text.lower()]


def _parse_origin(text: str) -> str:
    origin = text.lower().rstrip("/")
    # Apps that are not web pages use other schemes, such as capacitor://localhost.
    if not re.fullmatch(r"\*|[a-z][a-z0-9+.-]*://[^/?#@\s]+", origin):
        raise ValueError
    return origin


def _parse_path(text: str) -> Path:
    if not text:
        raise ValueError
    try:
        return Path(text).expanduser()
    except RuntimeError:  # there is no user of the name after ~
        raise ValueError from None


def _parse_listen_address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    return (HOST.parse(host.removeprefix("[").removesuffix("]")) if host else "127.0.0.1"), PORT.parse(port)


def _format_listen_address(address: tuple[str, int]) -> str:
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


WORKER_COUNT = whole_number(1, 256)
WORKERS = SettingType(f"{WORKER_COUNT.allowed}, or auto", "N|auto", _parse_workers, unquoted=(int,))
SWITCH = SettingType("on or off", "on|off", _parse_switch, lambda value: "on" if value else "off", unquoted=(bool,))
FILE = SettingType("the path of a file", "FILE", _parse_path)
FOLDER = SettingType("the path of a folder", "DIR", _parse_path)
HOST = text("[A-Za-z0-9._:%-]{1,253}", "a host name, or an IP address such as 127.0.0.1, 0.0.0.0 or ::", "HOST")
PORT = whole_number(0, 65535)
LISTEN_ADDRESS = SettingType(
    "a port, or an address with one, such as 9464, 0.0.0.0:9464 or [::]:9464", "[HOST:]PORT",
    _parse_listen_address, _format_listen_address, unquoted=(int,),
)  # fmt: skip
ALLOWED_HOST = text(r"[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]+\]", "a host name without a port", "HOST")
PATH_PREFIX = text(r"(/[A-Za-z0-9._~-]+)+", "a path such as /parlour, without a slash at its end", "PATH")
NAME = text("[A-Za-z0-9._-]{1,64}", "up to 64 letters, digits, dots, hyphens and underscores", "NAME")
REDIS_URL = url(
    r"unix:///\S+|rediss?(\+cluster)?://[^\s/?#]+(/[0-9]{0,5})?(\?[^\s#]*)?"
    r"|rediss?\+sentinel://[^\s/?#]+/[^\s/?#]+(/[0-9]{0,5})?(\?[^\s#]*)?",
    "an address such as redis://localhost:6379/0, rediss://user:password@host:6379, unix:///run/redis.sock, "
    "redis+sentinel://host:26379,host:26379/service or redis+cluster://host:6379,host:6379",
    is_secret=True,
)
ARCHIVE_URL = url(
    r"postgresql://[^\s?#]+(\?[^\s#]*)?|sqlite:///[^\s?#]+",
    "an address such as postgresql://user:password@host/database or sqlite:////var/lib/parlour/archive.sqlite3",
    is_secret=True,
)
PAGE_URL = url(r"https?://[^\s/@?#]+(/[^\s?#]*)?", "an address such as https://play.example.org")
WEBSOCKET_URL = url(r"wss?://[^\s/@?#]+([/?][^\s#]*)?", "an address such as wss://play.example.org/ws")
CONTACT = text(
    r"mailto:[^\s@]+@[^\s@]+|https://[^\s/@?#]+(/[^\s?#]*)?",
    "an address such as mailto:you@example.org or https://example.org/contact",
    "ADDRESS",
)
SMTP_URL = url(
    r"smtp://[^\s/@?#]+|smtp(s|\+starttls)://[^\s/?#]+",
    "an address such as smtps://user:password@mail.example.org, smtp+starttls://user:password@mail.example.org:587 or, "
    "without encryption and password, smtp://localhost:25",
    is_secret=True,
)
MAIL_ADDRESS = text(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+", "an address such as parlour@example.org", "ADDRESS"
)
ORIGIN = SettingType("an origin such as https://play.example.org, or * for any", "ORIGIN", _parse_origin)
NETWORK = SettingType(
    "an address or network such as 127.0.0.1, ::1 or 10.0.0.0/8", "NET", lambda text: ip_network(text, strict=False)
)
