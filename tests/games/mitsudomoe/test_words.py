"""The last move of Mitsudomoe in words, as the opponent and as the player who made it read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.games.mitsudomoe import GAME
from parlour.games.voice import tell

# A position, a move, what others read, what the player who moved reads.
TOLD = [block.splitlines() for block in Path(__file__).with_name("words.txt").read_text("utf-8").split("\n\n")]


@pytest.mark.parametrize(("position", "text", "others", "own"), TOLD)
def test_a_move_in_words(position: str, text: str, others: str, own: str) -> None:
    """It says what the move did, with “You” for the player who made it."""
    before = GAME.parse(position, GAME.options({}))
    move = GAME.read(before, text)
    after = GAME.apply(before, move)

    assert tell(GAME, before, move, after) == others
    assert tell(GAME, before, move, after, own=True) == own


def test_a_ring_alone_in_words() -> None:
    """By the original rules the player then has no ball to move."""
    before = GAME.initial(GAME.options({"rules": "original"}))
    move = GAME.read(before, "+e1")
    after = GAME.apply(before, move)

    assert tell(GAME, before, move, after) == "White adds a ring on e1 and has no ball to move."
    assert tell(GAME, before, move, after, own=True) == "You add a ring on e1 and have no ball to move."
    assert GAME.facts(before, move, after)["ball"] == "none"
