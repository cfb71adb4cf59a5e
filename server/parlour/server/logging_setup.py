"""Log output of a node: coloured text on a terminal, one JSON object per line elsewhere.

Each line has the time, the level, the logger and the message, plus the node, room, player, session, command id and
address it concerns, which the caller passes as `extra={"room": id}`. Tokens and passwords are never written. A warning
or an error that repeats itself is written once per `REPEAT_EVERY`, with the number of repetitions.

Hand-written, as two formatters for the standard library. Importing structlog, which imports rich, takes 0.35 s of CPU
time, more than half of what a node needs to start; redaction and escaping would still be ours.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from time import monotonic
from typing import TextIO

REPEAT_EVERY = 10.0  # seconds
MAX_REMEMBERED = 1_000  # different lines

FIELDS = ("node", "room", "player", "session", "command", "address")
RED, GREEN, YELLOW, DIM, RESET = "\033[31m", "\033[32m", "\033[33m", "\033[2m", "\033[0m"
COLOURS = {logging.DEBUG: DIM, logging.INFO: GREEN, logging.WARNING: YELLOW}

# Four patterns rather than one, since each starts with something that the regex engine can search for quickly.
SECRETS = (
    # the credentials in a URL: scheme://user:password@host, or in its query
    re.compile(r"(://)[^/\s\"']*(?=@)"),
    re.compile(r"([?&](?:username|password)=)[^&\s\"']+"),
    # a telling word followed by the secret: as a field, in JSON (also quoted twice), in the repr of msgpack
    re.compile(
        r"((?:token|password|secret|authorization)s?(?:\W|\\x[0-9a-f]{2}|bearer|basic){1,12})[\w.+/=-]{16,}",
        re.IGNORECASE,
    ),
    # any long run of random characters
    re.compile(r"(?<![\w-])()(?=[\w-]{32})(?=[\w-]*[0-9])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]+"),
)


def redact(text: str) -> str:
    """Return the text with *** in place of anything that looks like a token or a password."""
    for pattern in SECRETS:
        text = pattern.sub(r"\1***", text)
    return text


class JsonFormatter(logging.Formatter):
    """One JSON object per line."""

    def __init__(self, node: str) -> None:
        super().__init__()
        self._node = node

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "node": self._node,
            **_fields(record),
        }
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return redact(json.dumps(entry))


class TextFormatter(logging.Formatter):
    """Lines for people. They name the node only if a terminal shows several."""

    def __init__(self, has_colours: bool, node: str = "") -> None:
        super().__init__()
        self._has_colours = has_colours
        self._node = {"node": node} if node else {}

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).astimezone().strftime("%H:%M:%S")
        level = f"{record.levelname.lower():7}"
        message = _escape(record.getMessage())
        fields = _escape(" ".join(f"{name}={value}" for name, value in (self._node | _fields(record)).items()))
        context = f"logger={record.name} {fields}".rstrip()
        if self._has_colours:
            level, context = f"{COLOURS.get(record.levelno, RED)}{level}{RESET}", f"{DIM}{context}{RESET}"
        traceback = f"\n{self.formatException(record.exc_info)}" if record.exc_info else ""
        return redact(f"{time} {level} {message}  {context}{traceback}")


def _fields(record: logging.LogRecord) -> dict[str, str]:
    return {name: str(value) for name in FIELDS if (value := getattr(record, name, None)) not in (None, "")}


def _escape(text: str) -> str:
    """Escape control characters: players choose their names, which must not add lines or control the terminal."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", lambda found: repr(found[0])[1:-1], text)


class RepetitionFilter(logging.Filter):
    """Suppresses a warning or an error that was written a moment ago; the next one says how many were left out.

    Lines are the same if they have the same text and the same kind of exception. Rooms and players, which are fields,
    may differ: what fails in one room usually fails in all of them.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._now = now
        self._written: dict[tuple[object, ...], float] = {}  # when a line was last written
        self._suppressed: Counter[tuple[object, ...]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write a line."""
        if record.levelno < logging.WARNING:
            return True
        exception = record.exc_info[0] if record.exc_info else None
        key = (record.name, record.getMessage(), exception)
        now = self._now()
        if now - self._written.get(key, -REPEAT_EVERY) < REPEAT_EVERY:
            self._suppressed[key] += 1
            return False
        if len(self._written) >= MAX_REMEMBERED:
            self._written.clear()
        self._written[key] = now
        if count := self._suppressed.pop(key, 0):
            record.msg, record.args = f"{record.getMessage()} (and {count} more times since the last entry)", ()
        return True


class Handler(logging.StreamHandler[TextIO]):
    """A handler that `configure` recognises as its own."""


def configure(form: str, level: str, node: str, stream: TextIO | None = None, *, is_shared: bool = False) -> None:
    """Log the whole process to `stream`, by default standard error. Another call replaces the previous set-up.

    `form` is text, json or auto; `level` is the lower-case name of a log level; `is_shared` says whether other
    nodes log to the same stream.
    """
    stream = sys.stderr if stream is None else stream
    is_terminal = stream.isatty()
    handler = Handler(stream)
    handler.addFilter(RepetitionFilter())
    if form == "text" or (form == "auto" and is_terminal):
        has_colours = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        handler.setFormatter(TextFormatter(has_colours, node if is_shared else ""))
    else:
        handler.setFormatter(JsonFormatter(node))
    root = logging.getLogger()
    root.handlers = [other for other in root.handlers if not isinstance(other, Handler)] + [handler]
    root.setLevel(level.upper())
    # It would log every connection, and on debug level every frame, including tokens.
    logging.getLogger("websockets").setLevel(logging.WARNING)
    logging.captureWarnings(True)
