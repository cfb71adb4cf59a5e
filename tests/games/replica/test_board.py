"""The tables of a board: advances and sight by the cells that are occupied."""

from __future__ import annotations

import pytest

from parlour.games import grid
from parlour.games.replica.board import BLACK, WHITE, Patterns, board


def cells(*names: str) -> int:
    return grid.mask([cell for name in names if (cell := board(8).cells.cell(name)) is not None])


def test_a_full_cache_is_cleared() -> None:
    """A cache of patterns never grows beyond its limit, and what it dropped is worked out again."""
    learned: list[int] = []

    def learn(occupied: int) -> int:
        learned.append(occupied)
        return occupied * 2

    known = Patterns(learn, limit=3)
    for occupied in (1, 2, 3, 1, 4, 1):
        assert known[occupied] == occupied * 2
        assert len(known) <= 3

    assert learned == [1, 2, 3, 4, 1]


def test_equal_moves_are_one_object() -> None:
    """However many patterns allow a move, it takes memory once."""
    patterns = board(8).advances[BLACK]
    (one,) = [move for move in patterns[cells("d4")] if move[1] == cells("d5").bit_length() - 1]
    (other,) = [move for move in patterns[cells("d4", "h8")] if move == one]
    assert other is one


def test_a_piece_advances_to_the_first_cell_beyond_its_friends() -> None:
    """White goes left, down and diagonally down; a friend next to it is jumped, and Black goes the other way."""
    names = board(8).cells.names
    white = {(names[start], names[target]) for start, target in board(8).advances[WHITE][cells("c3", "b3")]}
    black = {(names[start], names[target]) for start, target in board(8).advances[BLACK][cells("c3", "b3")]}

    assert white == {("c3", "a3"), ("c3", "c2"), ("c3", "b2"), ("b3", "a3"), ("b3", "b2"), ("b3", "a2")}
    assert black == {("c3", "d3"), ("c3", "c4"), ("c3", "d4"), ("b3", "d3"), ("b3", "b4"), ("b3", "c4")}


def test_a_king_sees_up_to_what_blocks_its_sight() -> None:
    """From a1 a king sees along row, column and diagonal, up to the first blocked cell and including it."""
    in_line, patterns = board(8).sights[WHITE][0]
    seen = patterns[cells("d1", "a3") & in_line]

    assert seen == cells("b1", "c1", "d1", "a2", "a3", "b2", "c3", "d4", "e5", "f6", "g7", "h8")


def test_a_king_may_see_forward_only() -> None:
    """With that option a white king on the white goal corner sees nothing, a black one as much as ever."""
    white, black = board(8).forward_sights[WHITE][0], board(8).forward_sights[BLACK][0]

    assert white[0] == 0
    assert black[0] == board(8).sights[BLACK][0][0]


@pytest.mark.parametrize("size", [8, 12, 16])
def test_each_size_is_made_once(size: int) -> None:
    """The tables are large, so every game of a size shares them."""
    assert board(size) is board(size)
    assert board(size).goals == (1, 1 << size * size - 1)
