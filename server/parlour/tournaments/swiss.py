"""Swiss: players with equal points meet, never twice. The pairings are those of FIDE's Dutch system."""

from __future__ import annotations

from importlib import import_module
from math import ceil, log2

from parlour.tournaments.events import Pair
from parlour.tournaments.state import TournamentState

# Imported late: the import takes a tenth of the time that a node needs to start.
DUTCH = "parlour.tournaments.dutch"


def rounds(state: TournamentState) -> int:
    """Return the number of rounds: the chosen one, or enough for one player to win all matches."""
    return state.settings.rounds or max(1, ceil(log2(max(2, len(state.entries)))))


def pairings(state: TournamentState) -> tuple[tuple[Pair, ...], tuple[str, ...]] | None:
    """Return the pairs and the bye of the next round; None after the last one, or if no pairing is left."""
    if len(state.rounds) >= rounds(state) or len(state.active) < 2:
        return None
    found: tuple[tuple[Pair, ...], tuple[str, ...]] | None = import_module(DUTCH).pairings(state, rounds(state))
    return found
