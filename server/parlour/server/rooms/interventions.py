"""An operator's interventions in a game: ordinary events with their own reasons.

Pure, as in `commands.py`: each function returns a rule, which a room applies to its current state.
"""

from __future__ import annotations

from collections.abc import Callable

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Result
from parlour.server.rooms.commands import ADJUDICATED, CANCELLED, Events
from parlour.server.rooms.events import Closed, Ended
from parlour.server.rooms.fair_play import counted
from parlour.server.rooms.state import RoomState

Intervention = Callable[[RoomState, int], Events]


def adjudicate(winner: int | None) -> Intervention:
    """End the game with a winner, given as a seat, or as a draw. It counts like any other result."""

    def decide(room: RoomState, now: int) -> Events:
        _check_running(room)
        return (Ended(now, counted(room, Result(winner, ADJUDICATED, room.rules.scores(room.state)))),)

    return decide


def cancel(room: RoomState, now: int) -> Events:
    """End the game without a result: it is neither rated nor archived."""
    _check_running(room)
    return (Ended(now, Result(None, CANCELLED)),)


def close(room: RoomState, now: int) -> Events:
    """Close the room, which accepts no commands any more. A game that is running is cancelled."""
    if room.closed:
        return ()
    return (Closed(now),) if room.is_over else (Ended(now, Result(None, CANCELLED)), Closed(now))


def _check_running(room: RoomState) -> None:
    if room.is_over:
        raise Refusal(ErrorCode.GAME_OVER, "The game is over. Its result stays as it is.")
