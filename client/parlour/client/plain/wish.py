"""What somebody wants to play, as typed: `replica 10+5 rated size=12`. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from msgspec import Struct

from parlour.client.parlour import SeatWish
from parlour.client.visit.fields import read_options
from parlour.client.words.times import read_pace
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.tables import Clock, GameCard, Terms


class Wish(Struct, frozen=True):
    """A game under certain terms, and what else was said."""

    card: GameCard
    terms: Terms
    seat: SeatWish = "any"
    levels: tuple[str, ...] = ()
    to: str | None = None  # the player who is invited


def words_of(text: str) -> list[str]:
    """The words of a line; quotes hold several together."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def find_game(cards: Sequence[GameCard], name: str) -> GameCard:
    for card in cards:
        if name.lower() in (card.key, card.name.lower()):
            return card
    known = ", ".join(card.key for card in cards)
    raise Refusal(ErrorCode.GAME_UNKNOWN, f"There is no game “{name}” here. There are {known}.")


def read_wish(cards: Sequence[GameCard], words: Sequence[str], pace: str = "none") -> Wish:
    """The game comes first; then, in any order, a pace, `rated`, `first` or `second`, levels, `to NAME`, key=value."""
    if not words:
        raise Refusal(ErrorCode.GAME_UNKNOWN, f"Say which game: {', '.join(card.key for card in cards)}.")
    card = find_game(cards, words[0])
    levels = {level.key for level in card.levels}
    chosen: list[str] = []
    given: dict[str, str] = {}
    seat: SeatWish = "any"
    rated, to = False, None
    clock = read_pace(pace)
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
            clock = _pace(word, levels)
    return Wish(card, Terms(card.key, read_options(card, given), clock, rated), seat, tuple(chosen), to)


def _pace(word: str, levels: set[str]) -> Clock:
    try:
        return read_pace(word)
    except Refusal:
        raise Refusal(
            ErrorCode.OPTION_INVALID,
            f"“{word}” is no pace such as 10+5 or “30 a move”, no level ({', '.join(sorted(levels))}), no key=value,"
            " and none of rated, first, second, to NAME.",
        ) from None
