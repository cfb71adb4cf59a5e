"""The example conversation is one that a real client could have."""

from __future__ import annotations

from parlour.bots import levels
from parlour.games import find
from parlour.protocol.messages import Create, Hello, Moved, Play, Room
from parlour.protocol.replica import ApplyResult, RoomReplica
from publish.conversation import LOST, conversation

LINES = list(conversation())
MESSAGES = [line.message for line in LINES if line.message is not None]


def test_its_updates_can_be_followed() -> None:
    """Every move applies to the room that was joined, including after the lost connection."""
    (room,) = (message for message in MESSAGES if isinstance(message, Room))
    replica = RoomReplica(room)
    moves = [message for message in MESSAGES if isinstance(message, Moved)]

    assert len(moves) == 4
    assert {replica.apply(moved) for moved in moves} == {ApplyResult.APPLIED}


def test_its_level_exists() -> None:
    """The computer has the level that the example asks for."""
    (create,) = (message for message in MESSAGES if isinstance(message, Create))
    names = levels.names(find(create.terms.game))
    assert all(level is None or level in names for level in create.levels)


def test_a_command_is_repeated_with_its_id() -> None:
    """After the lost connection the same command is sent again with the same id."""
    lost = next(number for number, line in enumerate(LINES) if line.remark == LOST)
    after = [line.message for line in LINES[lost:] if line.sender == "client"]
    assert isinstance(after[0], Hello)
    assert after[0].rooms
    assert after[1] == LINES[lost - 1].message
    assert isinstance(after[1], Play)
