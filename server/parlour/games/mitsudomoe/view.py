"""How Mitsudomoe looks: felt with two home corners, stacks of rings, balls in their holes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import structs

from parlour.games import grid
from parlour.games.api import HalfTurn, Move, PickNote, Seat, chosen
from parlour.games.latest import latest, latest_of
from parlour.games.mitsudomoe.board import BETWEEN, BLACK, GOALS, GRID, HOMES, NEIGHBOURS, WHITE, cells
from parlour.games.mitsudomoe.position import FIRST_SLOT, State, with_ring
from parlour.games.mitsudomoe.rules import Rules
from parlour.games.options import Options
from parlour.protocol.scene import BoardSpec, Glyph, Mark, MarkedPlaces, Region, Scene, SeatSpec, Stack, Zone

SEATS = (SeatSpec("White", "light"), SeatSpec("Black", "dark"))

# A seat's ring, then its ball.
GLYPHS = (
    Glyph("White ring", "ring", WHITE, "○", "o"),
    Glyph("White ball", "ball", WHITE, "●", "o"),
    Glyph("Black ring", "ring", BLACK, "◇", "x"),
    Glyph("Black ball", "ball", BLACK, "◆", "*"),
)

BOARD = BoardSpec(
    game="mitsudomoe",
    columns=GRID.columns,
    rows=GRID.rows,
    surface="felt",
    seats=SEATS,
    glyphs=GLYPHS,
    tally="arrived {0} of 3",
    zones=(
        Zone("white_supply", "supply", ("supply",), WHITE),
        Zone("black_supply", "supply", ("supply",), BLACK),
    ),
    regions=tuple(Region("home", seat, cells(HOMES[seat])) for seat in (WHITE, BLACK)),
)


# What to do next: the first four picks of a turn.
RING, RING_TO = "Choose a ring: one from your supply or one that lies free.", "Choose where the ring goes."
BALL, BALL_TO = "Choose a ball.", "Choose where it goes."


def relocating(seat: Seat, made: int, many: int) -> str:
    """Return the prompt to choose one more cell for a seat's jumped balls."""
    if many == 1:
        return f"Choose a cell for {SEATS[seat].name}'s ball."
    return f"Choose {many} cells for {SEATS[seat].name}'s balls: {made + 1} of {many}."


@lru_cache(maxsize=1 << 12)
def stack(cell: int, rings: int) -> Stack:
    """Return the rings of a cell as they are drawn."""
    return (cell, *[2 * int(seat) for seat in bin(rings)[3:]])


class View(Rules):
    def board(self, options: Options) -> BoardSpec:
        return BOARD

    @latest
    def scene(self, state: State) -> Scene:
        white, black = state.balls
        pieces = []
        for cell in cells(state.tops[WHITE] | state.tops[BLACK]):
            here = stack(cell, state.stacks[cell])
            if (white | black) >> cell & 1:
                here += (2 * (black >> cell & 1) + 1,)
            pieces.append(here)
        pieces += [(FIRST_SLOT + seat, *[2 * seat] * left) for seat, left in enumerate(state.supply) if left]
        tallies = tuple(((state.balls[seat] & GOALS[seat]).bit_count(),) for seat in (WHITE, BLACK))
        return Scene(tuple(pieces), tallies, state.turn)

    def marks(self, before: State, move: Move) -> tuple[MarkedPlaces, ...]:
        if len(move) == 2:
            return self._ring_marks(move)
        source, target, ball, landing = move[:4]
        assert before.turn is not None
        stood = BETWEEN[ball][landing] & before.balls[1 - before.turn]
        ended = grid.mask(move[4:])
        last = 1 << target | 1 << landing | ended & ~stood
        left = 1 << ball | stood & ~ended
        if source < FIRST_SLOT:
            left |= 1 << source
        return (Mark.LAST, *cells(last)), (Mark.FROM, *cells(left & ~last))

    def _ring_marks(self, move: Move) -> tuple[MarkedPlaces, ...]:
        """Return the marks of a ring step that no ball step followed."""
        source, target = move
        last = ((Mark.LAST, target),)
        return last if source >= FIRST_SLOT else (*last, (Mark.FROM, source))

    def half_turn(self, state: State, picks: Sequence[int]) -> HalfTurn:
        """Return the turn with moved pieces on their new cells; jumped balls are ghosts until they are relocated."""
        if state.turn is None:
            return HalfTurn("The game is over.", self.scene(state), {})
        match len(picks):
            case 0:
                return HalfTurn(RING, self.scene(state), {})
            case 1:
                shown = self.scene(state).with_marks(chosen(picks))
                return HalfTurn(RING_TO, shown, self._losing(state, picks))
            case 2 if not state.original or self.steps(state, picks):
                shown = _scene_with_ring(self.scene(state), picks[0], picks[1])
                return HalfTurn(BALL, shown.with_marks(chosen(picks[1:])), {})
            case 3:
                near = NEIGHBOURS[picks[2]]
                notes = {pick: PickNote("vault") for pick in self.steps(state, picks) if not near >> pick & 1}
                shown = _scene_with_ring(self.scene(state), picks[0], picks[1])
                return HalfTurn(BALL_TO, shown.with_marks(chosen(picks[1:])), notes)
        if not self.steps(state, picks):
            move = self.canonical(picks)
            after = self.scene(self.apply(state, move))
            return HalfTurn("Your turn is complete.", after.with_marks(self.marks(state, move)), {})
        return self._relocating(_ring_moved(state, picks[0], picks[1]), picks)

    def _losing(self, state: State, picks: Sequence[int]) -> dict[int, PickNote]:
        """Return a note on each cell where the ring would leave no ball to move, which loses by the original rules."""
        if not state.original:
            return {}
        offered = self.steps(state, picks)
        return {target: PickNote("loses") for target in offered if not self.steps(state, (*picks, target))}

    def _relocating(self, here: State, picks: Sequence[int]) -> HalfTurn:
        """Return the turn after ring and ball have moved, while jumped balls still have to be relocated."""
        assert here.turn is not None
        _, target, ball, landing, *finals = picks
        own, enemy = here.balls[here.turn], here.balls[1 - here.turn]
        jumped = cells(BETWEEN[ball][landing] & enemy)
        many, made = len(jumped), len(finals)
        # As many have left as have been given a new cell. It does not matter which: they are interchangeable.
        ghosts = [cell for cell in jumped if cell not in finals][: many - made]
        own ^= 1 << ball | 1 << landing
        enemy = enemy & ~grid.mask(jumped) | grid.mask(ghosts) | grid.mask(finals)
        moved = structs.replace(here, balls=(enemy, own) if here.turn else (own, enemy))
        shown = (*chosen((target, landing, *finals)), (Mark.STEP, ball, landing), (Mark.GHOST, *ghosts))
        return HalfTurn(relocating(1 - here.turn, made, many), self.scene(moved).with_marks(shown), {})


@latest_of
def _scene_with_ring(scene: Scene, source: int, target: int) -> Scene:
    """Return the scene after the ring step. Drawing the whole position would take longer."""
    stacks = {each[0]: each for each in scene.pieces}
    *left, ring = stacks.pop(source)
    if len(left) > 1:
        stacks[source] = tuple(left)
    stacks[target] = (*stacks.get(target, (target,)), ring)
    return Scene(tuple(sorted(stacks.values())), scene.tallies, scene.to_move)


@latest_of
def _ring_moved(state: State, source: int, target: int) -> State:
    """Return the position after the ring step. It is needed for every ball that could follow."""
    stacks, tops, supply = with_ring(state, source, target)
    return structs.replace(state, stacks=stacks, tops=tops, supply=supply)
