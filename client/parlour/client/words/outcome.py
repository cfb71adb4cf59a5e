"""How a game ended, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.protocol.scene import SeatSpec
from parlour.protocol.tables import GameCard, Result

REASONS = {
    "resigned": "the other side resigned",
    "flag": "on time",
    "agreed": "agreed by both",
    "repetition": "the same position came a third time",
    "abandoned": "the opponent has left",
    "aborted": "called off before both sides had moved",
}


def outcome(result: Result, seats: Sequence[SeatSpec], card: GameCard | None, seat: int | None = None) -> str:
    """`White wins: a king was captured.` For a player, with a `seat`: `You won: …`."""
    reason = (card.reasons if card else {}).get(result.reason) or REASONS.get(result.reason) or result.reason
    scores = f" {' : '.join(map(str, result.scores))}." if result.scores else ""
    if result.reason == "aborted":
        return "The game was called off."
    if result.winner is None:
        return f"A draw: {reason}.{scores}"
    who = f"{seats[result.winner].name} wins" if seat is None else "You won" if result.winner == seat else "You lost"
    if who == "You lost" and result.reason in ("resigned", "abandoned"):
        reason = "you resigned" if result.reason == "resigned" else "you were away too long"
    return f"{who}: {reason}.{scores}"


def short(result: Result, seats: Sequence[SeatSpec]) -> str:
    """For lists: `White won`, `draw`, `called off`."""
    if result.reason == "aborted":
        return "called off"
    return "draw" if result.winner is None else f"{seats[result.winner].name} won"
