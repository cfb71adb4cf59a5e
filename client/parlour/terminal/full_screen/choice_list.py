"""A list to choose from, in which a pointer marks the selected line: colours alone would not be enough."""

from __future__ import annotations

from rich.segment import Segment
from textual._widget_navigation import Direction
from textual.content import Content
from textual.geometry import Spacing
from textual.strip import Strip
from textual.visual import Padding
from textual.widgets import OptionList
from textual.widgets.option_list import Option

INDENT = 2  # columns; the pointer takes the place of the first one
POINTER = ">"


def choice(words: str, key: str | None = None) -> Option:
    """Return a line that can be chosen, if it has a key. It is indented as a whole, even where it is wrapped."""
    return Option(indented(words), id=key, disabled=key is None)


def indented(words: str) -> Padding:
    return Padding(Content(words), Spacing(left=INDENT))


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
