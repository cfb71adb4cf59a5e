"""Examples in documents are played by the rules, and a false claim is found."""

from __future__ import annotations

import pytest

from parlour.games.example import Untrue, find
from parlour.protocol.scene import Mark

START = "replica | {} | -"


def test_an_example_knows_what_is_on_the_board() -> None:
    """A move that is played is marked in the scene."""
    (found,) = find("page", f"<!-- picture: one | {START} | play g5-f5 -->")

    marks = {int(mark) for mark, _ in found.example.scene.marks}
    assert found.example.name == "one"
    assert int(Mark.LAST) in marks


@pytest.mark.parametrize("claim", ["illegal b4-c4", "ends white corner", "scores 1 2", "picks h8", "skips", "dances"])
def test_a_false_claim_is_found(claim: str) -> None:
    """The first position of Replica allows none of these claims."""
    with pytest.raises(Untrue):
        list(find("page", f"<!-- moves: {START} | play g5-f5 | {claim} -->"))


def test_a_game_needs_its_moves() -> None:
    """A comment for moves needs a code block below it."""
    with pytest.raises(Untrue, match="no code block"):
        list(find("page", f"<!-- game: {START} -->\n\nNothing here.\n"))
