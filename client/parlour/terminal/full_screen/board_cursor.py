"""The keyboard cursor on a board."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.protocol.scene import BoardSpec
from parlour.protocol.types import Pick


class BoardCursor:
    """Points at a place: a cell, or a slot that can be picked. Typed characters add up to the name of a place."""

    def __init__(self, board: BoardSpec) -> None:
        self.board = board
        self.place: int | None = None
        self._typed = ""

    def begin(self, picks: Sequence[Pick]) -> None:
        """Start the next step of a turn. Where every pick is a number on the board, start at the last, the largest."""
        self._typed = ""
        if picks and all(pick.cell is not None for pick in picks):
            self.place = picks[-1].place
        elif self.place is not None and self.place >= self.board.cells:
            self.place = None
        if self.place is None and picks:
            self.place = picks[0].place

    def move(self, right: int, up: int, picks: Sequence[Pick]) -> None:
        """Move by cells, as far as the edge of the board."""
        self._typed = ""
        row, column = divmod(self.cell(picks), self.board.columns)
        row = max(0, min(self.board.rows - 1, row + up))
        column = max(0, min(self.board.columns - 1, column + right))
        self.move_to(row * self.board.columns + column, picks)

    def next_pick(self, step: int, picks: Sequence[Pick]) -> None:
        """Move to the next pick, or to the previous one if `step` is negative."""
        self._typed = ""
        places = [pick.place for pick in picks]
        if not places:
            return
        if self.place in places:
            self.place = places[(places.index(self.place) + step) % len(places)]
        else:
            after = [place for place in places if self.place is None or place > self.place]
            self.place = (after or places)[0] if step > 0 else places[-1]

    def cell(self, picks: Sequence[Pick]) -> int:
        """Return the cell of the cursor, or the middle of the board if it is at a slot beside the board."""
        if self.place is not None and self.place < self.board.cells:
            return self.place
        drawn = next((pick.cell for pick in picks if pick.place == self.place and pick.cell is not None), None)
        return self.board.columns * (self.board.rows // 2) + self.board.columns // 2 if drawn is None else drawn

    def move_to(self, cell: int, picks: Sequence[Pick]) -> None:
        """Move to a cell, or to the pick that is drawn on it."""
        self.place = next((pick.place for pick in picks if cell in (pick.place, pick.cell)), cell)

    def type(self, character: str, picks: Sequence[Pick]) -> bool:
        """Handle a letter or a digit. Return whether it can be part of a place name."""
        character = character.lower()
        columns = "abcdefghijklmnopqrstuvwxyz"[: self.board.columns]
        if len(character) == 1 and character in columns:
            self._typed = character
            return True
        if not (character.isascii() and character.isdigit()):
            return False
        self._typed += character
        if self._typed[0] in columns:
            row = int(self._typed[1:])
            if not 1 <= row <= self.board.rows:
                self._typed = self._typed[0] + character
                row = int(character)
            if 1 <= row <= self.board.rows:
                self.move_to((row - 1) * self.board.columns + columns.index(self._typed[0]), picks)
            return True
        return self._type_number(picks) or self._restart_number(character, picks)

    def _type_number(self, picks: Sequence[Pick]) -> bool:
        for pick in picks:
            if f" {self.board.place_name(pick.place)}".endswith((f" {self._typed}", f" +{self._typed}")):
                self.place = pick.place
                return True
        return False

    def _restart_number(self, character: str, picks: Sequence[Pick]) -> bool:
        self._typed = character
        return self._type_number(picks)


def is_own_side_on_top(board: BoardSpec, seat: int | None) -> bool:
    """Whether the side of a seat is at the top of the board, which is then rotated for that player."""
    if seat is None:
        return False
    own = [cell for region in board.regions if region.kind == "home" and region.seat == seat for cell in region.cells]
    far = [cell for region in board.regions if region.kind == "goal" and region.seat == seat for cell in region.cells]
    middle = (board.cells - 1) / 2
    if own:
        return sum(own) / len(own) > middle
    if far:
        return sum(far) / len(far) < middle
    if seat < len(board.tracks) and board.tracks[seat]:
        return board.tracks[seat][0] > middle
    return False


def top_seat(board: BoardSpec, own: int | None, flipped: bool) -> int:
    """Return the seat whose side is at the top of the drawn board; where there are no sides, the opponent of `own`."""
    tops = [seat for seat in (0, 1) if is_own_side_on_top(board, seat) != flipped]
    if len(tops) == 1:
        return tops[0]
    return 1 if own is None else 1 - own
