"""The kinds of value a setting can have: how each is read, from text or from TOML, and what is allowed."""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
SIZES = {"": 1, "k": 1024, "m": 1024**2, "g": 1024**3}
SWITCH = {"on": True, "true": True, "yes": True, "1": True, "off": False, "false": False, "no": False, "0": False}


class Kind(Struct, frozen=True):
    """What may be given for a setting."""

    words: str  # ends the sentence “it must be …”
    metavar: str
    read: Callable[[object], Any]  # raises ValueError for whatever is not allowed
    write: Callable[[Any], str] = str  # text that `read` makes the same value of
    many: bool = False  # a list, of which `read` and `write` know one item


def whole(lowest: int, highest: int) -> Kind:
    def read(given: object) -> int:
        if isinstance(given, str) and re.fullmatch("[0-9]{1,15}", given):
            given = int(given)
        if type(given) is not int or not lowest <= given <= highest:
            raise ValueError
        return given

    return Kind(f"a whole number from {lowest} to {highest}", "N", read)


def seconds(lowest: float, highest: float) -> Kind:
    def read(given: object) -> float:
        if isinstance(given, str):
            match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,6})?) ?(ms|s|m|h)?", given)
            given = float(match[1]) * UNITS[match[2] or "s"] if match else None
        # A bool is an int to Python, and nan is within no range.
        if isinstance(given, bool) or not isinstance(given, int | float) or not lowest <= given <= highest:
            raise ValueError
        return float(given)

    words = f"a time from {lowest:g} to {highest:g} seconds, written like 5, 0.5, 500ms, 2m or 1h"
    return Kind(words, "SECONDS", read, lambda value: f"{value:.6f}".rstrip("0").rstrip("."))


def size(lowest: int, highest: int) -> Kind:
    def read(given: object) -> int:
        if isinstance(given, str):
            match = re.fullmatch("([0-9]{1,12}) ?([kmg]?)(i?b)?", given.lower())
            given = int(match[1]) * SIZES[match[2]] if match else None
        if type(given) is not int or not lowest <= given <= highest:
            raise ValueError
        return given

    words = f"a number of bytes from {_short(lowest)} to {_short(highest)}, written like 65536, 64k or 1M"
    return Kind(words, "BYTES", read, _short)


def _short(count: int) -> str:
    """The number of bytes, in the largest unit that divides it."""
    for unit in ("g", "m", "k"):
        if count and count % SIZES[unit] == 0:
            return f"{count // SIZES[unit]}{unit if unit == 'k' else unit.upper()}"
    return str(count)


def choice(*names: str) -> Kind:
    def read(given: object) -> str:
        if not isinstance(given, str) or given.lower() not in names:
            raise ValueError
        return given.lower()

    return Kind(f"{', '.join(names[:-1])} or {names[-1]}", "|".join(names), read)


def text(pattern: str, words: str, metavar: str) -> Kind:
    def read(given: object) -> str:
        if not isinstance(given, str) or not re.fullmatch(pattern, given):
            raise ValueError
        return given

    return Kind(words, metavar, read)


def many(kind: Kind) -> Kind:
    """A list: an array in TOML, elsewhere separated by commas or blanks; an option may also be given again."""
    return Kind(kind.words, f"{kind.metavar},...", kind.read, kind.write, many=True)


def _read_switch(given: object) -> bool:
    if isinstance(given, str) and given.lower() in SWITCH:
        return SWITCH[given.lower()]
    if not isinstance(given, bool):
        raise ValueError
    return given


def _read_folder(given: object) -> Path:
    if not isinstance(given, str) or not given:
        raise ValueError
    try:
        return Path(given).expanduser()
    except RuntimeError:  # ~ of somebody who is unknown here
        raise ValueError from None


def _parts(given: object, *schemes: str) -> SplitResult:
    """The parts of an address that has one of the schemes and no blanks in it."""
    if not isinstance(given, str) or re.search(r"\s", given):
        raise ValueError
    parts = urlsplit(given)
    # Reading a port of letters, or one that is too large, raises ValueError as well.
    if parts.scheme not in schemes or parts.port == 0:
        raise ValueError
    return parts


def _read_store(given: object) -> str:
    parts = _parts(given, "redis", "rediss", "unix")
    if parts.scheme == "unix":
        if not parts.path.startswith("/"):
            raise ValueError
    elif not parts.hostname or not re.fullmatch("(/[0-9]{0,5})?", parts.path):
        raise ValueError
    return str(given)


def _read_page(given: object) -> str:
    parts = _parts(given, "http", "https")
    if not parts.hostname or parts.username is not None or parts.query or parts.fragment:
        raise ValueError
    return str(given).rstrip("/")


def _read_socket(given: object) -> str:
    parts = _parts(given, "ws", "wss")
    if not parts.hostname or parts.username is not None or parts.fragment:
        raise ValueError
    return str(given)


def _read_origin(given: object) -> str:
    if given == "*":
        return "*"
    # Apps that are not web pages have schemes of their own, such as capacitor://localhost.
    if not isinstance(given, str) or not re.fullmatch(r"[a-z][a-z0-9+.-]*://[^/?#@\s]+/?", given.lower()):
        raise ValueError
    return given.lower().rstrip("/")


def _read_network(given: object) -> Any:
    if not isinstance(given, str):
        raise ValueError  # ip_network would make an address of any number
    return ip_network(given, strict=False)


SWITCHED = Kind("on or off", "on|off", _read_switch, lambda value: "on" if value else "off")
FOLDER = Kind("the path of a folder", "DIR", _read_folder)
HOST = text("[A-Za-z0-9._:%-]{1,253}", "a host name, or an IP address such as 127.0.0.1, 0.0.0.0 or ::", "HOST")
NAME = text("[A-Za-z0-9._-]{1,64}", "up to 64 letters, digits, dots, dashes and underscores", "NAME")
STORE = Kind(
    "an address such as redis://localhost:6379/0, rediss://user:password@host:6379 or unix:///run/redis.sock",
    "URL",
    _read_store,
)
PAGE = Kind("an address such as https://play.example.org", "URL", _read_page)
SOCKET = Kind("an address such as wss://play.example.org/ws", "URL", _read_socket)
ORIGIN = Kind("an origin such as https://play.example.org, or * for any", "ORIGIN", _read_origin)
NETWORK = Kind("an address or network such as 127.0.0.1, ::1 or 10.0.0.0/8", "NET", _read_network)
