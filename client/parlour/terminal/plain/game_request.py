"""A game as the player requests it on one line: `replica 10+5 rated size=12`."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from msgspec import Struct

from parlour.client.pending_seek import SeatPreference
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Clock, GameCard, Terms
from parlour.terminal.text.times import parse_pace
from parlour.terminal.ui.options import parse_options


class GameRequest(Struct, frozen=True):
    """The parsed line."""

    card: GameCard
    terms: Terms
    seat: SeatPreference = "any"
    levels: tuple[str, ...] = ()
    to: str | None = None  # the player to challenge


def split_words(text: str) -> list[str]:
    """Split a line into words; quotes group several words."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def find_game(cards: Sequence[GameCard], name: str) -> GameCard:
    for card in cards:
        if name.lower() in (card.key, card.name.lower()):
            return card
    known = ", ".join(card.key for card in cards)
    raise Refusal(ErrorCode.GAME_UNKNOWN, f"This server has no game “{name}”. It has {known}.")


def parse_game_request(cards: Sequence[GameCard], words: Sequence[str], pace: str = "none") -> GameRequest:
    """Parse a line: the game, then in any order a pace, `rated`, `first` or `second`, levels, `to NAME`, key=value."""
    if not words:
        raise Refusal(ErrorCode.GAME_UNKNOWN, f"Name a game: {', '.join(card.key for card in cards)}.")
    card = find_game(cards, words[0])
    levels = {name for level in card.levels for name in (level.key, level.alias) if name}
    chosen: list[str] = []
    given: dict[str, str] = {}
    seat: SeatPreference = "any"
    rated, to = False, None
    clock = parse_pace(pace)
    rest = list(words[1:])
    while rest:
        word = rest.pop(0)
        if word in ("first", "second", "any"):
            seat = word  # type: ignore[assignment]
        elif word == "rated":
            rated = True
        elif word == "casual":
            rated = False
        elif word == "to" and rest:
            to = rest.pop(0)
        elif "=" in word:
            key, _, value = word.partition("=")
            given[key] = value
        elif word in levels:
            chosen.append(word)
        else:
            clock = _parse_pace(word, levels)
    return GameRequest(card, Terms(card.key, parse_options(card, given), clock, rated), seat, tuple(chosen), to)


def _parse_pace(word: str, levels: set[str]) -> Clock:
    try:
        return parse_pace(word)
    except Refusal:
        raise Refusal(
            ErrorCode.OPTION_INVALID,
            f"“{word}” is not a pace (10+5, “30 a move”), a level ({', '.join(sorted(levels))}), an option (key=value),"
            " or one of rated, first, second, to NAME.",
        ) from None
