"""A game from its beginning, to go through move by move."""

from __future__ import annotations

from parlour.protocol.messages import Record
from parlour.protocol.scene import BoardSpec, Scene, patch


class Replay:
    """All positions of a record, and the one that is looked at: `at` moves were made there."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.scenes: list[Scene] = [record.first]
        for move in record.moves:
            before = self.scenes[-1]
            self.scenes.append(before if move.change is None else patch(before, move.change))
        self.at = len(record.moves)

    @property
    def board(self) -> BoardSpec:
        return self.record.board

    @property
    def scene(self) -> Scene:
        return self.scenes[self.at]

    @property
    def length(self) -> int:
        return len(self.record.moves)

    @property
    def move(self) -> str:
        """The move that led here; empty at the beginning."""
        return self.record.moves[self.at - 1].move if self.at else ""

    @property
    def took(self) -> int:
        """Milliseconds that it took."""
        return self.record.moves[self.at - 1].took if self.at else 0

    def go(self, at: int) -> None:
        """Look at the position after so many moves; too many or too few are cut."""
        self.at = max(0, min(self.length, at))

    def step(self, moves: int) -> None:
        self.go(self.at + moves)
