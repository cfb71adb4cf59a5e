"""The format of log lines, the context they carry, and the secrets they never contain."""

from __future__ import annotations

import io
import json
import logging
import os
import secrets
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime

import msgspec
import pytest

from parlour.protocol.messages import Hello
from parlour.server.logging_setup import REPEAT_EVERY, Handler, RepetitionFilter, configure, redact

TOKEN = "dGhlIHRva2VuIG9mIEFkYQ-x9_Zk3Qm0LpW7sXyB-4e"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    """Restore the logging of the process after each test."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers, root.level = handlers, level
    logging.getLogger("websockets").setLevel(logging.NOTSET)
    logging.captureWarnings(False)


@pytest.fixture
def stream() -> io.StringIO:
    stream = io.StringIO()
    configure("json", "info", "node-1", stream)
    return stream


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return Terminal()


def entries(stream: io.StringIO) -> list[dict[str, str]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


# -- JSON


def test_a_line_is_an_object(stream: io.StringIO) -> None:
    """A JSON line has the time in UTC, the level, the logger, the message and the node."""
    before = datetime.now(UTC)
    logging.getLogger("parlour.test").warning("seat %d “taken”\nby %s", 1, "Ada")

    (entry,) = entries(stream)
    time = datetime.fromisoformat(entry.pop("time"))
    assert entry == {
        "level": "warning", "logger": "parlour.test", "message": "seat 1 “taken”\nby Ada", "node": "node-1",
    }  # fmt: skip
    assert abs((time - before).total_seconds()) < 60


def test_a_line_has_the_context_of_the_call(stream: io.StringIO) -> None:
    """Room, player and address come from `extra`; the fields of one call do not leak into the next."""
    logger = logging.getLogger("parlour.test")
    logger.info("all", extra={"room": "r2", "player": "bob", "address": "10.0.0.1"})
    logger.info("one", extra={"room": "r1", "player": None})
    logger.info("none")

    assert [(e.get("room"), e.get("player"), e.get("address")) for e in entries(stream)] == [
        ("r2", "bob", "10.0.0.1"),
        ("r1", None, None),
        (None, None, None),
    ]


def test_an_exception_is_a_field(stream: io.StringIO) -> None:
    """A traceback is part of the JSON object, which stays on one line."""
    try:
        raise RuntimeError("no\nluck")
    except RuntimeError:
        logging.getLogger("parlour.test").exception("failed")

    (entry,) = entries(stream)
    assert entry["message"] == "failed"
    assert entry["exception"].startswith("Traceback (most recent call last):\n")
    assert entry["exception"].endswith("RuntimeError: no\nluck")


def test_python_warnings_are_logged(stream: io.StringIO) -> None:
    """A deprecation warning from a library becomes a JSON line too."""
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(True)
        warnings.warn("old", UserWarning, stacklevel=1)
        logging.captureWarnings(False)

    assert [(e["logger"], e["level"]) for e in entries(stream)] == [("py.warnings", "warning")]


# -- text


def test_a_terminal_gets_text_with_colours(terminal: Terminal) -> None:
    """A line on a terminal has the time, the level in colour, the message and the context."""
    configure("auto", "info", "node-1", terminal)
    logging.getLogger("parlour.test").error("lost", extra={"room": "r1"})

    line = terminal.getvalue()
    assert line[8:] == " \033[31merror  \033[0m lost  \033[2mlogger=parlour.test room=r1\033[0m\n"
    datetime.strptime(line[:8], "%H:%M:%S").replace(tzinfo=UTC)


def test_nodes_that_share_a_terminal_are_named(terminal: Terminal) -> None:
    """Their lines would look alike otherwise."""
    configure("text", "info", "node-1", terminal, is_shared=True)
    logging.getLogger("parlour.test").error("lost", extra={"room": "r1"})

    assert "logger=parlour.test node=node-1 room=r1" in terminal.getvalue()


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_colours_can_be_declined(name: str, value: str, terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_COLOR and a dumb terminal turn colours off."""
    monkeypatch.setenv(name, value)
    configure("auto", "info", "node-1", terminal)
    logging.getLogger("parlour.test").error("lost")

    assert "\033" not in terminal.getvalue()


def test_the_format_can_be_chosen(terminal: Terminal) -> None:
    """A terminal can get JSON, and a file gets text without colours."""
    configure("json", "info", "node-1", terminal)
    logging.getLogger("parlour.test").info("one")
    file = io.StringIO()
    configure("text", "info", "node-1", file)
    logging.getLogger("parlour.test").info("two")

    assert entries(terminal)[0]["message"] == "one"
    assert file.getvalue()[8:] == " info    two  logger=parlour.test\n"


def test_names_cannot_forge_lines(terminal: Terminal) -> None:
    """Line breaks and control characters in a name are escaped."""
    configure("text", "info", "node-1", terminal)
    logging.getLogger("parlour.test").info("hello %s", "Eve\n12:00:00 error\033[2J", extra={"player": "e\r\u2028"})

    (line,) = terminal.getvalue().splitlines()
    assert "hello Eve\\n12:00:00 error\\x1b[2J" in line
    assert "player=e\\r\\u2028" in line


# -- configuration


def test_another_call_replaces_the_configuration(stream: io.StringIO) -> None:
    """Each line is written once, however often logging is configured, and foreign handlers stay."""
    others = [handler for handler in logging.getLogger().handlers if not isinstance(handler, Handler)]
    second = io.StringIO()
    configure("json", "debug", "node-2", second)
    configure("json", "debug", "node-2", second)
    logging.getLogger("parlour.test").debug("once")

    assert stream.getvalue() == ""
    assert [entry["node"] for entry in entries(second)] == ["node-2"]
    assert [handler for handler in logging.getLogger().handlers if not isinstance(handler, Handler)] == others


def test_less_important_lines_are_left_out() -> None:
    """The level applies to all loggers, and websockets never logs its frames."""
    stream = io.StringIO()
    configure("json", "debug", "node-1", stream)
    logging.getLogger("websockets.server").debug("< BINARY 81 a1 74")
    configure("json", "warning", "node-1", stream)
    logging.getLogger("parlour.test").info("left out")

    assert stream.getvalue() == ""


# -- secrets


@pytest.mark.parametrize(
    "text",
    [
        f"hello token={TOKEN}",
        f"hello Token: {TOKEN}",
        f'{{"t": "hello", "token": "{TOKEN}"}}',
        json.dumps(f'{{"t": "hello", "token": "{TOKEN}"}}'),
        f"{{'token': '{TOKEN}'}}",
        repr(Hello("a", TOKEN)),
        repr(msgspec.msgpack.encode(Hello("a", TOKEN))),
        repr(msgspec.msgpack.encode(Hello("a", TOKEN + "0" * 40))),
        json.dumps(repr(msgspec.msgpack.encode(Hello("a", TOKEN)))),
        f"Authorization: Bearer {TOKEN}",
        f"unknown player {TOKEN}",
        f"['{TOKEN}']",
        f"GET /ws?token={TOKEN} HTTP/1.1",
    ],
)
def test_tokens_are_hidden(text: str) -> None:
    """A token is recognised as a field, in JSON, in the repr of messages and frames, and by its shape."""
    hidden = redact(text)

    assert TOKEN not in hidden
    assert "***" in hidden


def test_passwords_in_addresses_are_hidden() -> None:
    """The rest of the address stays readable."""
    assert redact("no redis://u:p@ss@host:1/0 there") == "no redis://***@host:1/0 there"
    assert redact("redis://host?db=1&password=hunter2&x=1") == "redis://host?db=1&password=***&x=1"


@pytest.mark.parametrize(
    "text",
    [
        "room abcd2345 of player 01hzy3v7m8k2",
        "token_unknown: no player has this token",
        "GET http://127.0.0.1:8765/healthz from user@example.org",
        "3f786850e387550fdab836ed7e6dc881de23001b",
        'File "/usr/lib/python3.11/asyncio/selector_events.py", line 1002, in _read_ready__data_received',
    ],
)
def test_ordinary_text_is_unchanged(text: str) -> None:
    """Ids, codes, addresses, digests and tracebacks are not taken for secrets."""
    assert redact(text) == text


def test_random_tokens_are_hidden_everywhere(stream: io.StringIO) -> None:
    """A token in the message, a field or an exception never reaches the stream, and the line stays valid JSON."""
    tokens = [secrets.token_urlsafe(32) for _ in range(50)]
    for token in tokens:
        try:
            raise ValueError(f"token={token}")
        except ValueError:
            logging.getLogger("parlour.test").exception("token %r", token, extra={"player": f"token:{token}"})

    assert len(entries(stream)) == len(tokens)
    assert not any(token in stream.getvalue() for token in tokens)


def test_redaction_takes_linear_time() -> None:
    """A hostile text of a megabyte takes less than two seconds of CPU time."""
    for piece in ("a-", "token=", "://a@", "A1a", "password:", "\\x00", "?password="):
        before = os.times().user
        redact(piece * (1_000_000 // len(piece)))
        assert os.times().user - before < 2


# -- repetitions


def record(message: str, *args: object, level: int = logging.ERROR) -> logging.LogRecord:
    return logging.LogRecord("parlour.test", level, "file.py", 1, message, args, None)


def test_a_repeated_failure_is_written_once_per_interval() -> None:
    """The next line of the same kind says how many were left out."""
    time = 100.0
    repetitions = RepetitionFilter(lambda: time)
    assert [repetitions.filter(record("it failed")) for _ in range(5)] == [True, False, False, False, False]
    time += REPEAT_EVERY
    again = record("it failed")
    assert repetitions.filter(again)
    assert again.getMessage() == "it failed (and 4 more times since the last entry)"
    time += REPEAT_EVERY
    last = record("it failed")
    assert repetitions.filter(last)
    assert last.getMessage() == "it failed"


def test_other_lines_are_not_held_back() -> None:
    """Another message, also of the same statement, and everything below a warning are written."""
    repetitions = RepetitionFilter(lambda: 100.0)
    assert repetitions.filter(record("worker %d died", 1))
    assert repetitions.filter(record("worker %d died", 2))
    assert repetitions.filter(record("something else failed"))
    assert all(repetitions.filter(record("paired", level=logging.INFO)) for _ in range(3))


def test_a_command_is_named(stream: io.StringIO) -> None:
    """Session and command id lead from one line to the others about the same command, even if the id is 0."""
    logging.getLogger("parlour.test").error("Play failed", extra={"room": "r1", "session": "s1", "command": 0})
    (entry,) = entries(stream)
    assert (entry["room"], entry["session"], entry["command"]) == ("r1", "s1", "0")
