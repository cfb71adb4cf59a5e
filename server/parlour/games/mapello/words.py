"""What a move of Mapello does, as facts and in words."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.games import grid
from parlour.games.api import Fact, Move
from parlour.games.mapello import board, rules
from parlour.games.mapello.board import GRID
from parlour.games.mapello.rules import BONUS_POINTS, Rules, State
from parlour.games.voice import Voice, number, plural


class Words(Rules):
    def facts(self, before: State, move: Move, after: State) -> dict[str, Fact]:
        """Return how many discs the move turns, in how many lines, and whether it takes a star."""
        (cell,) = move
        own, enemy = (before.white, before.black) if before.turn else (before.black, before.white)
        flipped = list(grid.bits(rules.turned(before, cell)))
        without_jokers = board.turned(own, enemy, 0, cell) & board.EVERYWHERE
        beside = {next_cell for next_cell in flipped if _is_beside(cell, next_cell)}
        return {
            "turned": len(flipped),
            "lines": len(beside),
            "by_joker": len(flipped) - without_jokers.bit_count(),
            "flips": ", ".join(sorted(GRID.names[there] for there in flipped)),
            "bonus": BONUS_POINTS if before.bonuses >> cell & 1 else 0,
        }

    def describe(self, before: State, move: Move, after: State, voice: Voice) -> str:
        known = self.facts(before, move, after)
        joker = " with the help of a joker" if known["by_joker"] else ""
        turns = f"{voice.verb('turns', 'turn')} {plural(number(known, 'turned'), 'disc', 'discs')}{joker}"
        plays = f"{voice.subject} {voice.verb('plays', 'play')} {self.write(before, move)}"
        if known["bonus"]:
            return f"{plays}, {turns} and {voice.verb('takes', 'take')} a star (+{BONUS_POINTS})."
        return f"{plays} and {turns}."

    def why_not(self, state: State, picks: Sequence[int]) -> str:
        cell = picks[-1]
        if (state.black | state.white) >> cell & 1:
            return "a disc lies there"
        if state.jokers >> cell & 1:
            return "a joker stands there"
        return "a disc there would turn none" if state.free >> cell & 1 else "there is a wall"


def _is_beside(one: int, other: int) -> bool:
    side = board.SIDE
    return abs(one // side - other // side) <= 1 and abs(one % side - other % side) <= 1
