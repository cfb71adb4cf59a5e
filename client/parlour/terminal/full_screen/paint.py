"""The widget that shows drawn lines, and their colours in Textual."""

from __future__ import annotations

from functools import lru_cache

from rich.color import Color
from rich.segment import Segment
from rich.style import Style as RichStyle
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from parlour.terminal.drawing import Colours, Ground, Ink, Line, Span, Style

_BOLD = (Ink.PICK, Ink.DARK, Ink.LIGHT)


@lru_cache(maxsize=2048)
def style_of(ink: Ink, ground: Ground, focus: bool, style: Style) -> RichStyle:
    """Return the style of a span. With sixteen colours the background is left alone, and without any all but bold."""
    shown = Ink.TEXT if focus else ink  # the whole place looks the same
    if style.colours is Colours.NONE:
        return RichStyle(reverse=focus, bold=ink in _BOLD)
    if style.colours is Colours.SIXTEEN:
        code = shown.value[1]
        colour = None if code is None else Color.from_ansi(code - 30 if code < 90 else code - 82)
        return RichStyle(color=colour, reverse=focus, bold=ink in _BOLD)
    return RichStyle(
        color=f"#{shown.colour(style.theme):06x}",
        bgcolor=f"#{ground.colour(style.theme):06x}",
        reverse=focus,
        bold=ink in _BOLD,
    )


def strip_of(line: Line, width: int, style: Style) -> Strip:
    """Return a line, cut or padded to a width."""
    segments = [Segment(span.text, style_of(span.ink, span.ground, span.focus, style)) for span in line.spans]
    return Strip(segments).adjust_cell_length(width, style_of(Ink.TEXT, Ground.PAGE, False, style))


class Lines(Widget):
    """Shows lines of a drawing. Posts `Pressed` for a mouse click on a place."""

    DEFAULT_CSS = "Lines { height: auto; width: auto; }"

    class Pressed(Message):
        """A place was clicked."""

        def __init__(self, place: int) -> None:
            self.place = place
            super().__init__()

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.lines: list[Line] = []

    def show(self, lines: list[Line]) -> None:
        """Show other lines. Only lines that differ are redrawn."""
        before, self.lines = self.lines, lines
        if len(before) != len(lines) or _width(before) != _width(lines):
            self.refresh(layout=True)
            return
        for y, (old, new) in enumerate(zip(before, lines, strict=True)):
            if old != new:
                self.refresh(Region(0, y, self.size.width, 1))

    @property
    def text(self) -> str:
        """The shown text, without colours."""
        return "\n".join(str(line).rstrip() for line in self.lines)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return _width(self.lines)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.lines)

    def render_line(self, y: int) -> Strip:
        line = self.lines[y] if y < len(self.lines) else Line()
        from parlour.terminal.full_screen.app import ParlourApp  # noqa: PLC0415  # which imports this module

        style = self.app.drawing if isinstance(self.app, ParlourApp) else Style(colours=Colours.TRUE)
        return strip_of(line, self.size.width, style)

    def on_click(self, event: events.Click) -> None:
        if event.y < len(self.lines):
            place = self.lines[event.y].place_at(event.x)
            if place is not None:
                self.post_message(self.Pressed(place))


def _width(lines: list[Line]) -> int:
    return max((line.width for line in lines), default=0)


def plain(text: str, ink: Ink = Ink.TEXT) -> Line:
    """Return a line of one colour."""
    return Line((Span(text, ink),))
