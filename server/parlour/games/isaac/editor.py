"""Setting up positions of Isaac: a bar is put between two cells, or into the hand of its side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from parlour.games import grid
from parlour.games.api import Seat
from parlour.games.isaac import notation, rules
from parlour.games.isaac.bars import BOARD, BY_NAME, CELLS, FULL_HAND, LENGTHS, Bar, Hand, listed
from parlour.games.isaac.placement import HANDS
from parlour.games.isaac.rules import DARK, LIGHT, State
from parlour.games.isaac.scoring import GOAL, MOST
from parlour.games.isaac.view import GLYPHS, SEATS, pieces
from parlour.games.options import Options
from parlour.games.position_editor import PaletteItem, PositionEditor, PositionNumber
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.scene import Scene

T = TypeVar("T")

# The numbers of a position, in their order.
PHASE, DARK_POINTS, LIGHT_POINTS, OUT = range(4)
_OUT = ((False, False), (True, False), (False, True), (True, True))

# The items of the palette: the bars of each side, by seat, then the eraser.
TAKE = 2


class IsaacEditor(PositionEditor[State]):
    """While bars are placed, those that are not on the board are in hand. In the scoring phase they were lifted."""

    palette = (
        *(
            PaletteItem(f"{side.name} bar", next(n for n, glyph in enumerate(GLYPHS) if glyph.seat == seat), 2)
            for seat, side in enumerate(SEATS)
        ),
        PaletteItem("Take away"),
    )

    def clear(self, options: Options) -> State:
        return rules.START

    def read(self, text: str, options: Options) -> State:
        return notation.taken_apart(text)

    def write(self, draft: State) -> str:
        return notation.written(draft)

    def scene(self, draft: State) -> Scene:
        return Scene(pieces(draft), tuple((score,) for score in draft.scores), draft.turn)

    def put(self, draft: State, item: int, places: Sequence[int]) -> State:
        first = places[0]
        if first >= CELLS:
            return _into_hand(draft, item, first)
        if item == TAKE:
            return _completed(_without(draft, 1 << first))
        bar = _between(first, places[-1])
        draft = _without(draft, bar.cells)
        left = draft.hands[item][bar.length - LENGTHS[0]]
        if left:
            draft = _with_hand(draft, item, bar.length, left - 1)
        elif not draft.scoring or _count(draft, item, bar.length) >= FULL_HAND[bar.length - LENGTHS[0]]:
            raise _impossible(f"All bars of {bar.length} of {SEATS[item].name} are on the board.")
        return _completed(replace(draft, bars=_with(draft.bars, item, draft.bars[item] | bar.bit)))

    def with_turn(self, draft: State, seat: Seat) -> State:
        return replace(draft, turn=seat)

    def slots(self, draft: State) -> Sequence[int]:
        return range(HANDS[DARK], HANDS[LIGHT] + len(LENGTHS)) if draft.scoring else ()

    def numbers(self, draft: State) -> tuple[PositionNumber, ...]:
        dark, light = SEATS[DARK].name, SEATS[LIGHT].name
        most = GOAL - 1 + MOST
        return (
            PositionNumber("Phase", int(draft.scoring), 1, choices=("Placing bars", "Scoring")),
            PositionNumber(f"{dark}’s points", min(draft.scores[DARK], most), most),
            PositionNumber(f"{light}’s points", min(draft.scores[LIGHT], most), most),
            PositionNumber(
                "Without a move in this phase", _OUT.index(draft.out), 3, choices=("Neither", dark, light, "Both")
            ),
        )

    def with_number(self, draft: State, number: int, value: int) -> State:
        match number:
            case 0:  # the phase
                return _completed(replace(draft, scoring=value == 1))
            case 3:  # who is without a move
                return replace(draft, out=_OUT[value])
            case _:
                scores = _with(draft.scores, number - DARK_POINTS, value)
                return _completed(replace(draft, scores=scores, scoring=draft.scoring or value > 0))


def _into_hand(draft: State, item: int, slot: int) -> State:
    """Return the draft with one bar more in hand, or one less, which has then been lifted."""
    seat, index = divmod(slot - HANDS[DARK], len(LENGTHS))
    left, length = draft.hands[seat][index], LENGTHS[index]
    if item == TAKE:
        return _completed(_with_hand(draft, seat, length, max(0, left - 1)))
    if item != seat:
        raise _impossible(f"This is the hand of {SEATS[seat].name}.")
    if left + _count(draft, seat, length) >= FULL_HAND[index]:
        raise _impossible(f"All bars of {length} of {SEATS[seat].name} are on the board or in hand.")
    return _completed(_with_hand(draft, seat, length, left + 1))


def _between(one: int, other: int) -> Bar:
    low, high = sorted((one, other))
    bar = BY_NAME.get(f"{BOARD.names[low]}-{BOARD.names[high]}")
    if bar is None:
        raise _impossible("A bar covers 3 to 7 cells of a row or column: choose both of its ends.")
    return bar


def _without(draft: State, cells: int) -> State:
    """Return the draft without the bars that cover any of these cells; while bars are placed, they return to hand."""
    for seat in (DARK, LIGHT):
        for bar in listed(draft.bars[seat]):
            if bar.cells & cells:
                draft = replace(draft, bars=_with(draft.bars, seat, draft.bars[seat] ^ bar.bit))
    return draft if draft.scoring else _completed(draft)


def _completed(draft: State) -> State:
    """Return the draft with the fields that follow from the bars: first the hands, later the longest bars lifted."""
    bars = [bar for seat in (DARK, LIGHT) for bar in listed(draft.bars[seat])]
    occupied = grid.mask([cell for bar in bars for cell in grid.bits(bar.cells)])
    draft = replace(draft, occupied=occupied, tally=sum(bar.touched for bar in bars))
    if not draft.scoring:
        dark, light = (_rest(draft, seat) for seat in (DARK, LIGHT))
        return replace(draft, hands=(dark, light), scores=(0, 0), longest=(0, 0))
    dark_longest, light_longest = (_longest(draft, seat) for seat in (DARK, LIGHT))
    return replace(draft, longest=(dark_longest, light_longest))


def _rest(draft: State, seat: Seat) -> Hand:
    """Return the bars of a side that are not on the board."""
    three, four, five, six, seven = (
        max(0, given - _count(draft, seat, length)) for length, given in zip(LENGTHS, FULL_HAND, strict=True)
    )
    return three, four, five, six, seven


def _longest(draft: State, seat: Seat) -> int:
    """Return the length of the longest bar that is neither on the board nor in hand."""
    rest = zip(LENGTHS, _rest(draft, seat), draft.hands[seat], strict=True)
    return max((length for length, left, in_hand in rest if left > in_hand), default=0)


def _count(draft: State, seat: Seat, length: int) -> int:
    return sum(bar.length == length for bar in listed(draft.bars[seat]))


def _with_hand(draft: State, seat: Seat, length: int, left: int) -> State:
    three, four, five, six, seven = (
        left if each == length else now for each, now in zip(LENGTHS, draft.hands[seat], strict=True)
    )
    return replace(draft, hands=_with(draft.hands, seat, (three, four, five, six, seven)))


def _with(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    return (pair[0], value) if seat else (value, pair[1])


def _impossible(sentence: str) -> Refusal:
    return Refusal(ErrorCode.POSITION_IMPOSSIBLE, sentence)
