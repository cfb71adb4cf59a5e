"""The message definitions are consistent with each other."""

from __future__ import annotations

from typing import get_args

import pytest
from msgspec import Struct

from parlour.protocol.messages import ClientMessage, Command, Hello, Message, Moved, Ping, RoomEvent, ServerMap, name_of

CLIENT: tuple[type[Struct], ...] = get_args(ClientMessage)
SERVER: tuple[type[Struct], ...] = get_args(ServerMap)


def test_names_are_unique() -> None:
    """No two messages in one direction have the same name."""
    directions: list[tuple[type[Struct], ...]] = [CLIENT, (*SERVER, Moved)]
    for kinds in directions:
        assert len({name_of(kind) for kind in kinds}) == len(kinds)


def test_every_client_message_but_two_is_a_command() -> None:
    """Every message that a client sends after hello has an id and gets an answer, except for ping."""
    assert {kind for kind in CLIENT if not issubclass(kind, Command)} == {Hello, Ping}


@pytest.mark.parametrize("kind", [*CLIENT, *SERVER, Moved], ids=name_of)
def test_every_message_has_a_description(kind: type[Struct]) -> None:
    """The reference is generated from docstrings, so every message has its own."""
    assert kind.__doc__
    assert kind.__doc__ != Message.__doc__


@pytest.mark.parametrize("kind", [kind for kind in CLIENT if issubclass(kind, Command)], ids=name_of)
def test_every_command_names_its_answer(kind: type[Struct]) -> None:
    """The table of commands and answers is generated from the docstrings."""
    assert "Answered by " in (kind.__doc__ or "")


def test_an_event_is_a_short_map() -> None:
    """An event has at most 15 keys, so that MessagePack writes the size of its map in one byte."""
    assert len(RoomEvent.__struct_fields__) + 1 <= 15
