"""Which rated games count, so that ratings cannot be raised by sham games. Pure, as in `commands.py`."""

from __future__ import annotations

from msgspec.structs import replace

from parlour.protocol.types import Result
from parlour.server.rooms.state import RoomState

# A game that the players end before this many moves says nothing about their strength.
SHORTEST = 6
ENDED_BY_PLAYERS = frozenset({"resigned", "agreed"})

RATED_A_DAY = 10  # games of the same two players that count

NOT_BOTH_MOVED, TOO_SHORT = "not_both_moved", "too_short"
SAME_NETWORK, REPEATED_PAIRING = "same_network", "repeated_pairing"


def unrated_from_start(networks: tuple[str, str], rated_games: int) -> str:
    """Return why a rated game that begins now will not count; empty if it will.

    `networks` are those of the players, each empty if it says nothing about who the player is. `rated_games` is how
    many rated games the two have begun within a day.
    """
    if networks[0] and networks[0] == networks[1]:
        return SAME_NETWORK
    return REPEATED_PAIRING if rated_games >= RATED_A_DAY else ""


def counted(room: RoomState, result: Result) -> Result:
    """Return the result of a game that ends now, with the reason if it was to be rated and does not count."""
    if not room.rated:
        return result
    if room.unrated:
        return replace(result, unrated=room.unrated)
    if len(set(room.movers)) < len(room.players):
        return replace(result, unrated=NOT_BOTH_MOVED)
    if result.reason in ENDED_BY_PLAYERS and room.ply < SHORTEST:
        return replace(result, unrated=TOO_SHORT)
    return result
