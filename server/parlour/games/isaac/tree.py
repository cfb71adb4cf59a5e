"""Isaac's choices, encoded in one go, which takes a tenth of the time of building them step by step.

What can follow an end of a bar depends only on the end and on the directions in which the bar fits, and what can follow
a lifted bar only on its points and the score. Both are encoded once.
"""

from __future__ import annotations

from functools import cache, lru_cache

from parlour.games import encoded_tree as encoded
from parlour.games import grid
from parlour.games.api import Seat
from parlour.games.encoded_tree import BEGINNINGS, EMPTY, FALSE, NUMBERS, EncodedTree, array, encode
from parlour.games.isaac import scoring
from parlour.games.isaac.bars import BARS, CELLS, LENGTHS, SIZE, Hand, listed
from parlour.games.isaac.placement import EVERYWHERE, HANDS, starts
from parlour.games.isaac.rules import State, removable
from parlour.games.isaac.scoring import MOST, WALK
from parlour.games.isaac.view import LIFT, PLACE, PLACES, View, end_of, sum_of
from parlour.protocol.scene import Mark
from parlour.protocol.types import Pick


class Tree(View):
    def tree(self, state: State) -> EncodedTree | None:
        if state.turn is None:
            return None
        if state.scoring:
            return _lifting(state, state.turn)
        return _placing(state.turn, EVERYWHERE ^ state.occupied, state.hands[state.turn])


# -- placing a bar


class _Ends(dict[tuple[int, str], bytes]):
    """The picks of one end of a bar, by the cell and the directions in which the bar fits, as a hexadecimal digit."""

    def __init__(self, length: int, prompt: int) -> None:
        across, up = length - 1, SIZE * (length - 1)
        self._reach = -up, -across, across, up  # from one end to the other, by the bit of the digit
        self._prompt = prompt

    def __missing__(self, key: tuple[int, str]) -> bytes:
        cell, digit = key
        ends = [cell + reach for bit, reach in enumerate(self._reach) if int(digit, 16) >> bit & 1]
        pick = BEGINNINGS[cell] + encoded.step(self._prompt, array([NUMBERS[end] for end in ends])) + FALSE
        self[key] = pick
        return pick


_ends = cache(_Ends)


def _placing(seat: Seat, free: int, hand: Hand) -> EncodedTree:
    picks: list[bytes] = []
    prompts = [PLACE]
    for index, length in enumerate(LENGTHS):
        lying, standing = starts(free, length) if hand[index] else (0, 0)
        if not lying | standing:
            continue
        # Read as hexadecimal numbers, sets of cells have one digit per cell: here, the directions of the bar from that
        # cell.
        right, above = int(f"{lying:b}", 16), int(f"{standing:b}", 16)
        left, below = right << 4 * (length - 1), above << 4 * SIZE * (length - 1)
        digits = f"{below | left << 1 | right << 2 | above << 3:x}"[::-1]
        ends = _ends(length, len(prompts) + 1)
        found = [ends[key] for key in enumerate(digits) if key[1] != "0"]
        slot = HANDS[seat] + index
        picks.append(BEGINNINGS[slot] + encoded.step(len(prompts), array(found)) + FALSE)
        prompts += [end_of(slot, "first"), end_of(slot, "other")]
    return EncodedTree(encoded.step(0, array(picks)), tuple(prompts))


# -- lifting a bar


@lru_cache(maxsize=2 * CELLS)
def _walks(seat: Seat, score: int) -> tuple[bytes, ...]:
    """Return the picks of the numbers of squares to walk."""
    return tuple(
        encode(Pick(WALK + squares, PLACES[WALK + squares], cell=scoring.track(seat, score + squares)))
        for squares in range(MOST + 1)
    )


@cache
def _marks(number: int) -> tuple[bytes, bytes]:
    """Return the marks of a bar that is lifted, and the mark of one that counts."""
    bar = BARS[number]
    cells = tuple(grid.bits(bar.cells))
    line = encode((Mark.LINE, *grid.bits(bar.line))) + encode((Mark.GHOST, *cells))
    return line, encode((Mark.COUNTED, *cells))


def _lifting(state: State, seat: Seat) -> EncodedTree:
    prompts = {LIFT: 0}
    walks = _walks(seat, state.scores[seat])
    on_board = [bar for bars in state.bars for bar in listed(bars)]
    picks = []
    for bar in listed(removable(state, seat)):
        offered = scoring.moves(bar.bit, state.tally, state.scores)
        counted = [other for other in on_board if other is not bar and other.cells & bar.line]
        prompt = prompts.setdefault(sum_of(bar, len(counted), state), len(prompts))
        marks = [_marks(bar.number)[0], *[_marks(each.number)[1] for each in counted]]
        look = encoded.look(EMPTY, seat, marks=encoded.beginning(2 + len(counted)) + b"".join(marks))
        step = encoded.step(prompt, array([walks[walk - WALK] for _, walk in offered]), look)
        picks.append(BEGINNINGS[bar.low] + step + FALSE)
    return EncodedTree(encoded.step(0, array(picks)), tuple(prompts))
