"""What a turn of Mitsudomoe does, as facts and in words."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.games.api import Fact, Move, Seat
from parlour.games.mitsudomoe.board import BETWEEN, GOALS, GRID, HOMES, NEIGHBOURS, cells
from parlour.games.mitsudomoe.position import FIRST_SLOT, NO_RINGS, State
from parlour.games.mitsudomoe.rules import Rules
from parlour.games.voice import Voice


class Words(Rules):
    def facts(self, before: State, move: Move, after: State) -> dict[str, Fact]:
        """Return what the ring step, the ball step and the relocations do."""
        seat = before.turn
        assert seat is not None
        source, target = move[:2]
        found: dict[str, Fact] = {
            "ring": "supply" if source >= FIRST_SLOT else "moved",
            "ring_to": GRID.names[target],
            "covers": before.stacks[target] != NO_RINGS,
            "ball": "none",
            "over_own": 0,
            "over_enemy": 0,
            "sent": "",
            "arrives": False,
            "arrived": (after.balls[seat] & GOALS[seat]).bit_count(),
            "progress": _progress(seat, before.balls[seat], after.balls[seat]),
            "pushed": _progress(seat, before.balls[1 - seat], after.balls[1 - seat]),
            "full_home": not HOMES[seat] & ~(after.balls[0] | after.balls[1]),
        }
        if len(move) == 2:
            return found
        ball, landing = move[2:4]
        jumped = BETWEEN[ball][landing]
        found["ball"] = "step" if NEIGHBOURS[ball] >> landing & 1 else "vault"
        found["over_own"] = (jumped & before.balls[seat]).bit_count()
        found["over_enemy"] = (jumped & before.balls[1 - seat]).bit_count()
        found["sent"] = ", ".join(_sent(move))
        found["arrives"] = bool(GOALS[seat] >> landing & 1)
        return found

    def describe(self, before: State, move: Move, after: State, voice: Voice) -> str:
        known = self.facts(before, move, after)
        source, target = move[:2]
        if source >= FIRST_SLOT:
            ring = f"{voice.subject} {voice.verb('adds', 'add')} a ring on {GRID.names[target]}"
        else:
            moves = voice.verb("moves", "move")
            ring = f"{voice.subject} {moves} a ring from {GRID.names[source]} to {GRID.names[target]}"
        if len(move) == 2:
            return f"{ring} and {voice.verb('has', 'have')} no ball to move."
        goes = voice.verb("vaults", "vault") if known["ball"] == "vault" else voice.verb("steps", "step")
        ball = f"{goes} from {GRID.names[move[2]]} to {GRID.names[move[3]]}"
        sent = _sent(move)
        if sent:
            ball += f", sending {voice.other}’s {'ball' if len(sent) == 1 else 'balls'} to {_listed(sent)}"
        arrived = f" {voice.possessive} ball has arrived." if known["arrives"] else ""
        return f"{ring} and {ball}.{arrived}"

    def why_not(self, state: State, picks: Sequence[int]) -> str:
        seat, cell = state.turn, picks[-1]
        if seat is None:
            return ""
        if cell >= FIRST_SLOT:
            return "choose a cell of the board" if len(picks) > 1 else "there is no ring to take"
        balls = state.balls[0] | state.balls[1]
        match len(picks):
            case 1:
                if balls >> cell & 1:
                    return "a ball lies on this ring"
                if state.tops[1 - seat] >> cell & 1:
                    return "the top ring is not yours"
                return "no ball could move after it" if state.tops[seat] >> cell & 1 else "there is no ring"
            case 2:
                return "a ball lies there" if balls >> cell & 1 else "no ball could move after it"
            case 3:
                if not state.balls[seat] >> cell & 1:
                    return "choose one of your balls"
                return "it has arrived" if GOALS[seat] >> cell & 1 else "this ball has nowhere to go"
            case 4:
                if balls >> cell & 1:
                    return "a ball lies there"
                return "a ball steps to a ring of its own colour beside it, or vaults over balls in a line"
        return "the ball needs a free ring of its own colour"


def _sent(move: Move) -> list[str]:
    return sorted(GRID.names[cell] for cell in move[4:])


def _listed(names: list[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _progress(seat: Seat, before: int, after: int) -> int:
    """Return how many rows and columns balls have come nearer to the goal of a seat."""
    way = sum(sum(divmod(cell, GRID.columns)) for cell in cells(after))
    way -= sum(sum(divmod(cell, GRID.columns)) for cell in cells(before))
    return -way if seat else way
