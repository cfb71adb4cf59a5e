"""What absent players are told, and who is notified."""

from __future__ import annotations

from parlour.server.rooms.absent_players import UNSEEN_FOR, news, seat_to_notify
from parlour.server.rooms.commands import decide, disconnect
from parlour.server.rooms.events import AnyEvent
from parlour.server.rooms.state import RoomState
from tests.server.rooms.sample_rooms import ADA, BEN, NOON, RESIGN, fold, new_room, play


def moved(room: RoomState) -> tuple[RoomState, AnyEvent]:
    """Return the room after a move of Ada, and the event."""
    (event,) = decide(room, ADA.id, play(room), NOON)
    return fold(room, event), event


def away(room: RoomState, seat: int, at: int = NOON) -> tuple[RoomState, AnyEvent]:
    """Return the room after a player has left, and the event."""
    (event,) = disconnect(room, seat, at)
    return fold(room, event), event


def test_an_absent_player_is_told_of_a_move_and_of_the_end() -> None:
    """The player to move and not the other one, and at the end any player who is away."""
    room, _ = away(new_room(), 1)
    room, move = moved(room)
    assert [player for player, _ in news(room, move)] == [BEN.id]
    assert seat_to_notify(room, move) == 1
    *_, end = decide(room, ADA.id, RESIGN, NOON)
    over = fold(room, end)
    assert [(player, told.to_move) for player, told in news(over, end)] == [(BEN.id, None)]
    assert seat_to_notify(over, end) is None


def test_a_player_at_the_table_is_not_told() -> None:
    """A move for a player who sees it, and one by an opponent who is away, notify no player."""
    room, move = moved(new_room())
    assert (news(room, move), seat_to_notify(room, move)) == ([], None)
    room, left = away(room, 0)
    assert (news(room, left), seat_to_notify(room, left)) == ([], None)


def test_a_player_who_may_have_missed_the_turn_is_notified() -> None:
    """A connection that ends soon after the turn began may have been dead before; later the player knows."""
    room, _ = moved(new_room())
    soon, event = away(room, 1, NOON + UNSEEN_FOR)
    assert seat_to_notify(soon, event) == 1
    late, event = away(room, 1, NOON + UNSEEN_FOR + 1)
    assert seat_to_notify(late, event) is None
