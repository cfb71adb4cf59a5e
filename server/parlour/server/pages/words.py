"""Results in words, as titles and descriptions of links use them. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.protocol.types import Result

# The score at that moment did not decide the game.
DECIDED_OTHERWISE = {"resigned", "flag", "abandoned", "adjudicated"}


def result_in_words(game: str, names: Sequence[str], result: Result) -> str:
    """Return how a finished game ended: `fern beat carp at Mapello, 50 to 30`."""
    one, two = names
    if result.winner is None:
        if result.reason in ("aborted", "cancelled"):
            return f"{one} and {two}: {game}, not finished"
        return f"{one} and {two} drew at {game}"
    winner, loser = (one, two) if result.winner == 0 else (two, one)
    scores = ""
    if result.scores and result.reason not in DECIDED_OTHERWISE:
        best, other = result.scores[result.winner], result.scores[1 - result.winner]
        scores = f", {best} to {other}"
    return f"{winner} beat {loser} at {game}{scores}"
