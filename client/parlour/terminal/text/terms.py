"""The terms of a game, and players, in a few words."""

from __future__ import annotations

from collections.abc import Mapping

from parlour.protocol.pace import format_pace
from parlour.protocol.types import GameCard, Level, OptionValue, Player, Terms

LONGEST_NAME = 20


def terms_line(terms: Terms, card: GameCard | None) -> str:
    """Return `Replica  10 min + 5 s  rated  size 12`."""
    return "  ".join(_terms(terms, card))


def terms_phrase(terms: Terms, card: GameCard | None) -> str:
    """Return the same for a sentence: `Replica, 10 min + 5 s, rated, size 12`."""
    return ", ".join(_terms(terms, card))


def _terms(terms: Terms, card: GameCard | None) -> list[str]:
    parts = [card.name if card else terms.game, format_pace(terms.clock), "rated" if terms.rated else "casual"]
    return [*parts, *option_labels(terms.options, card)]


def option_labels(options: Mapping[str, OptionValue], card: GameCard | None) -> list[str]:
    """Return the options that differ from their defaults."""
    specs = {spec.key: spec for spec in card.options} if card else {}
    words = []
    for key, value in options.items():
        spec = specs.get(key)
        if key == "seed" or (spec and value == spec.default):
            continue  # a seed means nothing to a player
        title = spec.title.lower() if spec else key
        if isinstance(value, bool):
            words.append(f"{title} {'on' if value else 'off'}")
        elif spec and spec.kind == "layout" and value not in spec.choices:
            words.append(f"custom {title}")
        else:
            words.append(f"{title} {value}")
    return words


def level_label(level: Level) -> str:
    """Return `3 Casual (1120)`; without the rating if it was not measured."""
    return f"{level.key} {level.title}{'' if level.rating is None else f' ({level.rating})'}"


def player_label(player: Player | None) -> str:
    """Return `heron77 1612` or `Computer 3 (bot)`. A question mark follows a provisional rating."""
    if player is None:
        return "empty seat"
    name = player.name if len(player.name) <= LONGEST_NAME else player.name[: LONGEST_NAME - 1] + "…"
    rating = "" if player.rating is None else f" {player.rating}{'?' if player.provisional else ''}"
    return f"{name}{' (bot)' if player.bot else ''}{rating}"
