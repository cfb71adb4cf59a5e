"""How Isaac looks: a birch board that is two score tracks as well, long bars, and a counter on each track."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.games import grid
from parlour.games.api import HalfTurn, Move, PickNote, Seat, chosen
from parlour.games.isaac import rules, scoring
from parlour.games.isaac.bars import CELLS, LENGTHS, SIZE, VALUES, Bar, listed
from parlour.games.isaac.placement import HANDS
from parlour.games.isaac.rules import DARK, LIGHT, Rules, State
from parlour.games.isaac.scoring import MOST, WALK
from parlour.games.latest import latest
from parlour.games.options import Options
from parlour.protocol.scene import BoardSpec, Glyph, Mark, MarkedPlaces, Scene, SeatSpec, Stack, Zone

SEATS = (SeatSpec("Dark", "dark"), SeatSpec("Light", "light"))

_SIGNS = (("◆", "*"), ("●", "o"))


def _bar_glyph(seat: Seat, upright: bool, length: int) -> Glyph:
    return Glyph(
        f"{SEATS[seat].name} bar of {length}",
        "bar",
        seat,
        *_SIGNS[seat],
        columns=1 if upright else length,
        rows=length if upright else 1,
        pips=VALUES[length],
    )


# Ten bars for each seat, in the order of `bars.number`, then the two counters.
GLYPHS = (
    *(_bar_glyph(seat, upright, n) for seat in (DARK, LIGHT) for upright in (False, True) for n in LENGTHS),
    *(Glyph(f"{SEATS[seat].name} counter", "counter", seat, *_SIGNS[seat], shows_score=True) for seat in (DARK, LIGHT)),
)
_COUNTER = len(GLYPHS) - 2

_HAND_SLOTS = tuple(f"bar of {length}" for length in LENGTHS)

BOARD = BoardSpec(
    game="isaac",
    columns=SIZE,
    rows=SIZE,
    surface="birch",
    seats=SEATS,
    glyphs=GLYPHS,
    tally="points {0}",
    zones=(
        Zone("dark_hand", "Dark's bars", _HAND_SLOTS, DARK),
        Zone("light_hand", "Light's bars", _HAND_SLOTS, LIGHT),
        Zone("walk", "Squares to walk", tuple(f"+{squares}" for squares in range(MOST + 1)), holds_pieces=False),
    ),
    alternate=tuple(cell for cell in range(CELLS) if cell // SIZE % 2),
    tracks=(tuple(reversed(range(CELLS))), tuple(range(CELLS))),
)

PLACES = tuple(BOARD.place_name(place) for place in range(BOARD.places))


# What to do first.
PLACE, LIFT = "Choose a bar to place.", "Choose one of your bars to lift."


def end_of(slot: int, which: str) -> str:
    """Return the prompt to choose the first or the other end of a bar from that slot."""
    return f"{PLACES[slot].capitalize()}: choose its {which} end."


class View(Rules):
    def board(self, options: Options) -> BoardSpec:
        return BOARD

    @latest
    def scene(self, state: State) -> Scene:
        return Scene(pieces(state), tuple((score,) for score in state.scores), state.turn)

    def marks(self, before: State, move: Move) -> tuple[MarkedPlaces, ...]:
        seat = before.turn
        assert seat is not None
        if not before.scoring:
            return ((Mark.LAST, *grid.bits(rules.placed(seat, move).cells)),)
        bar = scoring.lifted(before.bars[seat], move[0])
        score, squares = before.scores[seat], move[1] - WALK
        old, new = scoring.track(seat, score), scoring.track(seat, score + squares)
        found: list[MarkedPlaces] = [(Mark.GONE, *grid.bits(bar.cells))]
        if new is not None:
            found.append((Mark.LAST, new))
        if squares and old is not None:
            found.append((Mark.FROM, old))
        return tuple(found)

    def half_turn(self, state: State, picks: Sequence[int]) -> HalfTurn:
        if not picks:
            return HalfTurn(LIFT if state.scoring else PLACE, self.scene(state), {})
        if len(picks) == (2 if state.scoring else 3):
            move = self.canonical(picks)
            after = self.apply(state, move)
            return HalfTurn("Your turn is complete.", self.scene(after).with_marks(self.marks(state, move)), {})
        if state.scoring:
            return self._walking(state, picks[0])
        which = "first" if len(picks) == 1 else "other"
        return HalfTurn(end_of(picks[0], which), self.scene(state).with_marks(chosen(picks)), {})

    def _walking(self, state: State, low: int) -> HalfTurn:
        """Return the turn with a bar lifted: the bars that count are marked, and the counter's way is shown."""
        seat = state.turn
        assert seat is not None
        bar = scoring.lifted(state.bars[seat], low)
        counted = [
            other for bars in state.bars for other in listed(bars) if other is not bar and other.cells & bar.line
        ]
        found: list[MarkedPlaces] = [(Mark.LINE, *grid.bits(bar.line)), (Mark.GHOST, *grid.bits(bar.cells))]
        found += [(Mark.COUNTED, *grid.bits(other.cells)) for other in counted]
        shown = self.scene(state).with_marks(tuple(found))
        notes = {
            walk: PickNote(PLACES[walk], cell=scoring.track(seat, state.scores[seat] + walk - WALK))
            for walk in self.steps(state, (low,))
        }
        return HalfTurn(sum_of(bar, len(counted), state), shown, notes)


def pieces(state: State) -> tuple[Stack, ...]:
    stacks: dict[int, list[int]] = {}
    for seat in (DARK, LIGHT):
        for bar in listed(state.bars[seat]):
            stacks[bar.low] = [_glyph(seat, bar.length, bar.upright)]
        for index, left in enumerate(state.hands[seat]):
            if left:
                stacks[HANDS[seat] + index] = [_glyph(seat, LENGTHS[index], False)] * left
    if state.scoring:
        for seat in (DARK, LIGHT):
            cell = scoring.track(seat, state.scores[seat])
            if cell is not None:
                stacks.setdefault(cell, []).append(_COUNTER + seat)
    return tuple((place, *stacks[place]) for place in sorted(stacks))


def _glyph(seat: Seat, length: int, upright: bool) -> int:
    return 10 * seat + 5 * upright + length - LENGTHS[0]


def sum_of(bar: Bar, counted: int, state: State) -> str:
    """Return the prompt, like `1 x 7 bars x 2 = 14 points: walk your counter 0 to 14 squares.`"""
    doubled = " x 2" * (bar.line & scoring.counters(state.scores)).bit_count()
    ((_, points),) = scoring.gains(bar.bit, state.tally, state.scores)
    bars = "1 bar" if counted == 1 else f"{counted} bars"
    match points:
        case 0:
            what = "0 points: your counter stays where it is"
        case 1:
            what = "1 point: walk your counter 0 or 1 squares"
        case _:
            what = f"{points} points: walk your counter 0 to {points} squares"
    return f"{bar.value} x {bars}{doubled} = {what}."
