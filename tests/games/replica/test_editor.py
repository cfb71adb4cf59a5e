"""Setting up positions of Replica by hand."""

from __future__ import annotations

import pytest

from parlour.games.replica import GAME
from parlour.games.replica.editor import ReplicaEditor

EDITOR = ReplicaEditor()


@pytest.mark.parametrize("size", [8, 12, 16])
def test_a_board_of_each_size(size: int) -> None:
    """A draft has as many cells as the option says, and a piece takes the place of another one."""
    options = GAME.options({"size": size})
    draft = EDITOR.clear(options)
    for item, cell in ((0, 5), (3, 5), (1, size * size - 2)):
        draft = EDITOR.put(draft, item, (cell,))
    draft = EDITOR.with_turn(draft, 1)
    rows = EDITOR.write(draft).split(" ")[0].split("/")
    assert (rows[0], rows[-1]) == ("." * (size - 2) + "W.", "....." + "B" + "." * (size - 6))
    assert GAME.scene(GAME.parse(EDITOR.write(draft), options)) == EDITOR.scene(draft)
