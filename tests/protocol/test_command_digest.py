"""The digest of a command is the same whenever, and however, the same command is sent."""

from __future__ import annotations

from parlour.protocol.codec import JSON, MSGPACK
from parlour.protocol.command_digest import command_digest, id_reused
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Abort, Command, Create, Play, Resign
from parlour.protocol.types import Clock, Terms

CREATE = Create(id=5, terms=Terms("isaac", {"first": "white", "size": 9}, Clock("move", 1000)), levels=(None, "3"))


def test_both_subprotocols_have_the_same_digest() -> None:
    """A client may reconnect with the other subprotocol and send a command again."""
    for codec in (MSGPACK, JSON):
        again = codec.decode_client(codec.encode(CREATE))
        assert isinstance(again, Command)
        assert command_digest(again) == command_digest(CREATE)


def test_the_order_of_options_does_not_matter() -> None:
    """Some clients write the keys of a map in random order."""
    options = dict(reversed(CREATE.terms.options.items()))
    again = Create(id=5, terms=Terms("isaac", options, CREATE.terms.clock), levels=CREATE.levels)
    assert list(again.terms.options) != list(CREATE.terms.options)
    assert command_digest(again) == command_digest(CREATE)


def test_different_commands_have_different_digests() -> None:
    """The digest covers the kind of a command and all of its fields."""
    commands: list[Command] = [
        Play(id=1, room="room", ply=0, picks=(1, 2)),
        Play(id=1, room="room", ply=0, picks=(2, 1)),
        Play(id=1, room="room", ply=1, picks=(1, 2)),
        Play(id=1, room="room", ply=0, move="b1-c1"),
        Resign(id=1, room="room"),
        Abort(id=1, room="room"),
        CREATE,
        Create(id=5, terms=CREATE.terms, levels=("3", None)),
    ]
    assert len({command_digest(command) for command in commands}) == len(commands)


def test_the_digest_is_stable() -> None:
    """Logs contain digests, so another process or version must not compute other ones."""
    assert command_digest(Play(id=1, room="room", ply=0, picks=(1, 2))) == 0xF209B71E


def test_the_refusal_says_what_to_do() -> None:
    """Its code is id_reused, and its sentence asks for a new id."""
    assert id_reused().code == ErrorCode.ID_REUSED
    assert "new id" in id_reused().sentence
