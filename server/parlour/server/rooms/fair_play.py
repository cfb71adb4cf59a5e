"""Which rated games count, so that ratings cannot be made without playing. Pure, as in `commands.py`."""

from __future__ import annotations

from msgspec.structs import replace

from parlour.protocol.types import Result
from parlour.server.rooms.state import RoomState

# A game that the players end before it has this many moves decides nothing about their strength.
SHORTEST = 6
ENDED_BY_PLAYERS = frozenset({"resigned", "agreed"})

NOT_BOTH_MOVED, TOO_SHORT = "not_both_moved", "too_short"


def counted(room: RoomState, result: Result) -> Result:
    """Return the result of a game that ends now, with the reason if it was to be rated and does not count."""
    if not room.rated:
        return result
    if len(set(room.movers)) < len(room.players):
        return replace(result, unrated=NOT_BOTH_MOVED)
    if result.reason in ENDED_BY_PLAYERS and room.ply < SHORTEST:
        return replace(result, unrated=TOO_SHORT)
    return result
