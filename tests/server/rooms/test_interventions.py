"""What an operator may do with a game."""

from __future__ import annotations

import pytest

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Result
from parlour.server.rooms.commands import is_closed
from parlour.server.rooms.events import Closed, Ended
from parlour.server.rooms.interventions import adjudicate, cancel, close
from parlour.server.rooms.state import RoomState, transitions
from tests.server.rooms.sample_rooms import NOON, new_room


def after(room: RoomState, *events: Ended | Closed) -> RoomState:
    """Return the room after some events."""
    return transitions(room, events)[-1][1]


@pytest.mark.parametrize("winner", [0, 1, None])
def test_a_game_is_adjudicated(winner: int | None) -> None:
    """It ends with this winner or as a draw, with the scores of the position."""
    room = new_room("isaac")
    (ended,) = adjudicate(winner)(room, NOON)
    assert ended == Ended(NOON, Result(winner, "adjudicated", room.rules.scores(room.state)))


def test_a_game_is_cancelled() -> None:
    """It ends without a winner."""
    assert cancel(new_room("isaac"), NOON) == (Ended(NOON, Result(None, "cancelled")),)


def test_a_game_that_is_over_keeps_its_result() -> None:
    """Neither is possible then."""
    room = after(new_room("isaac"), Ended(NOON, Result(0, "resigned")))
    for change in (adjudicate(1), cancel):
        with pytest.raises(Refusal) as refused:
            change(room, NOON)
        assert refused.value.code is ErrorCode.GAME_OVER


def test_a_room_is_closed() -> None:
    """A running game is cancelled first; a closed room stays as it is."""
    room = new_room("isaac")
    assert close(room, NOON) == (Ended(NOON, Result(None, "cancelled")), Closed(NOON))
    over = after(room, Ended(NOON, Result(0, "resigned")))
    assert close(over, NOON) == (Closed(NOON),)
    closed = after(over, Closed(NOON))
    assert close(closed, NOON) == ()
    assert is_closed(closed, NOON)
    assert not is_closed(over, NOON)
