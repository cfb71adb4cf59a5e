"""How to play Mapello well: keep your choices, leave the enemy's discs beside free cells, take the safe cells.

A disc can be turned along a line only if the run it is in has two ends. A wall beside it ends a run without capture, so
every wall makes one of the four lines through a cell safe. A cell with four safe lines is a *corner*: a disc there is
permanent, and a disc beside a free corner helps the enemy to get it. The weights were fitted to the results of some
thousand games that the search played against itself, on the default board and on random ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

from parlour.games import grid
from parlour.games.api import Move
from parlour.games.insight import Insight, Style
from parlour.games.mapello import rules
from parlour.games.mapello.board import EVERYWHERE, INNER, SIDE, reach
from parlour.games.mapello.rules import State
from parlour.games.mapello.styles import STYLES

# The four lines through a cell, as steps from cell to cell.
_LINES = (1, SIDE - 1, SIDE, SIDE + 1)

# Weights in hundredths of a point, with a full board and with _OPEN free cells; values in between are interpolated.
# In order: runs the side can close, own discs beside free cells, discs by the number of safe lines through their cells
# (0 to 4), discs beside free corners, bonus points, the right to move.
_FULL = (111, -47, 53, 78, 89, 107, 110, -61, 76, 56)
_EMPTY = (0, -25, 28, -10, 0, 88, 600, -200, 71, -100)
_OPEN = 50

_WEIGHTS = tuple(
    tuple(round(full + (empty - full) * min(free, _OPEN) / _OPEN) for full, empty in zip(_FULL, _EMPTY, strict=True))
    for free in range(INNER.bit_count() + 1)
)


class Terrain:
    """The tables that follow from the walls of a board."""

    def __init__(self, walls: int) -> None:
        kinds = [0] * (len(_LINES) + 1)
        for cell in grid.bits(INNER & ~walls):
            safe = sum((walls >> cell + line | walls >> cell - line) & 1 for line in _LINES)
            kinds[safe] |= 1 << cell
        self.kinds = tuple(kinds)  # plain sets of cells, by the number of safe lines
        self.corners = kinds[-1]
        self._beside: dict[int, int] = {}
        near = self.beside(self.corners)
        # The usual worth of a move to each cell: lower is better.
        self.rank: dict[Move, int] = {
            (cell,): 9 if near >> cell & 1 else -safe for safe, cells in enumerate(kinds) for cell in grid.bits(cells)
        }

    def beside(self, corners: int) -> int:
        """Return the cells around these corners that are not corners themselves."""
        found = self._beside.get(corners)
        if found is None:
            found = 0
            for line in _LINES:
                found |= corners << line | corners >> line
            found = self._beside[corners] = found & ~self.corners
        return found


@lru_cache(maxsize=64)
def terrain(walls: int) -> Terrain:
    return Terrain(walls)


class MapelloInsight(Insight[State]):
    styles: ClassVar[Mapping[str, Style]] = STYLES
    scale: ClassVar[int] = 750
    nodes: ClassVar[int] = 200_000

    def value(self, state: State) -> int:
        own, enemy = (state.white, state.black) if state.turn else (state.black, state.white)
        jokers, free = state.jokers, state.free
        ground = terrain(EVERYWHERE & ~(own | enemy | jokers | free))
        choice, open_, safe0, safe1, safe2, safe3, safe4, risk, bonus, turn = _WEIGHTS[free.bit_count() // 8]
        kind0, kind1, kind2, kind3, kind4 = ground.kinds
        risky = ground.beside(kind4 & free)
        edge = free << 1  # next to a free cell, in each of the eight directions
        black, white = state.points
        return (
            turn
            + choice * (reach(own, enemy, jokers, free).bit_count() - reach(enemy, own, jokers, free).bit_count())
            + open_ * ((own & edge).bit_count() - (enemy & edge).bit_count())
            + safe0 * ((own & kind0).bit_count() - (enemy & kind0).bit_count())
            + safe1 * ((own & kind1).bit_count() - (enemy & kind1).bit_count())
            + safe2 * ((own & kind2).bit_count() - (enemy & kind2).bit_count())
            + safe3 * ((own & kind3).bit_count() - (enemy & kind3).bit_count())
            + safe4 * ((own & kind4).bit_count() - (enemy & kind4).bit_count())
            + risk * ((own & risky).bit_count() - (enemy & risky).bit_count())
            + bonus * (white - black if state.turn else black - white)
        )

    def order(self, state: State, moves: Sequence[Move]) -> Sequence[Move]:
        """Return corners first, then cells by safe lines, then cells beside corners."""
        return sorted(moves, key=terrain(rules.walls(state)).rank.__getitem__)
