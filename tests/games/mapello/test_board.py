"""Eightfold sets, against a slow walk in all directions."""

from __future__ import annotations

from random import Random

import pytest

from parlour.games import grid
from parlour.games.mapello import board
from parlour.games.mapello.board import CELLS, CENTRE, EVERYWHERE, GRID, INNER, ORDER, RIM

INNER_CELLS = list(grid.bits(INNER))


def random_board(seed: int) -> tuple[int, int, int, int]:
    """Return plain sets of own discs, enemy discs, jokers and free cells."""
    rng = Random(seed)
    cells = rng.sample(INNER_CELLS, 50)
    return (
        grid.mask(cells[:14]),
        grid.mask(cells[14:36]),
        grid.mask(rng.sample(list(grid.bits(RIM)), 8)),
        grid.mask(cells[36:]),
    )


def turned(cell: int, own: int, enemy: int, jokers: int) -> int:
    """Return the plain set of discs that a disc on `cell` turns over, by walking along every ray."""
    found = 0
    for direction in grid.ALL_DIRECTIONS:
        run = 0
        for met in GRID.ray(cell, direction):
            if enemy >> met & 1:
                run |= 1 << met
                continue
            if (own | jokers) >> met & 1:
                found |= run
            break
    return found


def test_the_board_has_a_playable_square_and_a_rim() -> None:
    """Sixty-four cells inside, thirty-six around them, and four in the centre."""
    assert (INNER.bit_count(), RIM.bit_count(), INNER & RIM, INNER | RIM) == (64, 36, 0, EVERYWHERE)
    assert {GRID.names[cell] for cell in grid.bits(CENTRE)} == {"e5", "f5", "e6", "f6"}


def test_an_eightfold_set_has_every_cell_eight_times() -> None:
    """Each of the eight boards has all cells, and the lowest has them in their usual order."""
    assert sorted(ORDER) == sorted(list(range(GRID.size)) * 8)
    assert all(cells.bit_count() == 8 for cells in CELLS)
    plain = grid.mask([3, 44, 97])
    assert board.eightfold(plain) & EVERYWHERE == plain


@pytest.mark.parametrize("seed", range(40))
def test_moves_and_turned_discs_agree_with_a_slow_walk(seed: int) -> None:
    """A cell is reached if and only if a disc there turns something, and exactly the right discs are turned."""
    own, enemy, jokers, free = random_board(seed)
    wide_own, wide_enemy, wide_jokers, wide_free = map(board.eightfold, (own, enemy, jokers, free))
    reached = {ORDER[place] for place in grid.bits(board.reach(wide_own, wide_enemy, wide_jokers, wide_free))}

    for cell in grid.bits(free):
        expected = turned(cell, own, enemy, jokers)
        assert (cell in reached) == (expected != 0)
        assert board.turned(wide_own, wide_enemy, wide_jokers, cell) & EVERYWHERE == expected
