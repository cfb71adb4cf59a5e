"""Painting characters."""

from __future__ import annotations

from parlour.terminal.drawing.canvas import Canvas, Frame
from parlour.terminal.drawing.geometry import Box
from parlour.terminal.drawing.lines import Ground, Ink


def text(canvas: Canvas) -> list[str]:
    return [str(line) for line in canvas.lines(None)]


def test_text_outside_is_cut_off() -> None:
    """Painting beyond an edge is not an error."""
    canvas = Canvas(4, 2)
    canvas.put(-1, 0, "abc", Ink.TEXT)
    canvas.put(3, 1, "xyz", Ink.TEXT)
    canvas.put(0, 2, "below", Ink.TEXT)
    canvas.drop(2, 0, "123", Ink.TEXT)

    assert text(canvas) == ["bc1 ", "  2x"]


def test_a_frame_clears_its_inside() -> None:
    """The box is drawn over what was there."""
    canvas = Canvas(4, 3)
    canvas.fill(Box(0, 0, 4, 3), "#", Ink.TEXT)
    canvas.frame(Box(0, 0, 4, 3), Frame("/", "-", "\\", "|", "\\", "/"), Ink.DARK)

    assert text(canvas) == ["/--\\", "|  |", "\\--/"]


def test_spans_carry_ground_place_and_focus() -> None:
    """Painting changes the ink only; ground and place stay, and the focused place is marked."""
    canvas = Canvas(3, 1)
    canvas.lay(Box(0, 0, 3, 1), Ground.FELT)
    canvas.claim(Box(1, 0, 2, 1), 7)
    canvas.put(1, 0, "ab", Ink.LIGHT)
    [line] = canvas.lines(7)

    assert [(span.text, span.ink, span.ground, span.place, span.focus) for span in line.spans] == [
        (" ", Ink.TEXT, Ground.FELT, None, False),
        ("ab", Ink.LIGHT, Ground.FELT, 7, True),
    ]
