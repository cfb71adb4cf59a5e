"""The result of a game in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.protocol.scene import SeatSpec
from parlour.protocol.types import GameCard, Result

REASONS = {
    "resigned": "the other side resigned",
    "flag": "on time",
    "agreed": "by agreement",
    "repetition": "the same position occurred three times",
    "abandoned": "the opponent left the game",
    "aborted": "aborted before both sides had moved",
}


def result_line(result: Result, seats: Sequence[SeatSpec], card: GameCard | None, seat: int | None = None) -> str:
    """Return `White wins: a king was captured.`, or with the `seat` of the reader: `You won: …`."""
    reason = (card.reasons if card else {}).get(result.reason) or REASONS.get(result.reason) or result.reason
    scores = f" {' : '.join(map(str, result.scores))}." if result.scores else ""
    if result.reason == "aborted":
        return "The game was aborted."
    if result.winner is None:
        return f"A draw: {reason}.{scores}"
    who = f"{seats[result.winner].name} wins" if seat is None else "You won" if result.winner == seat else "You lost"
    if who == "You lost" and result.reason in ("resigned", "abandoned"):
        reason = "you resigned" if result.reason == "resigned" else "you were offline too long"
    return f"{who}: {reason}.{scores}"


def short_result(result: Result, seats: Sequence[SeatSpec]) -> str:
    """Return the result in a word or two, for lists: `White won`, `draw`, `aborted`."""
    if result.reason == "aborted":
        return "aborted"
    return "draw" if result.winner is None else f"{seats[result.winner].name} won"
