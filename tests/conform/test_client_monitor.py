"""The violations that the monitor notes about a client."""

from __future__ import annotations

from typing import Any

from parlour.conform.client_monitor import ClientMonitor
from parlour.conform.script import Script
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Hello, Play, Refused, Resign, Welcome
from parlour.protocol.types import Player

CONNECTION: Any = object()
WELCOME = Welcome(you=Player("Ada"), token="secret", session="session", time=0, games=(), max_message_size=1)


def welcomed() -> ClientMonitor:
    monitor = ClientMonitor(Script())
    monitor.incoming(CONNECTION, Hello())
    monitor.written(CONNECTION, WELCOME)
    return monitor


def test_a_command_before_welcome_is_noted() -> None:
    """A client must wait for welcome before it sends commands."""
    monitor = ClientMonitor(Script())
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


def test_a_later_hello_needs_the_token() -> None:
    """A client that reconnects must identify itself as the same player."""
    monitor = welcomed()
    monitor.incoming(CONNECTION, Hello())
    assert list(monitor.complaints) == ["resumes"]


def test_an_illegal_turn_is_noted() -> None:
    """A turn that the server refuses as illegal was not among the choices."""
    monitor = welcomed()
    monitor.incoming(CONNECTION, Play(id=3, room="r", ply=0, picks=(9,)))
    list(monitor.outgoing(CONNECTION, Refused(code=ErrorCode.MOVE_ILLEGAL, text="No.", id=3)))
    assert list(monitor.complaints) == ["legal"]
