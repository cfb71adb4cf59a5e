"""What somebody wants to play, as typed."""

from __future__ import annotations

import pytest

from parlour.client.plain.wish import read_wish, words_of
from parlour.protocol.errors import Refusal
from parlour.protocol.tables import Clock, GameCard, Level, OptionSpec

CARDS = (
    GameCard("replica", "Replica", "", (), (OptionSpec("size", "Size", "choice", 8, "", (8, 12)),),
             (Level("1", "Beginner"), Level("minimax", "Minimax")), {}),
)  # fmt: skip


def test_everything_at_once() -> None:
    """The game first, the rest in any order."""
    wish = read_wish(CARDS, words_of('Replica size=12 "5 delay 3" rated second 1 minimax to "Ann B"'))

    assert wish.terms.game == "replica"
    assert wish.terms.options == {"size": 12}
    assert wish.terms.clock == Clock("delay", 300_000, 3_000)
    assert wish.terms.rated
    assert (wish.seat, wish.levels, wish.to) == ("second", ("1", "minimax"), "Ann B")


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "Say which game: replica."), ("chess", "There are replica."), ("replica soon", "is no pace such as 10+5"),
     ("replica size=9", "Size can be 8, 12."), ("replica colour=red", "It has size.")],
)  # fmt: skip
def test_what_cannot_be_is_refused(text: str, words: str) -> None:
    """With what could be."""
    with pytest.raises(Refusal) as refused:
        read_wish(CARDS, words_of(text))
    assert words in refused.value.sentence
