"""Which rated games count."""

from __future__ import annotations

from msgspec.structs import replace

from parlour.protocol.types import Result
from parlour.server.rooms.fair_play import SHORTEST, counted
from parlour.server.rooms.state import RoomState
from tests.server.rooms.sample_rooms import new_room, played

RESIGNED, FLAG = Result(0, "resigned"), Result(0, "flag")


def after(moves: int, *, rated: bool = True) -> RoomState:
    """Return a room after some moves."""
    return played(replace(new_room("isaac"), rated=rated), *[None] * moves)


def test_both_players_have_to_move() -> None:
    """However the game ends."""
    for moves in (0, 1):
        for result in (RESIGNED, FLAG):
            assert counted(after(moves), result).unrated == "not_both_moved"
    assert counted(after(2), FLAG) == FLAG


def test_players_cannot_end_a_rated_game_at_once() -> None:
    """A resignation or an agreement counts after some moves."""
    for result in (RESIGNED, Result(None, "agreed")):
        assert counted(after(SHORTEST - 1), result).unrated == "too_short"
        assert counted(after(SHORTEST), result) == result


def test_a_casual_game_needs_no_reason() -> None:
    """It does not count anyway."""
    assert counted(after(0, rated=False), RESIGNED) == RESIGNED
