"""The facts about a move: those that every game has, and those of the game itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from parlour.games.api import Fact, Game, Move

# Takes a search through all replies, so it is computed only on request.
SAFE = "safe"


def facts_of(game: Game[Any], before: Any, move: Move, after: Any, wanted: Collection[str] = ()) -> Mapping[str, Fact]:
    """Return every fact about a move: those of the game, and those of all games; `safe` only if wanted."""
    mover, following, outcome = game.to_move(before), game.to_move(after), game.outcome(after)
    assert mover is not None
    found: dict[str, Fact] = {
        **game.facts(before, move, after),
        "move": game.write(before, move),
        "winner": None if outcome is None else _seat(game, outcome.winner),
        "reason": None if outcome is None else outcome.reason,
        "score": game.scores(after) or None,
        "next": None if following is None else _seat(game, following),
        "skips": following == mover,
    }
    if SAFE in wanted:
        lost = outcome is not None and outcome.winner == 1 - mover
        found[SAFE] = not lost and not _can_win(game, after)
    return found


def _seat(game: Game[Any], seat: int | None) -> str:
    """Return the name of a seat in lower case; `draw` for none."""
    return "draw" if seat is None else game.info.seats[seat].name.lower()


def _can_win(game: Game[Any], state: Any) -> bool:
    """Return whether the side to move wins with its next move."""
    mover = game.to_move(state)
    ends = (game.outcome(game.apply(state, move)) for move in game.moves(state))
    return any(end is not None and end.winner == mover for end in ends)
