"""What a move of Replica does, as facts and in words."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.games import grid
from parlour.games.api import Fact, Move
from parlour.games.replica.rules import Rules, State
from parlour.games.voice import Voice, number, plural


class Words(Rules):
    def facts(self, before: State, move: Move, after: State) -> dict[str, Fact]:
        """Return the kind of the move (`step`, `jump`, `crown`), the friends jumped over, and what it captures."""
        start, target = move
        if start == target:
            return {"kind": "crown", "over": 0, "captures": 0, "takes": "", "piece": "man"}
        (row, column), (to_row, to_column) = divmod(start, before.size), divmod(target, before.size)
        over = max(abs(to_row - row), abs(to_column - column)) - 1
        captures = (before.white | before.black) >> target & 1
        return {
            "kind": "jump" if over else "step",
            "over": over,
            "captures": captures,
            "takes": _kind(before, target) if captures else "",
            "piece": _kind(before, start),
        }

    def describe(self, before: State, move: Move, after: State, voice: Voice) -> str:
        names = grid.grid(before.size, before.size).names
        start, target = move
        known = self.facts(before, move, after)
        if known["kind"] == "crown":
            return f"{voice.subject} {voice.verb('crowns', 'crown')} the man on {names[start]}."
        goes = "steps"
        if known["over"]:
            goes = f"jumps over {plural(number(known, 'over'), 'friend', 'friends')}"
        takes = f" and captures a {known['takes']}" if known["captures"] else ""
        return f"{voice.possessive} {known['piece']} on {names[start]} {goes} to {names[target]}{takes}."

    def why_not(self, state: State, picks: Sequence[int]) -> str:
        own = state.black if state.turn else state.white
        cell = picks[-1]
        if len(picks) == 1:
            if own >> cell & 1:
                return f"this {_kind(state, cell)} can neither move nor be crowned now"
            return "choose a piece of your own" if (state.white | state.black) >> cell & 1 else "no piece stands there"
        if cell == picks[0]:
            return "none of your kings sees this man, so it cannot be crowned"
        if own >> cell & 1:
            return "one of your own pieces stands there"
        return "pieces go one cell towards the far corner, or over a line of their own pieces to the cell behind it"


def _kind(state: State, cell: int) -> str:
    return "king" if state.kings >> cell & 1 else "man"
