"""How Replica looks: a chequered clay board, men with an arrowhead, crowned kings."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.games import grid
from parlour.games.api import HalfTurn, Move, PickNote, chosen
from parlour.games.latest import latest
from parlour.games.options import Options
from parlour.games.replica import rules
from parlour.games.replica.board import BLACK, WHITE
from parlour.games.replica.rules import Rules, State
from parlour.protocol.scene import BoardSpec, Glyph, Mark, MarkedPlaces, Region, Scene, SeatSpec

SEATS = (SeatSpec("White", "light"), SeatSpec("Black", "dark"))

GLYPHS = (
    Glyph("White man", "man", WHITE, "↙", "o", heading=225),
    Glyph("White king", "king", WHITE, "♚", "K"),
    Glyph("Black man", "man", BLACK, "↗", "x", heading=45),
    Glyph("Black king", "king", BLACK, "♚", "K"),
)


class View(Rules):
    def board(self, options: Options) -> BoardSpec:
        size = rules.variant(options)[0]
        return BoardSpec(
            game="replica",
            columns=size,
            rows=size,
            surface="clay",
            seats=SEATS,
            glyphs=GLYPHS,
            tally="pieces {0}, kings {1}",
            regions=(Region("goal", WHITE, (0,)), Region("goal", BLACK, (size * size - 1,))),
            alternate=tuple(cell for cell in range(size * size) if (cell // size + cell % size) % 2 == 0),
        )

    @latest
    def scene(self, state: State) -> Scene:
        pieces = []
        for cell in grid.bits(state.white | state.black):
            glyph = 2 * (state.black >> cell & 1) + (state.kings >> cell & 1)
            pieces.append((cell, glyph))
        tallies = tuple((own.bit_count(), (own & state.kings).bit_count()) for own in (state.white, state.black))
        return Scene(tuple(pieces), tallies, state.turn)

    def marks(self, before: State, move: Move) -> tuple[MarkedPlaces, ...]:
        start, target = move
        if start == target:
            return ((Mark.TURNED, target),)
        return ((Mark.LAST, target), (Mark.FROM, start))

    def half_turn(self, state: State, picks: Sequence[int]) -> HalfTurn:
        here = self.scene(state)
        if not picks:
            return HalfTurn("Choose a piece to move, or a man to crown.", here, {})
        if len(picks) == 2:
            move = (picks[0], picks[1])
            after = self.scene(self.apply(state, move)).with_marks(self.marks(state, move))
            return HalfTurn("Your turn is complete.", after, {})
        piece = picks[0]
        enemies = state.white if state.turn else state.black
        notes = {}
        for target in self.steps(state, picks):
            if target == piece:
                notes[target] = PickNote("crown", "crown")
            elif enemies >> target & 1:
                notes[target] = PickNote("capture", "capture")
        seen = tuple((Mark.SIGHT, piece, man) for man in grid.bits(rules.crownable_by(state, piece)))
        kind = "King" if state.kings >> piece & 1 else "Man"
        crown = ", or crown it" if piece in notes else ""
        return HalfTurn(f"{kind}: choose where it goes{crown}.", here.with_marks((*chosen(picks), *seen)), notes)
