"""Options of a game, as a player types them."""

from __future__ import annotations

import pytest

from parlour.protocol.errors import Refusal
from parlour.protocol.types import GameCard, OptionSpec
from parlour.terminal.ui.options import choices, parse_option, parse_options

SIZE = OptionSpec("size", "Size", "choice", 8, "", (8, 12, 16))
PASSIVE = OptionSpec("passive", "Passive rule", "switch", True, "")
SEED = OptionSpec("seed", "Seed", "number", 0, "", low=0, high=99)
BOARD = OptionSpec("board", "Board", "layout", "default", "", ("default", "random"))
CARD = GameCard("game", "Game", "", (), (SIZE, PASSIVE, SEED, BOARD), (), {})


def test_values_are_read_by_their_kind() -> None:
    """Choices keep their type, switches are on or off, numbers are in range, a layout is anything."""
    given = {"size": "12", "passive": "off", "seed": "7", "board": "####/...."}

    assert parse_options(CARD, given) == {"size": 12, "passive": False, "seed": 7, "board": "####/...."}
    assert [choice.value for choice in choices(SEED)] == []


@pytest.mark.parametrize(
    ("spec", "text", "sentence"),
    [(SIZE, "9", "Size must be one of: 8, 12, 16."), (PASSIVE, "maybe", "Passive rule must be one of: on, off."),
     (SEED, "100", "Seed must be a whole number from 0 to 99."),
     (SEED, "x", "Seed must be a whole number from 0 to 99.")],
)  # fmt: skip
def test_what_cannot_be_is_refused(spec: OptionSpec, text: str, sentence: str) -> None:
    """The sentence lists the possible values."""
    with pytest.raises(Refusal) as refused:
        parse_option(spec, text)
    assert refused.value.sentence == sentence


def test_an_option_that_is_not_there() -> None:
    """The sentence lists those that are."""
    with pytest.raises(Refusal, match="It has size, passive, seed, board"):
        parse_options(CARD, {"colour": "red"})
