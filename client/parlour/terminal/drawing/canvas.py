"""A sheet of characters to paint on."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from parlour.terminal.drawing.geometry import Box
from parlour.terminal.drawing.lines import Ground, Ink, Line, Span


class Frame(NamedTuple):
    """The characters of a box."""

    top_left: str
    across: str
    top_right: str
    side: str
    bottom_left: str
    bottom_right: str


class Canvas:
    """Characters with their ink; what is painted outside is cut off.

    Ground and place belong to the sheet: painting changes neither.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self._chars = [[" "] * width for _ in range(height)]
        self._inks = [[Ink.TEXT] * width for _ in range(height)]
        self._grounds = [[Ground.PAGE] * width for _ in range(height)]
        self._places: list[list[int | None]] = [[None] * width for _ in range(height)]

    def lay(self, box: Box, ground: Ground) -> None:
        """Set the ground of a part of the sheet."""
        for y in range(box.y, box.y + box.height):
            self._grounds[y][box.x : box.x + box.width] = [ground] * box.width

    def claim(self, box: Box, place: int) -> None:
        """Set the place that a part of the sheet belongs to."""
        for y in range(box.y, box.y + box.height):
            self._places[y][box.x : box.x + box.width] = [place] * box.width

    def put(self, x: int, y: int, text: str, ink: Ink) -> None:
        """Write a text to the right."""
        if 0 <= y < self.height:
            for column, char in enumerate(text, x):
                if 0 <= column < self.width:
                    self._chars[y][column] = char
                    self._inks[y][column] = ink

    def drop(self, x: int, y: int, text: str, ink: Ink) -> None:
        """Write a text downwards."""
        for line, char in enumerate(text, y):
            self.put(x, line, char, ink)

    def frame(self, box: Box, frame: Frame, ink: Ink) -> None:
        """Draw a box and clear its inside."""
        within, bottom = box.width - 2, box.y + box.height - 1
        self.put(box.x, box.y, frame.top_left + frame.across * within + frame.top_right, ink)
        for y in range(box.y + 1, bottom):
            self.put(box.x, y, frame.side + " " * within + frame.side, ink)
        self.put(box.x, bottom, frame.bottom_left + frame.across * within + frame.bottom_right, ink)

    def fill(self, box: Box, char: str, ink: Ink) -> None:
        for y in range(box.y, box.y + box.height):
            self.put(box.x, y, char * box.width, ink)

    def lines(self, focus: int | None) -> list[Line]:
        return [self._line(y, focus) for y in range(self.height)]

    def _line(self, y: int, focus: int | None) -> Line:
        spans, x = [], 0
        looks = zip(self._inks[y], self._grounds[y], self._places[y], strict=True)
        for (ink, ground, place), run in groupby(looks):
            end = x + len(list(run))
            here = place is not None and place == focus
            spans.append(Span("".join(self._chars[y][x:end]), ink, ground, place, here))
            x = end
        return Line(tuple(spans))
