"""A list to choose from, in which a pointer marks the selected line: colours alone would not be enough."""

from __future__ import annotations

from rich.segment import Segment
from textual._widget_navigation import Direction
from textual.strip import Strip
from textual.widgets import OptionList

INDENT = "  "  # every line that can be chosen begins with this; the pointer takes the place of its first blank
POINTER = ">"


class ChoiceList(OptionList):
    """Shows the pointer while it has the focus."""

    def render_line(self, y: int) -> Strip:
        strip = super().render_line(y)
        row = self.scroll_offset.y + y
        if not self.has_focus or row >= len(self._lines) or self._lines[row] != (self.highlighted, 0):
            return strip
        first = next(iter(strip), None)
        return strip if first is None else Strip.join([Strip([Segment(POINTER, first.style)], 1), strip.crop(1)])

    def _move_page(self, direction: Direction) -> None:
        if self.scrollable_content_region:  # otherwise Textual's own fails
            super()._move_page(direction)
