"""What is different in games of tournaments: halved clocks, and no abort or rematch."""

from __future__ import annotations

from random import Random

import pytest

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Berserk
from parlour.protocol.types import Clock, Player, Result, Terms
from parlour.server.rooms import view
from parlour.server.rooms.clock import can_berserk
from parlour.server.rooms.commands import ABORTED, FIRST_MOVE_WITHIN, deadline, expire
from parlour.server.rooms.events import Berserked, Ended, Participant
from parlour.server.rooms.setup import complete_options, create
from parlour.server.rooms.state import RoomState, initial_state
from tests.server.rooms.sample_rooms import (
    ABORT,
    ADA,
    BEN,
    CLOCKS,
    EVE,
    FISCHER,
    NOON,
    RESIGN,
    commanded,
    new_room,
    offer,
    origin,
    play,
    played,
    refused,
)

BERSERK = Berserk(id=1, room="room")


def tournament_room(*, berserk: bool = True, players: tuple[Participant, Participant] = (ADA, BEN)) -> RoomState:
    """Return a new room of a tournament."""
    terms = Terms("replica", {}, FISCHER)
    options = complete_options(terms, None, Random(1))
    return initial_state("room", create(terms, options, None, players, NOON, tournament="Cup123", berserk=berserk))


def test_a_clock_is_halved_once() -> None:
    """Only the own one, and only before the own first move."""
    room = commanded(tournament_room(), BEN, BERSERK)
    assert room.berserk == (False, True)
    assert [left.main for left in room.times.left] == [FISCHER.main, FISCHER.main // 2]
    assert refused(room, BEN, Berserk(id=2, room="room")) is ErrorCode.BERSERK_REFUSED
    after_first = played(room, None)
    assert refused(after_first, ADA, BERSERK) is ErrorCode.BERSERK_REFUSED
    assert refused(room, EVE, BERSERK) is ErrorCode.NOT_A_PLAYER


def test_every_subscriber_learns_of_it() -> None:
    """The event has the seat and both clocks, and names the command that caused it."""
    room = tournament_room()
    after = commanded(room, ADA, BERSERK)
    update, _ = view.update(view.scene(room), after, Berserked(NOON, 0, *origin(ADA, BERSERK)))
    assert (update.kind, update.seat, [left.main for left in update.clocks]) == ("berserk", 0, [30_000, 60_000])  # type: ignore[union-attr]
    assert view.snapshot(after, view.scene(after), 0, 0, NOON, None).berserk == (True, False)


def test_other_games_have_no_berserk() -> None:
    """Neither those outside of tournaments nor those whose tournament does not allow it."""
    for room in (new_room(clock=FISCHER), tournament_room(berserk=False)):
        assert refused(room, ADA, BERSERK) is ErrorCode.BERSERK_REFUSED


@pytest.mark.parametrize("clock", CLOCKS)
def test_clocks_without_a_main_time_cannot_be_halved(clock: Clock) -> None:
    """There is nothing to halve if each turn has its own time."""
    assert can_berserk(clock) == (clock.kind not in ("none", "days", "move"))


def test_a_game_of_a_tournament_is_played() -> None:
    """It is not aborted, and has no rematch."""
    room = tournament_room()
    assert refused(room, ADA, ABORT) is ErrorCode.TOO_LATE_TO_ABORT
    over = commanded(room, ADA, RESIGN)
    assert refused(over, BEN, offer("rematch")) is ErrorCode.OFFER_REFUSED


@pytest.mark.parametrize("seat", [0, 1])
def test_the_computer_does_not_wait_for_an_absent_player(seat: int) -> None:
    """A first move that a person does not make ends the game, so that the round can end."""
    level = Participant("computer 1", Player("Computer 1", bot=True), "1")
    room = tournament_room(players=(ADA, level) if seat == 0 else (level, ADA))
    if seat == 1:
        assert expire(room, NOON + FIRST_MOVE_WITHIN) == ()
        room = commanded(room, level, play(room, None))
    assert deadline(room) == room.turn_began + FIRST_MOVE_WITHIN
    (ended,) = expire(room, room.turn_began + FIRST_MOVE_WITHIN)
    assert ended == Ended(room.turn_began + FIRST_MOVE_WITHIN, Result(None, ABORTED))
