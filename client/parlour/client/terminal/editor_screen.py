"""A board of one's own, drawn by keys or with the mouse. The server says whether it can be played on."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal

from parlour.client.drawing import Ink, Line, draw
from parlour.client.terminal.cursor import Cursor
from parlour.client.terminal.page import Page
from parlour.client.terminal.paint import Lines, plain
from parlour.client.visit.layout import ERASER, TOOLS, WALL, Layout, Symmetry, Tool
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import Previewed
from parlour.protocol.tables import Terms

_ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}
_SYMMETRIES: tuple[Symmetry, ...] = ("none", "turn", "mirror")


class EditorScreen(Page):
    """Gives the text of the board to `then`, if it is a good one."""

    title_words = "Draw a board"
    keys = "Arrows move  Space put  w b j e tool  m symmetry  u undo  x clear  z random  Enter done  Esc back"
    CSS = """
    #editor { height: 1fr; }
    #board { width: auto; height: 1fr; }
    #tools { width: 1fr; height: 1fr; border-left: solid #5a5346; padding: 0 0 0 1; }
    """

    def __init__(self, terms: Terms, key: str, then: Callable[[str], None]) -> None:
        super().__init__()
        self.terms = terms
        self.key = key
        self.then = then
        self.tool: Tool = WALL
        self.layout_: Layout | None = None
        self.cursor: Cursor | None = None
        self.fault = ""
        self._shown: Previewed | None = None

    def body(self) -> ComposeResult:
        with Horizontal(id="editor"):
            yield Lines(id="board")
            yield Lines(id="tools")

    def on_mount(self) -> None:
        self.attempt(self._begin)

    async def _begin(self) -> None:
        shown = await self.visit.parlour.preview(self.terms)
        self._shown = shown
        self.layout_ = Layout(shown.board, shown.scene)
        self.cursor = Cursor(shown.board)
        self.cursor.place = shown.board.columns * 3 + 3
        self._redraw()

    async def _check(self) -> None:
        """Ask the server for a picture of it, or what is wrong."""
        layout = self.layout_
        if layout is None:
            return
        try:
            self._shown = await self.visit.parlour.preview(Terms(self.terms.game, {self.key: layout.text}))
            self.fault = ""
        except Refusal as refusal:
            self.fault = refusal.sentence
        except ConnectionError as fault:
            self.fault = str(fault)
        self._redraw()

    def _changed(self) -> None:
        self.attempt(self._check, group="check")

    def _redraw(self) -> None:
        shown, layout, cursor = self._shown, self.layout_, self.cursor
        if shown is None or layout is None or cursor is None:
            return
        self.query_one("#board", Lines).show(draw(shown.board, shown.scene, style=self.style_, focus=cursor.place))
        lines = [plain("Tools", Ink.FAINT)]
        for tool in TOOLS:
            left = "" if tool is ERASER else f"  {layout.left(tool)} left"
            pointer = ">" if tool is self.tool else " "
            lines.append(plain(f"{pointer} {tool.key}  {tool.name}{left}", Ink.PICK if tool is self.tool else Ink.TEXT))
        lines += [
            Line(),
            plain(f"m  symmetry: {layout.symmetry}"),
            plain("u  undo"),
            plain("x  clear"),
            plain("z  random"),
            Line(),
            plain("As text", Ink.FAINT),
            *[plain(f"  {row}") for row in layout.text.split("/")],
        ]
        self.query_one("#tools", Lines).show(lines)
        self.say(self.fault or "This board can be played. Enter takes it.")

    def on_key(self, event: events.Key) -> None:
        layout, cursor = self.layout_, self.cursor
        if event.key == "escape":
            event.stop()
            self.dismiss()
            return
        if layout is None or cursor is None:
            return
        tool = next((tool for tool in TOOLS if tool.key == event.key), None)
        if tool is not None:
            self.tool = tool
        elif event.key in _ARROWS:
            cursor.move(*_ARROWS[event.key], ())
        elif event.key == "space":
            self._put(cursor.place)
        elif event.key == "m":
            layout.symmetry = _SYMMETRIES[(_SYMMETRIES.index(layout.symmetry) + 1) % len(_SYMMETRIES)]
        elif event.key == "u" and layout.undo():
            self._changed()
        elif event.key == "x":
            layout.clear()
            self._changed()
        elif event.key == "z":
            layout.scatter(Random())
            self._changed()
        elif event.key == "enter":
            self.attempt(self._done)
        else:
            return
        event.stop()
        self._redraw()

    def _put(self, place: int | None) -> None:
        if self.layout_ is not None and place is not None and self.layout_.put(self.tool, place):
            self._changed()

    def on_lines_pressed(self, event: Lines.Pressed) -> None:
        if self.cursor is not None:
            self.cursor.place = event.place
            self._put(event.place)
            self._redraw()

    async def _done(self) -> None:
        assert self.layout_ is not None
        await self._check()
        if not self.fault:
            self.then(self.layout_.text)
            self.dismiss()
