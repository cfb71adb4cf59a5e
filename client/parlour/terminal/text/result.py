"""The result of a game in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.protocol.scene import SeatSpec
from parlour.protocol.types import GameCard, Result

# The endings that every game shares, for the winner, the loser and a spectator.
_ENDINGS = {
    "resigned": ("You won: {loser} resigned.", "You lost: you resigned.", "{winner} wins: {loser} resigned."),
    "flag": (
        "You won: {loser} ran out of time.",
        "You lost: you ran out of time.",
        "{winner} wins: {loser} ran out of time.",
    ),
    "abandoned": (
        "You won: {loser} left the game.",
        "You lost: you were away for too long.",
        "{winner} wins: {loser} left the game.",
    ),
    "not_begun": (
        "You won: {loser} did not make the first move in time.",
        "You lost: you did not make your first move in time.",
        "{winner} wins: {loser} did not make the first move in time.",
    ),
    "adjudicated": (
        "You won: the operator of the server decided the game.",
        "You lost: the operator of the server decided the game.",
        "{winner} wins: the operator of the server decided the game.",
    ),
}
_DRAWS = {
    "agreed": ("Draw: you both agreed.", "Draw: both players agreed."),
    "repetition": ("Draw: the same position came up three times.",) * 2,
    "aborted": ("The game was aborted. It does not count.", "The game was aborted."),
    "adjudicated": ("Draw: the operator of the server decided the game.",) * 2,
    "cancelled": ("The operator of the server cancelled the game. It does not count.",) * 2,
}
_WITHOUT_RESULT = ("aborted", "cancelled")


# Why a rated game does not count.
_UNRATED = {
    "not_both_moved": "It does not count for the ratings, because not both players had moved.",
    "too_short": "It does not count for the ratings, because it was too short.",
    "same_network": "It does not count for the ratings, because both players are in the same network.",
    "repeated_pairing": "It does not count for the ratings, because the two players have had many rated games today.",
}


def result_line(result: Result, names: Sequence[str], card: GameCard | None, seat: int | None = None) -> str:
    """Return `White wins: a king was captured.`, or with the `seat` of the reader: `You won: …`.

    `names`: the players by seat, or the sides. The score is shown where the game was played to its end. A rated game
    that does not count is followed by the reason.
    """
    line = _result_line(result, names, card, seat)
    return f"{line} {unrated_line(result.unrated)}" if result.unrated else line


def unrated_line(unrated: str) -> str:
    """Return why a rated game does not count, for a code of the protocol."""
    return _UNRATED.get(unrated, "It does not count for the ratings.")


def _result_line(result: Result, names: Sequence[str], card: GameCard | None, seat: int | None) -> str:
    if result.winner is None and result.reason in _DRAWS:
        return _DRAWS[result.reason][seat is None]
    reason = (card.reasons if card else {}).get(result.reason) or result.reason
    scores = f" {' : '.join(map(str, result.scores))}." if result.scores else ""
    if result.winner is None:
        return f"Draw: {reason}.{scores}"
    winner, loser = names[result.winner], names[1 - result.winner]
    if result.reason in _ENDINGS:
        reader = 2 if seat is None else int(seat != result.winner)
        return _ENDINGS[result.reason][reader].format(winner=winner, loser=loser)
    if card is not None and seat == 1 - result.winner:
        reason = card.loser_reasons.get(result.reason, reason)
    who = f"{winner} wins" if seat is None else "You won" if result.winner == seat else "You lost"
    return f"{who}: {reason}.{scores}"


def verdict(result: Result, names: Sequence[str], seat: int | None = None) -> str:
    """Return the result in one to three words: `You won.`, `White wins.`, `Draw.`, `Aborted.`."""
    if result.reason in _WITHOUT_RESULT:
        return "Aborted."
    if result.winner is None:
        return "Draw."
    if seat is None:
        return f"{names[result.winner]} wins."
    return "You won." if result.winner == seat else "You lost."


def short_result(result: Result, seats: Sequence[SeatSpec]) -> str:
    """Return the result in a word or two, for lists: `White won`, `draw`, `aborted`, `cancelled`."""
    if result.reason in _WITHOUT_RESULT:
        return result.reason
    return "draw" if result.winner is None else f"{seats[result.winner].name} won"
