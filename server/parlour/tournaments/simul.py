"""Simul: the organiser, called the host, plays against all others at once, in the only round."""

from __future__ import annotations

from hashlib import blake2b

from parlour.tournaments.events import Pair
from parlour.tournaments.state import TournamentState


def pairings(state: TournamentState, now: int) -> tuple[tuple[Pair, ...], tuple[str, ...]] | None:
    """Return the pairs, the strongest opponent first; None after the only round."""
    if state.rounds:
        return None
    host = state.organiser
    others = [player for player in state.active if player != host]
    pairs = ((host, other) if _begins(state, index, now) else (other, host) for index, other in enumerate(others))
    return tuple(pairs), ()


def _begins(state: TournamentState, index: int, now: int) -> bool:
    """Return whether the host begins the game against this opponent."""
    match state.settings.host_side:
        case "first":
            return True
        case "second":
            return False
        case "alternating":
            return index % 2 == 0
        case "random":
            # The draw follows from the log, so that the pairings can be verified.
            lot = blake2b(f"{now} {index}".encode(), person=b"simul", digest_size=1).digest()
            return lot[0] % 2 == 0
