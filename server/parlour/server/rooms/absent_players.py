"""News for players about a game whose room they are not in. Pure."""

from __future__ import annotations

from parlour.protocol.messages import YourGame
from parlour.server.rooms.events import AnyEvent, Disconnected, Ended, Played
from parlour.server.rooms.state import RoomState
from parlour.server.rooms.view import your_game

# Milliseconds. If a player is noticed to be gone so soon after the turn began, the connection may have been lost before
# it: noticing takes some time, and longer if the player's node has died.
UNSEEN_FOR = 30_000


def news(room: RoomState, event: AnyEvent) -> list[tuple[str, YourGame]]:
    """Return whom to tell, by id, that it is their turn or that the game is over."""
    if not isinstance(event, (Played, Ended)):
        return []
    return [
        (room.players[seat].id, your_game(room, seat))
        for seat, since in enumerate(room.offline_since)
        if since is not None and room.to_move in (seat, None)
    ]


def seat_to_notify(room: RoomState, event: AnyEvent) -> int | None:
    """Return the seat of the player who is to move and may not know it; None if there is no such player."""
    seat = room.to_move
    if seat is None or room.offline_since[seat] is None:
        return None
    if isinstance(event, Disconnected):
        return seat if event.seat == seat and event.at - room.turn_began <= UNSEEN_FOR else None
    return seat if isinstance(event, Played) else None
