"""Options of a game, as somebody writes them."""

from __future__ import annotations

import pytest

from parlour.client.visit.fields import choices, read_option, read_options
from parlour.protocol.errors import Refusal
from parlour.protocol.tables import GameCard, OptionSpec

SIZE = OptionSpec("size", "Size", "choice", 8, "", (8, 12, 16))
PASSIVE = OptionSpec("passive", "Passive rule", "switch", True, "")
SEED = OptionSpec("seed", "Seed", "number", 0, "", low=0, high=99)
BOARD = OptionSpec("board", "Board", "layout", "default", "", ("default", "random"))
CARD = GameCard("game", "Game", "", (), (SIZE, PASSIVE, SEED, BOARD), (), {})


def test_values_are_read_by_their_kind() -> None:
    """Choices keep their type, switches are on or off, numbers are in range, a layout is anything."""
    given = {"size": "12", "passive": "off", "seed": "7", "board": "####/...."}

    assert read_options(CARD, given) == {"size": 12, "passive": False, "seed": 7, "board": "####/...."}
    assert [choice.value for choice in choices(SEED)] == []


@pytest.mark.parametrize(
    ("spec", "text", "sentence"),
    [(SIZE, "9", "Size can be 8, 12, 16."), (PASSIVE, "maybe", "Passive rule can be on, off."),
     (SEED, "100", "Seed is a whole number from 0 to 99."), (SEED, "x", "Seed is a whole number from 0 to 99.")],
)  # fmt: skip
def test_what_cannot_be_is_refused(spec: OptionSpec, text: str, sentence: str) -> None:
    """With the values that could be."""
    with pytest.raises(Refusal) as refused:
        read_option(spec, text)
    assert refused.value.sentence == sentence


def test_an_option_that_is_not_there() -> None:
    """The sentence lists those that are."""
    with pytest.raises(Refusal, match="It has size, passive, seed, board"):
        read_options(CARD, {"colour": "red"})
