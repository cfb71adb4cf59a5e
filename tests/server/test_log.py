"""What log lines look like, what they are about, and what they never hold."""

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
from parlour.server import log
from parlour.server.log import about, hide_secrets, setup

TOKEN = "dGhlIHRva2VuIG9mIEFkYQ-x9_Zk3Qm0LpW7sXyB-4e"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    """Logging belongs to the whole process: it is left as it was found."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers, root.level = handlers, level
    logging.getLogger("websockets").setLevel(logging.NOTSET)
    logging.captureWarnings(False)


@pytest.fixture
def stream() -> io.StringIO:
    stream = io.StringIO()
    setup("json", "info", "node-1", stream)
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
    """A line in JSON has the time in UTC, the level, the logger, the message and the node."""
    before = datetime.now(UTC)
    logging.getLogger("parlour.test").warning("seat %d “taken”\nby %s", 1, "Ada")

    (entry,) = entries(stream)
    time = datetime.fromisoformat(entry.pop("time"))
    assert entry == {
        "level": "warning", "logger": "parlour.test", "message": "seat 1 “taken”\nby Ada", "node": "node-1",
    }  # fmt: skip
    assert abs((time - before).total_seconds()) < 60


def test_a_line_says_what_it_is_about(stream: io.StringIO) -> None:
    """Room, player and peer come from the surroundings, and `extra` of the call wins."""
    logger = logging.getLogger("parlour.test")
    with about(room="r1", player="ada"):
        with about(player="bob"):
            logger.info("inner", extra={"room": "r2", "peer": "10.0.0.1"})
        logger.info("outer")
    logger.info("outside")

    assert [(e.get("room"), e.get("player"), e.get("peer")) for e in entries(stream)] == [
        ("r2", "bob", "10.0.0.1"),
        ("r1", "ada", None),
        (None, None, None),
    ]


def test_an_exception_is_a_field(stream: io.StringIO) -> None:
    """A traceback does not break the rule of one object a line."""
    try:
        raise RuntimeError("no\nluck")
    except RuntimeError:
        logging.getLogger("parlour.test").exception("failed")

    (entry,) = entries(stream)
    assert entry["message"] == "failed"
    assert entry["exception"].startswith("Traceback (most recent call last):\n")
    assert entry["exception"].endswith("RuntimeError: no\nluck")


def test_warnings_of_python_are_lines_too(stream: io.StringIO) -> None:
    """A deprecation in a library does not write over the JSON."""
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(True)
        warnings.warn("old", UserWarning, stacklevel=1)
        logging.captureWarnings(False)

    assert [(e["logger"], e["level"]) for e in entries(stream)] == [("py.warnings", "warning")]


# -- text


def test_a_terminal_gets_text_with_colours(terminal: Terminal) -> None:
    """On a terminal a line is for people: time, level in colour, message, and what it is about."""
    setup("auto", "info", "node-1", terminal)
    logging.getLogger("parlour.test").error("gone", extra={"room": "r1"})

    line = terminal.getvalue()
    assert line[8:] == " \033[31merror  \033[0m gone  \033[2mlogger=parlour.test room=r1\033[0m\n"
    datetime.strptime(line[:8], "%H:%M:%S").replace(tzinfo=UTC)


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_colours_can_be_declined(name: str, value: str, terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_COLOR and a dumb terminal are respected."""
    monkeypatch.setenv(name, value)
    setup("auto", "info", "node-1", terminal)
    logging.getLogger("parlour.test").error("gone")

    assert "\033" not in terminal.getvalue()


def test_the_form_can_be_chosen(terminal: Terminal) -> None:
    """JSON can be had on a terminal and text, without colours, in a file."""
    setup("json", "info", "node-1", terminal)
    logging.getLogger("parlour.test").info("one")
    file = io.StringIO()
    setup("text", "info", "node-1", file)
    logging.getLogger("parlour.test").info("two")

    assert entries(terminal)[0]["message"] == "one"
    assert file.getvalue()[8:] == " info    two  logger=parlour.test\n"


def test_strangers_cannot_write_lines_of_their_own(terminal: Terminal) -> None:
    """Line ends and commands to the terminal in a name are shown, not carried out."""
    setup("text", "info", "node-1", terminal)
    logging.getLogger("parlour.test").info("hello %s", "Eve\n12:00:00 error\033[2J", extra={"player": "e\r\u2028"})

    (line,) = terminal.getvalue().splitlines()
    assert "hello Eve\\n12:00:00 error\\x1b[2J" in line
    assert "player=e\\r\\u2028" in line


# -- setting it up


def test_setting_it_up_again_replaces_the_first(stream: io.StringIO) -> None:
    """Each line is written once, however often it was set up, and handlers of others stay."""
    others = [handler for handler in logging.getLogger().handlers if not isinstance(handler, log.Handler)]
    second = io.StringIO()
    setup("json", "debug", "node-2", second)
    setup("json", "debug", "node-2", second)
    logging.getLogger("parlour.test").debug("once")

    assert stream.getvalue() == ""
    assert [entry["node"] for entry in entries(second)] == ["node-2"]
    assert [handler for handler in logging.getLogger().handlers if not isinstance(handler, log.Handler)] == others


def test_less_important_lines_are_left_out() -> None:
    """The level holds for everything, and websockets never tells the bytes it carries."""
    stream = io.StringIO()
    setup("json", "debug", "node-1", stream)
    logging.getLogger("websockets.server").debug("< BINARY 81 a1 74")
    setup("json", "warning", "node-1", stream)
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
        f"nobody is known as {TOKEN}",
        f"['{TOKEN}']",
        f"GET /ws?token={TOKEN} HTTP/1.1",
    ],
)
def test_tokens_are_hidden(text: str) -> None:
    """A token is recognised as a field, in JSON, in what Python prints of messages and frames, and by its looks."""
    hidden = hide_secrets(text)

    assert TOKEN not in hidden
    assert "***" in hidden


def test_passwords_of_addresses_are_hidden() -> None:
    """The rest of the address stays, since it is what one wants to know."""
    assert hide_secrets("no redis://u:p@ss@host:1/0 there") == "no redis://***@host:1/0 there"
    assert hide_secrets("redis://host?db=1&password=hunter2&x=1") == "redis://host?db=1&password=***&x=1"


@pytest.mark.parametrize(
    "text",
    [
        "room abcd2345 of player 01hzy3v7m8k2",
        "token_unknown: nobody is known under this token",
        "GET http://127.0.0.1:8765/healthz from user@example.org",
        "3f786850e387550fdab836ed7e6dc881de23001b",
        'File "/usr/lib/python3.11/asyncio/selector_events.py", line 1002, in _read_ready__data_received',
    ],
)
def test_ordinary_lines_stay_as_they_are(text: str) -> None:
    """Ids, codes, addresses, digests and tracebacks are no secrets."""
    assert hide_secrets(text) == text


def test_random_tokens_are_hidden_wherever_they_stand(stream: io.StringIO) -> None:
    """In the message, in a field and in an exception, a token never reaches the stream, and JSON stays JSON."""
    tokens = [secrets.token_urlsafe(32) for _ in range(50)]
    for token in tokens:
        try:
            raise ValueError(f"token={token}")
        except ValueError:
            logging.getLogger("parlour.test").exception("token %r", token, extra={"player": f"token:{token}"})

    assert len(entries(stream)) == len(tokens)
    assert not any(token in stream.getvalue() for token in tokens)


def test_hiding_takes_time_in_proportion() -> None:
    """A hostile text of a megabyte is searched in less than two seconds."""
    for piece in ("a-", "token=", "://a@", "A1a", "password:", "\\x00", "?password="):
        before = os.times().user
        hide_secrets(piece * (1_000_000 // len(piece)))
        assert os.times().user - before < 2
