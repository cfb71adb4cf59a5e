"""What two players agreed on, in words."""

from __future__ import annotations

from collections.abc import Mapping

from parlour.client.words.times import pace
from parlour.protocol.tables import GameCard, OptionValue, Player, Terms

LONGEST_NAME = 20


def terms_line(terms: Terms, card: GameCard | None) -> str:
    """`Replica  10 min + 5 s  rated  size 12`."""
    parts = [card.name if card else terms.game, pace(terms.clock), "rated" if terms.rated else "casual"]
    return "  ".join([*parts, *options_words(terms.options, card)])


def options_words(options: Mapping[str, OptionValue], card: GameCard | None) -> list[str]:
    """Those options that are not as usual."""
    specs = {spec.key: spec for spec in card.options} if card else {}
    words = []
    for key, value in options.items():
        spec = specs.get(key)
        if key == "seed" or (spec and value == spec.default):
            continue  # chance says nothing to people
        title = spec.title.lower() if spec else key
        if isinstance(value, bool):
            words.append(f"{title} {'on' if value else 'off'}")
        elif spec and spec.kind == "layout" and value not in spec.choices:
            words.append(f"own {title}")
        else:
            words.append(f"{title} {value}")
    return words


def player_words(player: Player | None) -> str:
    """`heron77 1612`, `Computer 3 (bot)`; a rating that rests on few games has a question mark."""
    if player is None:
        return "nobody"
    name = player.name if len(player.name) <= LONGEST_NAME else player.name[: LONGEST_NAME - 1] + "…"
    rating = "" if player.rating is None else f" {player.rating}{'' if player.sure else '?'}"
    return f"{name}{' (bot)' if player.bot else ''}{rating}"
