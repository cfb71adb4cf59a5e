"""How Mapello looks: a sea chart with discs, stone walls, stars, and jokers in the sea around it."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.games import grid
from parlour.games.api import HalfTurn, Move, PickNote
from parlour.games.latest import latest
from parlour.games.mapello import rules
from parlour.games.mapello.board import BLACK, EVERYWHERE, INNER, RIM, SIDE, WHITE
from parlour.games.mapello.rules import BONUS_POINTS, Rules, State
from parlour.games.options import Options
from parlour.protocol.scene import BoardSpec, Glyph, Mark, MarkedPlaces, Scene, SeatSpec

SEATS = (SeatSpec("Black", "dark"), SeatSpec("White", "light"))

# In the order of `board.BLACK`, `WHITE`, `WALL`, `JOKER` and `BONUS`.
GLYPHS = (
    Glyph("Black disc", "disc", BLACK, "◆", "x"),
    Glyph("White disc", "disc", WHITE, "●", "o"),
    Glyph("Wall", "block", None, "█", "#"),
    Glyph("Joker", "joker", None, "◐", "&"),
    Glyph("Bonus", "star", None, "★", "*", label=f"+{BONUS_POINTS}"),
)

BOARD = BoardSpec(
    game="mapello",
    columns=SIDE,
    rows=SIDE,
    surface="chart",
    seats=SEATS,
    glyphs=GLYPHS,
    tally="{0} = discs {1} + bonus {2}",
    alternate=tuple(cell for cell in grid.bits(INNER) if (cell // SIDE + cell % SIDE) % 2 == 0),
    rim=tuple(grid.bits(RIM)),
)


class View(Rules):
    def board(self, options: Options) -> BoardSpec:
        return BOARD

    @latest
    def scene(self, state: State) -> Scene:
        # The walls of the rim are not pieces: they are the rim itself.
        by_glyph = (state.black, state.white, rules.walls(state) & INNER, state.jokers, state.bonuses)
        pieces = [(cell, glyph) for glyph, cells in enumerate(by_glyph) for cell in grid.bits(cells & EVERYWHERE)]
        scores = self.scores(state)
        tallies = tuple((score, score - bonus, bonus) for score, bonus in zip(scores, state.points, strict=True))
        return Scene(tuple(sorted(pieces)), tallies, state.turn)

    def marks(self, before: State, move: Move) -> tuple[MarkedPlaces, ...]:
        (cell,) = move
        return ((Mark.LAST, cell), (Mark.TURNED, *grid.bits(rules.turned(before, cell))))

    def half_turn(self, state: State, picks: Sequence[int]) -> HalfTurn:
        if picks:
            move = (picks[0],)
            after = self.scene(self.apply(state, move)).with_marks(self.marks(state, move))
            return HalfTurn("Your turn is complete.", after, {})
        notes = {cell: PickNote(_effect(state, cell)) for cell in self.steps(state)}
        return HalfTurn("Choose a cell.", self.scene(state), notes)


def _effect(state: State, cell: int) -> str:
    """Return what a disc on that cell does, like `turns 4, takes +3`."""
    takes = f", takes +{BONUS_POINTS}" if state.bonuses >> cell & 1 else ""
    return f"turns {rules.turned(state, cell).bit_count()}{takes}"
