"""Which rated games count."""

from __future__ import annotations

from msgspec.structs import replace

from parlour.protocol.types import Result
from parlour.server.rooms.fair_play import RATED_A_DAY, SHORTEST, counted, unrated_from_start
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


def test_a_game_within_a_network_does_not_count() -> None:
    """Unless the networks are unknown."""
    assert unrated_from_start(("203.0.113.7", "203.0.113.7"), 0) == "same_network"
    assert unrated_from_start(("203.0.113.7", "203.0.113.8"), 0) == ""
    assert unrated_from_start(("", ""), 0) == ""


def test_the_same_pairing_counts_so_many_times_a_day() -> None:
    """The next game of the same two players does not."""
    assert unrated_from_start(("", ""), RATED_A_DAY - 1) == ""
    assert unrated_from_start(("", ""), RATED_A_DAY) == "repeated_pairing"


def test_the_reason_from_the_start_is_in_the_result() -> None:
    """Also if the game has another reason not to count."""
    for moves in (0, SHORTEST):
        room = replace(after(moves), unrated="same_network")
        assert counted(room, FLAG).unrated == "same_network"
    assert counted(replace(after(0, rated=False), unrated="same_network"), FLAG) == FLAG
