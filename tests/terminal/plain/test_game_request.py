"""A game as the player requests it on one line."""

from __future__ import annotations

import pytest

from parlour.protocol.errors import Refusal
from parlour.protocol.types import Clock, GameCard, Level, OptionSpec
from parlour.terminal.plain.game_request import parse_game_request, split_words

CARDS = (
    GameCard("replica", "Replica", "", (), (OptionSpec("size", "Size", "choice", 8, "", (8, 12)),),
             (Level("1", "Beginner"), Level("minimax", "Minimax")), {}),
)  # fmt: skip


def test_a_complete_request() -> None:
    """The game first, the rest in any order."""
    request = parse_game_request(CARDS, split_words('Replica size=12 "5 delay 3" rated second 1 minimax to "Ann B"'))

    assert request.terms.game == "replica"
    assert request.terms.options == {"size": 12}
    assert request.terms.clock == Clock("delay", 300_000, 3_000)
    assert request.terms.rated
    assert (request.seat, request.levels, request.to) == ("second", ("1", "minimax"), "Ann B")


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "Name a game: replica."), ("chess", "It has replica."), ("replica soon", "is not a pace (10+5"),
     ("replica size=9", "Size must be one of: 8, 12."), ("replica colour=red", "It has size.")],
)  # fmt: skip
def test_what_cannot_be_is_refused(text: str, words: str) -> None:
    """The sentence says what is possible."""
    with pytest.raises(Refusal) as refused:
        parse_game_request(CARDS, split_words(text))
    assert words in refused.value.sentence
