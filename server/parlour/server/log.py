"""What a node tells about itself: text with colours on a terminal, elsewhere one JSON object a line.

Every line has the time, the level, the logger and the message, and says what it is about: node, room, player, peer.
These come from `extra={"room": id}` of the one call, or from `about(room=id)` around many. Tokens and passwords are
never written.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, TextIO

FIELDS = ("node", "room", "player", "peer")
DIM, PLAIN = "\033[2m", "\033[0m"
COLOURS = {logging.DEBUG: DIM, logging.INFO: "\033[32m", logging.WARNING: "\033[33m"}
RED = "\033[31m"

_about: ContextVar[Mapping[str, str]] = ContextVar("about", default=MappingProxyType({}))


@contextmanager
def about(**fields: str) -> Iterator[None]:
    """Every line written inside is about this room, player or peer."""
    before = _about.set({**_about.get(), **fields})
    try:
        yield
    finally:
        _about.reset(before)


# Four patterns, not one: each begins with something that can be searched for fast.
_SECRETS = [
    # the password of an address: scheme://user:password@host, or in its query
    re.compile(r"(://)[^/\s\"']*(?=@)"),
    re.compile(r"([?&](?:username|password)=)[^&\s\"']+"),
    # a word that gives it away, then the secret: as field, as JSON (also quoted again), as repr of msgpack
    re.compile(
        r"((?:token|password|secret|authorization)s?(?:\W|\\x[0-9a-f]{2}|bearer|basic){1,12})[\w.+/=-]{16,}",
        re.IGNORECASE,
    ),
    # any long run of random characters
    re.compile(r"(?<![\w-])()(?=[\w-]{32})(?=[\w-]*[0-9])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]+"),
]


def hide_secrets(text: str) -> str:
    """The text with *** for whatever looks like a token or a password."""
    for pattern in _SECRETS:
        text = pattern.sub(r"\1***", text)
    return text


class Formatter(logging.Formatter):
    """What both forms share."""

    def __init__(self, node: str) -> None:
        super().__init__()
        self._node = node

    def format(self, record: logging.LogRecord) -> str:
        return hide_secrets(self.line(record))

    def line(self, record: logging.LogRecord) -> str:
        raise NotImplementedError

    def fields(self, record: logging.LogRecord) -> dict[str, str]:
        known: dict[str, Any] = {"node": self._node, **_about.get()}
        found = ((name, getattr(record, name, None) or known.get(name)) for name in FIELDS)
        return {name: str(value) for name, value in found if value}

    def trouble(self, record: logging.LogRecord) -> str:
        """The traceback, if there is one."""
        parts = [self.formatException(record.exc_info)] if record.exc_info else []
        if record.stack_info:
            parts.append(self.formatStack(record.stack_info))
        return "\n".join(parts)


class JsonFormatter(Formatter):
    def line(self, record: logging.LogRecord) -> str:
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **self.fields(record),
        }
        if trouble := self.trouble(record):
            entry["exception"] = trouble
        return json.dumps(entry)


class TextFormatter(Formatter):
    def __init__(self, node: str, colours: bool) -> None:
        super().__init__(node)
        self._colours = colours

    def line(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).astimezone().strftime("%H:%M:%S")
        level = f"{record.levelname.lower():7}"
        fields = self.fields(record)
        fields.pop("node", None)  # a terminal shows one node
        about = " ".join(f"{name}={value}" for name, value in {"logger": record.name, **fields}.items())
        message, about = _one_line(record.getMessage()), _one_line(about)
        if self._colours:
            level, about = f"{COLOURS.get(record.levelno, RED)}{level}{PLAIN}", f"{DIM}{about}{PLAIN}"
        trouble = self.trouble(record)
        return f"{time} {level} {message}  {about}" + (f"\n{trouble}" if trouble else "")


def _one_line(text: str) -> str:
    """Names are chosen by strangers: they must not be able to add lines, or to command the terminal."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", lambda found: repr(found[0])[1:-1], text)


class Handler(logging.StreamHandler[TextIO]):
    """Ours, so that it can be found again among others."""


def setup(form: str, level: str, node: str, stream: TextIO | None = None) -> None:
    """Send the lines of the whole process to `stream` (standard error). Calling it again replaces what was set.

    `form` is text, json or auto; `level` is the name of one, in small letters.
    """
    stream = sys.stderr if stream is None else stream
    terminal = stream.isatty()
    handler = Handler(stream)
    if form == "text" or (form == "auto" and terminal):
        colours = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        handler.setFormatter(TextFormatter(node, colours))
    else:
        handler.setFormatter(JsonFormatter(node))
    root = logging.getLogger()
    for old in [old for old in root.handlers if isinstance(old, Handler)]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level.upper())
    # It tells of every connection, which we do ourselves, and in debug of every byte, tokens among them.
    logging.getLogger("websockets").setLevel(logging.WARNING)
    logging.captureWarnings(True)
