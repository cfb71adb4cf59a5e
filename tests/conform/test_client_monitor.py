"""The violations that the monitor notes about a client."""

from __future__ import annotations

from typing import cast

from parlour.conform.client_monitor import ClientMonitor
from parlour.conform.connection import Connection
from parlour.conform.script import Script
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Hello, Play, Refused, Resign, Welcome
from parlour.protocol.types import Player


class Greeted:
    """A connection whose session is known."""

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id


CONNECTION = cast("Connection", Greeted("session"))
WELCOME = Welcome(you=Player("Ada"), token="secret", session="session", time=0, games=(), max_message_size=1)


def welcomed() -> ClientMonitor:
    monitor = ClientMonitor(Script(), lambda: 0.0)
    monitor.incoming(CONNECTION, Hello())
    monitor.written(CONNECTION, WELCOME)
    return monitor


def test_a_command_before_welcome_is_noted() -> None:
    """A client must wait for welcome before it sends commands."""
    monitor = ClientMonitor(Script(), lambda: 0.0)
    monitor.incoming(CONNECTION, Resign(id=1, room="r"))
    assert list(monitor.complaints) == ["waits-for-welcome"]


def test_one_id_for_two_commands_is_noted() -> None:
    """A command may be repeated under its id, but a different command needs a new id."""
    monitor = welcomed()
    monitor.incoming(CONNECTION, Resign(id=1, room="r"))
    monitor.incoming(CONNECTION, Resign(id=1, room="r"))
    assert not monitor.complaints
    monitor.incoming(CONNECTION, Resign(id=1, room="other"))
    assert list(monitor.complaints) == ["fresh-ids"]


def test_another_session_may_use_the_same_id() -> None:
    """A client that has begun a new session may count from 1 again."""
    monitor = welcomed()
    monitor.incoming(CONNECTION, Resign(id=1, room="r"))
    other = cast("Connection", Greeted("other"))
    monitor.written(other, WELCOME)
    monitor.incoming(other, Resign(id=1, room="other"))
    assert not monitor.complaints


def test_a_later_hello_needs_the_token_and_the_session() -> None:
    """A client that reconnects must identify itself as the same player, and its commands as the same commands."""
    for hello, broken in (
        (Hello(), ["resumes", "continues-session"]),
        (Hello(token="secret"), ["continues-session"]),
        (Hello(token="secret", session="other"), ["continues-session"]),
        (Hello(token="secret", session="session"), []),
    ):
        monitor = welcomed()
        monitor.incoming(CONNECTION, Resign(id=1, room="r"))
        monitor.incoming(CONNECTION, hello)
        assert list(monitor.complaints) == broken


def test_a_client_that_never_read_its_welcome_begins_again() -> None:
    """A client on a busy machine may give up its first connection: it cannot know the token."""
    monitor = welcomed()
    monitor.incoming(CONNECTION, Hello())
    assert not monitor.complaints


def test_an_illegal_turn_is_noted() -> None:
    """A turn that the server refuses as illegal was not among the choices."""
    monitor = welcomed()
    monitor.incoming(CONNECTION, Play(id=3, room="r", ply=0, picks=(9,)))
    list(monitor.outgoing(CONNECTION, Refused(code=ErrorCode.MOVE_ILLEGAL, text="No.", id=3)))
    assert list(monitor.complaints) == ["legal"]


def test_a_flood_is_noted() -> None:
    """A client may send as often as it is sent something, and twenty messages a second more."""
    monitor = welcomed()
    for _ in range(30):
        monitor.pinged(CONNECTION)
        monitor.written(CONNECTION, WELCOME)
    assert not monitor.complaints
    for _ in range(21):
        monitor.pinged(CONNECTION)
    assert list(monitor.complaints) == ["no-flood"]
