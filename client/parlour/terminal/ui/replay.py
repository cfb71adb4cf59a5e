"""Stepping through the record of a game."""

from __future__ import annotations

from parlour.client.client import Client
from parlour.client.local_engine import LocalEngine
from parlour.protocol.messages import Assess, Assessment, Record
from parlour.protocol.scene import BoardSpec, Scene, SeatSpec, patch

# Thousandths of the winning chance that a move must lose to be marked.
MISTAKE, BLUNDER = 150, 300

NO_BOARDS = "There are no boards: the server does not have the version of the rules by which this game was played."


class Replay:
    """All positions of a record, and the current one, after `ply` moves. Without its boards, they are empty."""

    def __init__(self, record: Record, engine: LocalEngine | None = None) -> None:
        """`engine` assesses the positions of a record from a file; None: the server of the game does."""
        self.record = record
        self._engine = engine
        self.assessments: dict[int, Assessment] = {}  # those received so far, by ply
        self.board = record.board or _empty_board(record.terms.game)
        self.scenes: list[Scene] = [record.initial_scene or Scene((), ((), ()), None, (), NO_BOARDS)]
        for move in record.moves:
            before = self.scenes[-1]
            self.scenes.append(before if move.change is None else patch(before, move.change))
        self.ply = len(record.moves)

    @property
    def scene(self) -> Scene:
        return self.scenes[self.ply]

    @property
    def length(self) -> int:
        return len(self.record.moves)

    @property
    def move(self) -> str:
        """The last move before the current position; empty at the start."""
        return self.record.moves[self.ply - 1].move if self.ply else ""

    @property
    def duration(self) -> int:
        """How long that move took, in milliseconds."""
        return self.record.moves[self.ply - 1].duration if self.ply else 0

    def go(self, ply: int) -> None:
        """Go to the position after `ply` moves, or to the nearest one there is."""
        self.ply = max(0, min(self.length, ply))

    def step(self, moves: int) -> None:
        self.go(self.ply + moves)

    async def assess(self, client: Client, ply: int) -> Assessment:
        """Return the computer's assessment of the position after `ply` moves. Raise Refusal if there is none."""
        if ply not in self.assessments:
            if self._engine is not None:
                found = await self._engine.assess(self.record, ply, self.scenes[ply].to_move)
            else:
                found = await client.connection.ask(Assess(id=0, room=self.record.room, ply=ply), Assessment)
            self.assessments[ply] = found
        return self.assessments[ply]

    def mark(self, number: int) -> str:
        """Return `??` for a blunder and `?` for a mistake; empty for other moves. The first move has number 1."""
        before, after = self.assessments.get(number - 1), self._first_seat_chance(number)
        if before is None or after is None:
            return ""
        lost = before.chance - (after if before.seat == 0 else 1000 - after)
        return "??" if lost >= BLUNDER else "?" if lost >= MISTAKE else ""

    def _first_seat_chance(self, ply: int) -> int | None:
        """The first seat's chance of winning, in thousandths; where the game ended on the board, the result."""
        found, result = self.assessments.get(ply), self.record.result
        if found is not None:
            return found.chance if found.seat == 0 else 1000 - found.chance
        if result is None or self.scenes[ply].to_move is not None:
            return None  # a resignation says nothing about the last move
        return 500 if result.winner is None else 1000 - 1000 * result.winner


def _empty_board(game: str) -> BoardSpec:
    return BoardSpec(game, 0, 0, "", (SeatSpec("First", "dark"), SeatSpec("Second", "light")), (), "")
