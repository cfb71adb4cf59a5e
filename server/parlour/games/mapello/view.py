"""How Mapello looks: a sea chart with discs, stone walls, stars, and jokers in the sea around it."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.games import grid
from parlour.games.api import HalfTurn, Move, PickNote
from parlour.games.latest import latest
from parlour.games.mapello import rules
from parlour.games.mapello.rules import BLACK, BONUS, EVERYWHERE, INNER, RIM, SIDE, WHITE, State
from parlour.protocol.scene import BoardSpec, Glyph, Mark, MarkedPlaces, Scene, SeatSpec

SEATS = (SeatSpec("Black", "dark"), SeatSpec("White", "light"))

GLYPHS = (
    Glyph("Black disc", "disc", BLACK, "◆", "x"),
    Glyph("White disc", "disc", WHITE, "●", "o"),
    Glyph("Wall", "block", None, "█", "#"),
    Glyph("Joker", "joker", None, "◐", "&"),
    Glyph("Bonus", "star", None, "★", "*", label=f"+{BONUS}"),
)

BOARD = BoardSpec(
    game="mapello",
    columns=SIDE,
    rows=SIDE,
    surface="chart",
    seats=SEATS,
    glyphs=GLYPHS,
    tally="{0} = {1} discs + {2} bonus",
    alternate=tuple(cell for cell in grid.bits(INNER) if (cell // SIDE + cell % SIDE) % 2 == 0),
    rim=tuple(grid.bits(RIM)),
)


@latest
def scene(state: State) -> Scene:
    # The walls of the rim are no pieces: they are the rim itself.
    by_glyph = (state.black, state.white, rules.walls(state) & INNER, state.jokers, state.bonuses)
    pieces = [(cell, glyph) for glyph, cells in enumerate(by_glyph) for cell in grid.bits(cells & EVERYWHERE)]
    scores = rules.scores(state)
    tallies = tuple((score, score - bonus, bonus) for score, bonus in zip(scores, state.points, strict=True))
    return Scene(tuple(sorted(pieces)), tallies, state.turn)


def marks(before: State, move: Move) -> tuple[MarkedPlaces, ...]:
    (cell,) = move
    return ((Mark.LAST, cell), (Mark.TURNED, *grid.bits(rules.turned(before, cell))))


def half_turn(state: State, picks: Sequence[int]) -> HalfTurn:
    if picks:
        move = (picks[0],)
        after = scene(rules.apply(state, move)).with_marks(marks(state, move))
        return HalfTurn("Your turn is complete.", after, {})
    notes = {cell: PickNote(_effect(state, cell)) for cell in rules.steps(state, picks)}
    return HalfTurn("Choose a cell.", scene(state), notes)


def _effect(state: State, cell: int) -> str:
    """What a disc on that cell does: `turns 4, takes +3`."""
    takes = f", takes +{BONUS}" if state.bonuses >> cell & 1 else ""
    return f"turns {rules.turned(state, cell).bit_count()}{takes}"
