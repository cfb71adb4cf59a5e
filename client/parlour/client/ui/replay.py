"""Stepping through the record of a game."""

from __future__ import annotations

from parlour.client.client import Client
from parlour.client.local_engine import LocalEngine
from parlour.protocol.messages import Assess, Assessment, Record
from parlour.protocol.scene import BoardSpec, Scene, SeatSpec, patch

NO_BOARDS = "There are no boards: the server does not have the version of the rules by which this game was played."


class Replay:
    """All positions of a record, and the current one, after `ply` moves. Without its boards, they are empty."""

    def __init__(self, record: Record, engine: LocalEngine | None = None) -> None:
        """`engine` assesses the positions of a record from a file; None: the server of the game does."""
        self.record = record
        self._engine = engine
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
        if self._engine is not None:
            return await self._engine.assess(self.record, ply, self.scenes[ply].to_move)
        return await client.connection.ask(Assess(id=0, room=self.record.room, ply=ply), Assessment)


def _empty_board(game: str) -> BoardSpec:
    return BoardSpec(game, 0, 0, "", (SeatSpec("First", "dark"), SeatSpec("Second", "light")), (), "")
