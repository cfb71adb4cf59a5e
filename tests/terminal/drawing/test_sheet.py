"""What all painters of a drawing share."""

from __future__ import annotations

from parlour.protocol.scene import BoardSpec, Glyph, Scene
from parlour.terminal.drawing.lines import Ink
from parlour.terminal.drawing.sheet import Sheet
from parlour.terminal.drawing.style import Style
from tests.terminal.drawing.conftest import SEATS

DISC, KING, WALL = Glyph("Disc", "disc", 0), Glyph("King", "disc", 1, "K", "K"), Glyph("Wall", "block")
SPEC = BoardSpec("any", 3, 3, "felt", SEATS, (DISC, KING, WALL), "{0}")


def sheet(*, flipped: bool = False) -> Sheet:
    return Sheet(SPEC, Scene((), ((0,), (0,)), 0), Style(True), (), flipped)


def test_a_token_is_in_its_cell() -> None:
    """Its place follows the cell, also on a rotated board."""
    for flipped in (False, True):
        drawn = sheet(flipped=flipped)
        for cell in range(9):
            box, (x, y) = drawn.layout.box(cell), drawn.token_at(cell)
            assert box.x <= x < box.x + box.width
            assert box.y <= y < box.y + box.height
    assert sheet().token_at(0) == sheet(flipped=True).token_at(8)


def test_characters_around_a_token() -> None:
    """`enclose` leaves the middle alone."""
    drawn = sheet()
    x, y = drawn.token_at(4)
    drawn.canvas.put(x + 1, y, "K", Ink.TEXT)
    drawn.enclose(x, y, "[]", Ink.PICK)

    assert str(drawn.canvas.lines(None)[y])[x : x + 3] == "[K]"


def test_a_piece_without_a_seat_needs_no_brackets() -> None:
    """It belongs to no player."""
    assert sheet().tells_seat(WALL)
