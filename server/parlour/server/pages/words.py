"""Games, clocks and results in words, as titles and descriptions of links use them. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.protocol.types import Clock, Result

MINUTE, DAY = 60_000, 86_400_000  # milliseconds

REASONS = {
    "resigned": "by resignation",
    "flag": "on time",
    "agreed": "by agreement",
    "repetition": "by repetition",
    "abandoned": "because the opponent left",
    "adjudicated": "by a decision of the operator",
}


def clock_in_words(clock: Clock) -> str:
    """Return a clock in a few words: `10 min + 5 s`."""
    main, step = _duration(clock.main), _duration(clock.step)
    match clock.kind:
        case "none":
            return "no clock"
        case "move" | "days":
            return f"{main} a move"
        case "bronstein":
            return f"{main}, up to {step} back"
        case "delay":
            return f"{main}, delay {step}"
        case "byoyomi":
            return f"{main} + {clock.count} x {step}"
        case "canadian":
            return f"{main} + {clock.count} moves in {step}"
        case _:
            return f"{main} + {step}" if clock.step else main


def result_in_words(game: str, names: Sequence[str], result: Result) -> str:
    """Return how a finished game ended: `fern beat carp at Mapello, 50 to 30`."""
    one, two = names
    if result.winner is None:
        if result.reason in ("aborted", "cancelled"):
            return f"{one} and {two}: {game}, not finished"
        return f"{one} and {two} drew at {game}"
    winner, loser = (one, two) if result.winner == 0 else (two, one)
    scores = ""
    if result.scores and result.reason not in REASONS:
        best, other = result.scores[result.winner], result.scores[1 - result.winner]
        scores = f", {best} to {other}"
    return f"{winner} beat {loser} at {game}{scores}"


def _duration(milliseconds: int) -> str:
    if milliseconds and milliseconds % DAY == 0:
        days = milliseconds // DAY
        return "1 day" if days == 1 else f"{days} days"
    if milliseconds % MINUTE == 0:
        return f"{milliseconds // MINUTE} min"
    return f"{milliseconds / 1000:g} s"
