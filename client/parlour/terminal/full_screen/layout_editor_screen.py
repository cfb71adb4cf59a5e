"""Editing a custom board, with the keyboard or the mouse. The server checks each change."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal

from parlour.protocol.errors import Refusal
from parlour.protocol.scene import BoardSpec, Scene
from parlour.protocol.types import LayoutPiece, OptionSpec, Terms
from parlour.terminal.drawing import Ink, Line, draw
from parlour.terminal.full_screen.board_cursor import BoardCursor
from parlour.terminal.full_screen.page import Page
from parlour.terminal.full_screen.paint import Lines, plain
from parlour.terminal.ui.layout_editor import LayoutEditor, Symmetry

_ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}
_SYMMETRIES: tuple[Symmetry, ...] = ("none", "turn", "mirror")


NARROW = 80  # columns, below which there is little room beside the board


class LayoutEditorScreen(Page):
    """Edits the value of one option, starting from `terms`, and passes the text of a valid layout to `on_done`."""

    title_text = "Custom board"
    keys = "Arrows move  Space place  Tab next tool  Enter done  Esc back"
    CSS = """
    #editor { height: 1fr; }
    #board { width: auto; height: 1fr; }
    #tools { width: 1fr; height: 1fr; border-left: solid $secondary; padding: 0 0 0 1; }
    """

    def __init__(self, terms: Terms, option: OptionSpec, on_done: Callable[[str], None]) -> None:
        super().__init__()
        assert option.layout is not None, "only layout options have an editor"
        self.terms = terms
        self.option = option
        self.on_done = on_done
        self.editor = LayoutEditor(option.layout)
        self.tools: tuple[LayoutPiece | None, ...] = (*option.layout.pieces, None)  # None: the eraser
        self.tool = self.tools[0]
        self.cursor: BoardCursor | None = None  # None until the server has sent the board
        self.error = ""
        self._hint = ""  # why the last key did nothing
        self._board: BoardSpec | None = None
        self._start: Scene | None = None

    def body(self) -> ComposeResult:
        with Horizontal(id="editor"):
            yield Lines(id="board")
            yield Lines(id="tools")

    def on_mount(self) -> None:
        self.attempt(self._load)

    async def _load(self) -> None:
        preview = await self.client.preview(self.terms)
        self._board, self._start = preview.board, preview.scene
        self.editor.load(preview.scene)
        self.cursor = BoardCursor(preview.board)
        self.cursor.place = self.cursor.cell(())
        self._redraw()

    async def _check(self) -> None:
        """Ask the server whether the layout is valid."""
        try:
            await self.client.preview(Terms(self.terms.game, {self.option.key: self.editor.text}))
            self.error = ""
        except Refusal as refusal:
            self.error = refusal.sentence
        except ConnectionError as error:
            self.error = str(error)
        self._redraw()

    def _changed(self) -> None:
        self.attempt(self._check, group="check")

    # -- drawing

    def on_resize(self) -> None:
        self._redraw()

    def _redraw(self) -> None:
        board, start, cursor = self._board, self._start, self.cursor
        if board is None or start is None or cursor is None:
            return
        scene = Scene(self.editor.pieces, start.tallies, start.to_move)
        self.query_one("#board", Lines).show(draw(board, scene, style=self.style_, focus=cursor.place))
        self.query_one("#tools", Lines).show(self._tool_lines())
        self.say(self._hint or self.error or "This board is valid. Press Enter to use it.")

    def _tool_lines(self) -> list[Line]:
        is_narrow, symmetry = self.size.width < NARROW, self.editor.symmetry
        lines = [plain("Pieces left" if is_narrow else "Tools", Ink.FAINT)]
        for key, tool in zip(self._tool_keys(), self.tools, strict=True):
            left = "" if tool is None else f"  {self.editor.remaining(tool)}{'' if is_narrow else ' left'}"
            text = "eraser" if tool is None else f"{tool.name}{left}"
            pointer = ">" if tool is self.tool else " "
            lines.append(plain(f"{pointer} {key}  {text}", Ink.PICK if tool is self.tool else Ink.TEXT))
        return [
            *lines,
            *([plain("m  symmetry:"), plain(f"   {symmetry}")] if is_narrow else [plain(f"m  symmetry: {symmetry}")]),
            plain("u  undo"),
            plain("x  clear"),
            plain("z  random"),
            *([] if is_narrow else [Line()]),
            plain("As text", Ink.FAINT),
            *[plain(f"  {row}") for row in self.editor.text.split("/")],
        ]

    def _tool_keys(self) -> list[str]:
        """The keys of the tools: digits for the pieces, e for the eraser. Tab reaches the pieces after the ninth."""
        pieces = len(self.tools) - 1
        return [*(str(number) if number < 10 else " " for number in range(1, pieces + 1)), "e"]

    # -- keys and mouse

    def on_key(self, event: events.Key) -> None:
        editor, cursor, key = self.editor, self.cursor, event.key
        if key == "escape":
            event.stop()
            self.dismiss()
            return
        if cursor is None:
            return
        self._hint = ""
        if key in self._tool_keys():
            self.tool = self.tools[self._tool_keys().index(key)]
        elif key in ("tab", "shift+tab"):
            step = 1 if key == "tab" else -1
            self.tool = self.tools[(self.tools.index(self.tool) + step) % len(self.tools)]
        elif key in _ARROWS:
            cursor.move(*_ARROWS[key], ())
        elif key == "space":
            self._apply(cursor.place)
        elif key == "m":
            editor.symmetry = _SYMMETRIES[(_SYMMETRIES.index(editor.symmetry) + 1) % len(_SYMMETRIES)]
        elif key == "u" and editor.undo():
            self._changed()
        elif key == "x":
            editor.clear()
            self._changed()
        elif key == "z":
            editor.fill_at_random(Random())
            self._changed()
        elif key == "enter":
            self.attempt(self._finish)
        else:
            return
        event.stop()
        event.prevent_default()
        self._redraw()

    def _apply(self, place: int | None) -> None:
        if place is None:
            return
        if self.editor.apply(self.tool, place):
            self._hint = ""
            self._changed()
        else:
            self._hint = self.editor.refusal(self.tool, place)

    def on_lines_pressed(self, event: Lines.Pressed) -> None:
        if self.cursor is not None:
            self.cursor.place = event.place
            self._apply(event.place)
            self._redraw()

    async def _finish(self) -> None:
        await self._check()
        if not self.error:
            self.on_done(self.editor.text)
            self.dismiss()
