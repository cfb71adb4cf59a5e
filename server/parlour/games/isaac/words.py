"""What a move of Isaac does, as facts and in words."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.games.api import Fact, Move
from parlour.games.isaac import rules, scoring
from parlour.games.isaac.bars import AT_LEAST, BOARD, CELLS, LENGTHS, listed
from parlour.games.isaac.placement import HANDS
from parlour.games.isaac.rules import Rules, State
from parlour.games.isaac.scoring import WALK
from parlour.games.voice import Voice, number, plural


class Words(Rules):
    def facts(self, before: State, move: Move, after: State) -> dict[str, Fact]:
        """Return `laid` or `lifted`, a length, and what a lifted bar scored."""
        seat = before.turn
        assert seat is not None
        if not before.scoring:
            bar = rules.placed(seat, move)
            return {"laid": bar.length, "lifted": 0, "starts_lifting": after.scoring}
        bar = scoring.lifted(before.bars[seat], move[0])
        others = (before.bars[0] | before.bars[1]) ^ bar.bit
        ((_, points),) = scoring.gains(bar.bit, before.tally, before.scores)
        score = after.scores[seat]
        stands = scoring.track(seat, score)
        pinned = [
            other
            for other in listed(after.bars[1 - seat] & AT_LEAST[after.longest[1 - seat]])
            if stands is not None and other.cells >> stands & 1
        ]
        return {
            "laid": 0,
            "lifted": bar.length,
            "starts_lifting": False,
            "bar": bar.name,
            "value": bar.value,
            "counted": sum(other.cells & bar.line != 0 for other in listed(others)),
            "counters": (bar.line & scoring.counters(before.scores)).bit_count(),
            "points": points,
            "walked": move[1] - WALK,
            "on": "off the board" if stands is None else BOARD.names[stands],
            "score_now": score,
            "pins": len(pinned),
            "usable": (after.bars[seat] & AT_LEAST[after.longest[seat]]).bit_count(),
        }

    def describe(self, before: State, move: Move, after: State, voice: Voice) -> str:
        known = self.facts(before, move, after)
        if known["laid"]:
            laid = f"{voice.subject} {voice.verb('lays', 'lay')} a bar of {known['laid']}, {self.write(before, move)}."
            return f"{laid} No more bars fit. Now lift bars for points." if known["starts_lifting"] else laid
        points, walked = number(known, "points"), number(known, "walked")
        bars = plural(number(known, "counted"), "bar", "bars")
        total = f"{known['value']} × {bars}{' × 2' * number(known, 'counters')} = {plural(points, 'point', 'points')}"
        if not walked:
            went = f" and {voice.verb('stays', 'stay')} on {known['score_now']}"
        elif walked == points:
            went = f" and {voice.verb('walks', 'walk')} to {known['score_now']}"
        else:
            walks, stops = voice.verb("walks", "walk"), voice.verb("stops", "stop")
            went = f", {walks} only {walked} and {stops} on {known['score_now']}"
        counter = "Your counter" if voice.own else "The counter"
        pinned = f" {counter} pins an enemy bar." if known["pins"] else ""
        return f"{voice.subject} {voice.verb('lifts', 'lift')} {known['bar']} for {total}{went}.{pinned}"

    def why_not(self, state: State, picks: Sequence[int]) -> str:
        seat, pick = state.turn, picks[-1]
        if seat is None:
            return ""
        if state.scoring:
            return _why_not_lifted(state, seat, pick) if len(picks) == 1 else "the other counter stands there"
        if len(picks) == 1:
            return "choose one of your bars beside the board first" if pick < CELLS else "no bar of this length fits"
        if pick >= CELLS:
            return "choose a cell for the end of the bar"
        if state.occupied >> pick & 1:
            return "a bar lies there"
        length = picks[0] - HANDS[seat] + LENGTHS[0]
        if len(picks) == 2:
            return f"no bar of {length} fits there"
        return f"the ends of a bar of {length} are {length - 1} cells apart in a row or column, with no bar between"


def _why_not_lifted(state: State, seat: int, pick: int) -> str:
    """Return why a bar on that place may not be lifted."""
    if pick >= CELLS:
        return "choose a bar on the board"
    own = [bar for bar in listed(state.bars[seat]) if bar.cells >> pick & 1]
    if not own:
        return "none of your bars lies there"
    (bar,) = own
    if bar.length < state.longest[seat]:
        return f"you have lifted a bar of {state.longest[seat]}, so no shorter one may follow"
    if bar.cells & scoring.counters(state.scores):
        return "a counter stands on this bar"
    return f"choose the bar by its first cell, {BOARD.names[bar.low]}"
