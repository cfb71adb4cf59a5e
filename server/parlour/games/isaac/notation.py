"""Isaac's notation: `c4-g4`, `xc4-g4+12`, and positions such as `Dc4-g4,La1-a3 d p 54221,44321 0,0 0,0 -`."""

from __future__ import annotations

import re
from itertools import pairwise

from parlour.games import grid
from parlour.games.api import Move, Seat
from parlour.games.isaac import rules, scoring, view
from parlour.games.isaac.bars import AT_LEAST, BOARD, BY_NAME, CLEAR_OF, FULL_HAND, LENGTHS, Bar, Hand, listed
from parlour.games.isaac.placement import EVERYWHERE, HANDS, fits
from parlour.games.isaac.rules import DARK, LIGHT, Rules, State
from parlour.games.isaac.scoring import GOAL, MOST, WALK
from parlour.games.options import Options
from parlour.protocol.errors import ErrorCode, Refusal

_NAMES = ("Dark", "Light")
_TURNS = {"d": DARK, "l": LIGHT, "-": None}
_OUT = {"-": (False, False), "d": (True, False), "l": (False, True), "dl": (True, True)}

_BAR = r"[a-j](?:[1-9]|10)-[a-j](?:[1-9]|10)"
_NUMBER = r"0|[1-9][0-9]{0,2}"
_PLACEMENT = re.compile(_BAR)
_REMOVAL = re.compile(rf"x({_BAR})\+({_NUMBER})")
_HANDS = re.compile(r"([0-9]{5}),([0-9]{5})")
_SCORES = re.compile(rf"({_NUMBER}),({_NUMBER})")
_LONGEST = re.compile(r"([03-7]),([03-7])")


class Notation(Rules):
    def place(self, state: State, pick: int) -> str:
        if pick < 0:
            raise IndexError("no such place")
        return view.PLACES[pick]

    def write(self, state: State, move: Move) -> str:
        if not state.scoring:
            _, low, high = move
            return f"{BOARD.names[low]}-{BOARD.names[high]}"
        low, walk = move
        assert state.turn is not None
        return f"x{scoring.lifted(state.bars[state.turn], low).name}+{walk - WALK}"

    def scan(self, state: State, text: str) -> Move:
        seat = state.turn or DARK
        if _PLACEMENT.fullmatch(text):
            bar = _named(text)
            return (HANDS[seat] + bar.length - LENGTHS[0], bar.low, bar.high)
        if found := _REMOVAL.fullmatch(text):
            bar, squares = _named(found[1]), int(found[2])
            # A removal points at the low end only, so a bar of another length there must be told apart here.
            if state.turn is not None and not state.bars[seat] >> bar.number & 1:
                raise Refusal(ErrorCode.MOVE_ILLEGAL, f"{_NAMES[seat]} has no bar {bar.name} on the board.")
            if squares > MOST:
                raise Refusal(ErrorCode.MOVE_ILLEGAL, f"No bar gives {squares} points; the maximum is {MOST}.")
            return (bar.low, WALK + squares)
        raise Refusal(
            ErrorCode.MOVE_MALFORMED,
            "An Isaac move is written like c4-g4 to place a bar, like xc4-g4+12 to lift one and walk 12 squares.",
        )

    def print(self, state: State) -> str:
        return written(state)

    def parse(self, text: str, options: Options) -> State:
        """Return the position of a text, which need not be reachable in a game but must not contradict itself."""
        state = taken_apart(text)
        _check_overlaps(state)
        _check_stock(state)
        _check_scores(state)
        _check_out(state)
        return rules.ended(state) if state.turn is None else rules.settled(state)


def written(state: State) -> str:
    """Return a position as text, possible or not."""
    names = [f"{'DL'[seat]}{bar.name}" for seat in (DARK, LIGHT) for bar in listed(state.bars[seat])]
    return " ".join(
        (
            ",".join(sorted(names)) or ".",
            "-" if state.turn is None else "dl"[state.turn],
            "s" if state.scoring else "p",
            ",".join("".join(map(str, hand)) for hand in state.hands),
            "{},{}".format(*state.scores),
            "{},{}".format(*state.longest),
            "".join(letter for letter, out in zip("dl", state.out, strict=True) if out) or "-",
        )
    )


def taken_apart(text: str) -> State:
    """Return the fields of a text, which may contradict each other; refuse text that is not in the notation."""
    fields = text.split(" ")
    if len(fields) != 7:
        raise _malformed(
            f"An Isaac position has 7 fields separated by single spaces, like {written(rules.START)}; "
            f"this text has {len(fields)}."
        )
    bars, turn, phase, hands, scores, longest, out = fields
    if turn not in _TURNS:
        raise _malformed("The second field says who is to move: d, l, or - when the game is over.")
    if phase not in ("p", "s"):
        raise _malformed("The third field is the phase: p while bars are placed, s for scoring.")
    in_hand = _HANDS.fullmatch(hands)
    if in_hand is None:
        raise _malformed("The fourth field is the bars in hand, five digits each for Dark and Light: 54321,54321.")
    points = _SCORES.fullmatch(scores)
    if points is None:
        raise _malformed("The fifth field is the scores of Dark and Light, like 0,0 or 38,104.")
    lengths = _LONGEST.fullmatch(longest)
    if lengths is None:
        raise _malformed("The sixth field is the longest bar lifted by Dark and by Light, 0 or 3 to 7, like 0,3.")
    if out not in _OUT:
        raise _malformed("The seventh field says who is out of the phase: -, d, l or dl.")
    placed = _bars(bars)
    return State(
        bars=_sets(placed),
        occupied=grid.mask([cell for _, bar in placed for cell in grid.bits(bar.cells)]),
        tally=sum(bar.touched for _, bar in placed),
        hands=(_hand(in_hand[1]), _hand(in_hand[2])),
        scores=(int(points[1]), int(points[2])),
        longest=(int(lengths[1]), int(lengths[2])),
        out=_OUT[out],
        scoring=phase == "s",
        turn=_TURNS[turn],
    )


def _named(name: str) -> Bar:
    bar = BY_NAME.get(name)
    if bar is None:
        raise Refusal(
            ErrorCode.MOVE_MALFORMED,
            f"{name} is not a bar: a bar is 3 to 7 cells of a row or column, named by its left or lower end first.",
        )
    return bar


def _bars(text: str) -> list[tuple[Seat, Bar]]:
    names = [] if text == "." else text.split(",")
    found: list[tuple[Seat, Bar]] = []
    for name in names:
        bar = BY_NAME.get(name[1:])
        if bar is None or name[0] not in "DL":
            shown = name if len(name) <= 12 else f"{name[:12]}…"
            raise _malformed(
                f"“{shown}” is not a bar: write D or L and its ends, left or lower end first, like Dc4-g4; "
                "or a dot when there are no bars."
            )
        found.append(("DL".index(name[0]), bar))
    if names != sorted(names):
        raise _malformed("The bars must be sorted as text: Da10-c10 comes before Da2-c2, and all D before all L.")
    for (owner, bar), following in pairwise(found):
        if (owner, bar) == following:
            raise _impossible(f"Two bars cover {BOARD.names[bar.low]}.")
    return found


def _sets(placed: list[tuple[Seat, Bar]]) -> tuple[int, int]:
    dark, light = (grid.mask([bar.number for owner, bar in placed if owner == seat]) for seat in (DARK, LIGHT))
    return dark, light


def _hand(digits: str) -> Hand:
    three, four, five, six, seven = map(int, digits)
    return three, four, five, six, seven


# -- contradictions


def _check_overlaps(state: State) -> None:
    occupied = 0
    for bars in state.bars:
        for bar in listed(bars):
            if shared := occupied & bar.cells:
                raise _impossible(f"Two bars cover {BOARD.names[next(grid.bits(shared))]}.")
            occupied |= bar.cells


def _check_stock(state: State) -> None:
    """Refuse more bars than a side starts with. Missing bars were lifted, after no more could be placed."""
    for seat, name in enumerate(_NAMES):
        on_board = [bar.length for bar in listed(state.bars[seat])]
        lifted = 0
        for length, left, given in zip(LENGTHS, state.hands[seat], FULL_HAND, strict=True):
            has = left + on_board.count(length)
            if has > given:
                raise _impossible(
                    f"{name} has {has} bars of {length} on the board and in hand; there are only {given}."
                )
            if has < given:
                lifted = length
        if lifted and not state.scoring:
            raise _impossible(f"{name} lacks a bar of {lifted}: before scoring, all 15 are on the board or in hand.")
        if lifted != state.longest[seat]:
            lacks = f"no bar longer than {lifted}" if lifted else "no bar"
            raise _impossible(f"{name} lacks {lacks}, so the longest bar lifted must be written as {lifted}.")
    if state.scoring and state.longest == (0, 0):
        for hand, name in zip(state.hands, _NAMES, strict=True):
            if fits(state.occupied, hand):
                raise _impossible(f"Scoring has not started: {name} has a bar in hand that fits.")


def _check_scores(state: State) -> None:
    """Refuse scores that cannot be: counters start when scoring does, never meet, and stop at 100."""
    if not state.scoring and state.scores != (0, 0):
        raise _impossible("There are no points while bars are placed; the scores must be 0,0.")
    dark, light = state.scores
    if dark + light == GOAL - 1:
        raise _impossible(f"With {dark} and {light} points both counters would stand on one cell.")
    if min(dark, light) >= GOAL:
        raise _impossible("Both sides have 100 points, but the first to reach 100 wins at once.")
    most = max(dark, light)
    if most >= GOAL and state.turn is not None:
        raise _impossible(f"With {most} points the game is over, so the side to move must be -.")
    if most >= GOAL + MOST:
        raise _impossible(f"{most} points are impossible: the last bar lifted takes 99 to {GOAL - 1 + MOST} at most.")


def _check_out(state: State) -> None:
    """Refuse a side that is out but is to move, or that has always had a move."""
    if state.turn is None:
        _check_over(state)
    elif state.out[state.turn]:
        raise _impossible(
            f"{_NAMES[state.turn]} is to move, so the last field cannot say that {_NAMES[state.turn]} is out."
        )
    for seat, name in enumerate(_NAMES):
        if state.out[seat] and not _had_nothing(state, seat):
            able = "lift" if state.scoring else "place"
            raise _impossible(f"{name} has bars to {able}, so the last field cannot say that {name} is out.")


def _check_over(state: State) -> None:
    if not state.scoring:
        raise _impossible("The game cannot be over while bars are placed.")
    for seat, name in enumerate(_NAMES):
        if state.scores[seat] >= GOAL:
            if state.out[seat]:
                raise _impossible(f"{name} made the last move and won, so {name} was not out.")
            return
    if state.out != (True, True):
        raise _impossible("The game is over only when one side has 100 points or both are out (dl).")
    if all(rules.can_move(state, seat) for seat in (DARK, LIGHT)):
        raise _impossible("Both sides have bars to lift, so the game is not over.")


def _had_nothing(state: State, seat: Seat) -> bool:
    """Return whether the seat may have been without a move on its turn, now or earlier."""
    if not state.scoring:
        return not rules.can_move(state, seat)
    # Since then only the other counter has moved. It may have blocked one bar somewhere on its way.
    own = scoring.track(seat, state.scores[seat])
    assert own is not None
    open_bars = listed(state.bars[seat] & AT_LEAST[state.longest[seat]] & CLEAR_OF[own])
    return not open_bars or (len(open_bars) == 1 and bool(open_bars[0].cells & _walked(1 - seat, state)))


def _walked(seat: Seat, state: State) -> int:
    """Return the cells that a counter may have stood on so far."""
    score = min(state.scores[seat], GOAL - 1)
    return (1 << score + 1) - 1 if seat else EVERYWHERE >> GOAL - 1 - score << GOAL - 1 - score


def _malformed(sentence: str) -> Refusal:
    return Refusal(ErrorCode.POSITION_MALFORMED, sentence)


def _impossible(sentence: str) -> Refusal:
    return Refusal(ErrorCode.POSITION_IMPOSSIBLE, sentence)
