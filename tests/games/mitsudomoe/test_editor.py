"""Setting up positions of Mitsudomoe by hand."""

from __future__ import annotations

import pytest

from parlour.games.mitsudomoe import GAME
from parlour.games.mitsudomoe.editor import MitsudomoeEditor
from parlour.protocol.errors import ErrorCode, Refusal

EDITOR = MitsudomoeEditor()
OPTIONS = GAME.options({})
RING, BALL, BLACK_RING, _, TAKE = range(5)


def test_pieces_are_put_on_top_and_taken_from_there() -> None:
    """A ring leaves the supply and returns to it."""
    draft = EDITOR.clear(OPTIONS)
    assert EDITOR.write(draft).endswith(" w 8,8")
    for item in (RING, BLACK_RING, RING, BALL):
        draft = EDITOR.put(draft, item, (12,))
    assert draft.cells[12] == "wbwW"
    assert EDITOR.write(draft).endswith(" w 6,7")
    for left in ("wbw", "wb", "w", ".", "."):
        draft = EDITOR.put(draft, TAKE, (12,))
        assert draft.cells[12] == left
    assert draft == EDITOR.clear(OPTIONS)


def test_an_impossible_stack_is_shown_and_explained() -> None:
    """It can be put right by taking pieces away, so it is no error of the editor but of the position."""
    draft = EDITOR.read(GAME.print(GAME.initial(OPTIONS)), OPTIONS)
    draft = EDITOR.put(draft, RING, (0,))
    assert EDITOR.scene(draft).pieces[0] == (0, 0, 1, 0)
    with pytest.raises(Refusal) as caught:
        GAME.parse(EDITOR.write(draft), OPTIONS)
    assert caught.value.code is ErrorCode.POSITION_IMPOSSIBLE
    assert caught.value.sentence == "On a1 a ring lies on a ball; a ball is always on top."


@pytest.mark.parametrize(("item", "most"), [(RING, 8), (BALL, 3)])
def test_no_side_gets_more_pieces_than_it_has(item: int, most: int) -> None:
    """The refusal says how many there are."""
    draft = EDITOR.clear(OPTIONS)
    for cell in range(most):
        draft = EDITOR.put(draft, item, (cell,))
    with pytest.raises(Refusal, match=f"All {most} of this kind"):
        EDITOR.put(draft, item, (20,))
