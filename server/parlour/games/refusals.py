"""Why picks are refused, in words that name what could be chosen instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parlour.games.api import Game

# More choices than these are only counted.
NAMED = 12


def impossible(game: Game[Any], state: Any, picks: Sequence[int], offered: Sequence[int]) -> str:
    """Return why the last of these picks cannot be made."""
    *made, pick = (_name(game, state, pick) for pick in picks)
    after = f"After {', '.join(made)}, " if made else ""
    return f"{after}{pick} cannot be chosen; {_choices(game, state, offered)}."


def reason(game: Game[Any], state: Any, picks: Sequence[int]) -> str:
    """Return in a sentence why the first unavailable pick is not on offer; empty if the game does not say."""
    for made, pick in enumerate(picks):
        if pick not in game.steps(state, picks[:made]):
            try:
                name = game.place(state, pick)
            except IndexError:
                return ""  # the board has no such place
            why = game.why_not(state, picks[: made + 1])
            return f"{name} cannot be chosen: {why}." if why else ""
    return ""


def incomplete(game: Game[Any], state: Any, following: Sequence[int]) -> str:
    """Return the refusal of picks that are not a whole turn yet."""
    return f"The turn is not complete: {_choices(game, state, following)}."


def _choices(game: Game[Any], state: Any, offered: Sequence[int]) -> str:
    if not offered:
        return "the turn is complete"
    named = [_name(game, state, pick) for pick in offered[:NAMED]]
    more = f" and {len(offered) - NAMED} more" if len(offered) > NAMED else ""
    return f"choose one of {', '.join(named)}{more}"


def _name(game: Game[Any], state: Any, pick: int) -> str:
    try:
        return game.place(state, pick)
    except IndexError:
        return f"place {pick}"
