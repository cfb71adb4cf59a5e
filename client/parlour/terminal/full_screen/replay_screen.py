"""Replaying a game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual import events
from textual.app import ComposeResult
from textual.containers import Container

from parlour.protocol.pace import format_duration
from parlour.protocol.types import SeatedPlayer
from parlour.terminal.drawing import Line, Span, draw, seat_lines
from parlour.terminal.full_screen.board_cursor import top_seat
from parlour.terminal.full_screen.help_screen import HelpScreen
from parlour.terminal.full_screen.page import Page
from parlour.terminal.full_screen.paint import Lines
from parlour.terminal.full_screen.review_lines import review_lines
from parlour.terminal.full_screen.sidebar import banner, heading, moves_lines, player_line
from parlour.terminal.full_screen.table_layout import table_layout
from parlour.terminal.text.plural import plural
from parlour.terminal.text.result import result_line
from parlour.terminal.text.table import assessment_line, review_words
from parlour.terminal.text.terms import terms_line
from parlour.terminal.ui.replay import Replay

AUTOPLAY_INTERVAL = 1.0  # seconds per move
STEPS = {"left": -1, "backspace": -1, "right": 1, "up": -10, "pageup": -10, "down": 10, "pagedown": 10}
REVIEWING = "The computer looks at every move. Go on stepping meanwhile."


class ReplayScreen(Page):
    """Stepping, jumping, playing automatically, assessing, reviewing and saving."""

    keys = (
        "Left/Right step  R review  A assess  Space play  S save  F rotate  Home/End  7 Enter go to 7  ? keys  q back"
    )
    CSS = """
    #table { height: 1fr; layout: horizontal; }
    #table.stacked { layout: vertical; }
    #above { display: none; width: 1fr; height: auto; padding: 0 1; }
    #table.stacked #above { display: block; }
    #board { width: auto; height: auto; }
    #sidebar { width: 1fr; height: 1fr; border-left: solid $secondary; padding: 0 0 0 1; }
    #table.stacked #sidebar { border-left: none; padding: 0 1; }
    """

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        self.replay = replay
        self.flipped = False
        self.autoplay = False
        self._typed = ""
        self._is_reviewing = False
        self._remark = ""  # the outcome of the last key, until the next key
        self._handlers: dict[str, Callable[[], None]] = {
            "home": self._go_to_start,
            "end": self._go_to_end,
            "space": self._toggle_autoplay,
            "f": self._flip,
            "a": self._start_assessment,
            "r": self._start_review,
            "s": self._start_saving,
            "question_mark": self._show_keys,
            "q": self._close,
            "escape": self._close,
        }

    def body(self) -> ComposeResult:
        with Container(id="table"):
            yield Lines(id="above")
            yield Lines(id="board")
            yield Lines(id="sidebar")

    def on_mount(self) -> None:
        record = self.replay.record
        card = next((card for card in self.client.games if card.key == record.terms.game), None)
        self.card = card
        self.title_text = f"{terms_line(record.terms, card)}  replay"
        self.set_interval(AUTOPLAY_INTERVAL, self._tick)
        self.redraw()

    def on_resize(self) -> None:
        self.redraw()

    def _tick(self) -> None:
        if self.autoplay:
            self.replay.step(1)
            self.autoplay = self.replay.ply < self.replay.length
            self.redraw()

    def redraw(self) -> None:
        if not self.is_open:
            return
        replay, board = self.replay, self.replay.board
        blocks = {seat: self._block(seat, 40) for seat in (0, 1)}
        layout = table_layout(board, self.size.width, self.size.height, sum(map(len, blocks.values())))
        self.query_one("#table").set_class(layout.is_stacked, "stacked")
        scale = 0 if layout.scale is None else layout.scale
        lines = draw(board, replay.scene, style=self.style_, flipped=self.flipped, scale=scale)
        self.query_one("#board", Lines).show(lines)
        width = layout.sidebar_width
        top = top_seat(board, None, self.flipped)
        above, below = self._block(top, width), self._block(1 - top, width)
        self.query_one("#above", Lines).show(above)
        result = replay.record.result
        names = [player.name for player in replay.record.players]
        over = [] if result is None else banner(result_line(result, names, self.card), width, self.style_)
        room = max(1, layout.sidebar_height - len(above) - len(below) - len(over) - 1)
        if replay.assessments:
            middle = [heading(self._review_title(), width, self.style_)]
            middle += review_lines(replay, style=self.style_, width=width, height=room)
        else:
            moves = [move.move for move in replay.record.moves]
            middle = [heading("moves", width, self.style_)]
            middle += moves_lines(moves, style=self.style_, width=width, height=room, at=replay.ply)
        shown = [*below, *middle, *over] if layout.is_stacked else [*above, *middle, *over, *below]
        self.query_one("#sidebar", Lines).show(shown)
        self.say(self._sentence())

    def _block(self, seat: int, width: int) -> list[Line]:
        """A player with tally and pieces in hand."""
        replay, board = self.replay, self.replay.board
        seated = SeatedPlayer(replay.record.players[seat], online=True)
        to_move = replay.scene.to_move == seat
        line = player_line(board, seated, seat, style=self.style_, width=width, to_move=to_move, you=False)
        indent = Span("      ")
        held = seat_lines(board, replay.scene, seat, style=self.style_, width=width - 6)
        return [line, *(Line((indent, *each.spans)) for each in held)]

    def _review_title(self) -> str:
        done = sum(ply < self.replay.length for ply in self.replay.assessments)
        return f"reviewed {done} of {self.replay.length}" if self._is_reviewing else "moves, chance before, best"

    def _sentence(self) -> str:
        replay = self.replay
        if self._typed:
            return f"Go to move {self._typed}: press Enter"
        if self._remark:
            return self._remark
        if not replay.length:
            return "No move has been played."
        if replay.ply == 0:
            return f"Before the first of {plural(replay.length, 'move')}."
        took = f" in {format_duration(replay.duration // 100 * 100)}" if replay.duration else ""
        note = f" {replay.scene.note}" if replay.scene.note else ""
        found, review = replay.assessments.get(replay.ply - 1), ""
        if found is not None:
            names = [seat.name for seat in replay.board.seats]
            words = review_words(names, replay.move, found, replay.mark(replay.ply))
            review = f" {words[0].upper()}{words[1:]}."
        return f"Move {replay.ply} of {replay.length}: {replay.move}{took}.{review}{note}"

    def on_key(self, event: events.Key) -> None:
        key = event.key
        self.autoplay = self.autoplay and key == "space"
        self._remark = ""
        if key.isdigit():
            self._typed += key
        elif key == "enter" and self._typed:
            self.replay.go(int(self._typed[:6]))
            self._typed = ""
        elif key in STEPS:
            self.replay.step(STEPS[key])
        elif key.lower() in self._handlers:
            self._handlers[key.lower()]()
        else:
            return
        event.stop()
        self.redraw()

    def _go_to_start(self) -> None:
        self.replay.go(0)

    def _go_to_end(self) -> None:
        self.replay.go(self.replay.length)

    def _toggle_autoplay(self) -> None:
        if self.replay.ply == self.replay.length:
            self.replay.go(0)
        self.autoplay = not self.autoplay

    def _flip(self) -> None:
        self.flipped = not self.flipped

    def _start_assessment(self) -> None:
        self.remark("The computer is thinking.")
        self.attempt(self._assess)

    def _start_review(self) -> None:
        if not self._is_reviewing:
            self._is_reviewing = True
            self.remark(REVIEWING)
            self.attempt(self._review)

    def _start_saving(self) -> None:
        self.attempt(self._save)

    def _show_keys(self) -> None:
        self.app.push_screen(HelpScreen())

    def _close(self) -> None:
        self._typed = ""
        self.dismiss()

    async def _assess(self) -> None:
        at = self.replay.ply
        found = await self.replay.assess(self.client, at)
        if self.replay.ply == at:
            self.remark(assessment_line(tuple(seat.name for seat in self.replay.board.seats), found))

    async def _review(self) -> None:
        """Assess every position in which a move was played, and show each assessment as it comes."""
        try:
            for ply in range(self.replay.length):
                if ply not in self.replay.assessments:
                    await self.replay.assess(self.client, ply)
                    self.redraw()
        finally:
            self._is_reviewing = False
            if self._remark == REVIEWING:
                self._remark = ""
        self.redraw()

    def remark(self, sentence: str) -> None:
        """Show a sentence until the next key, however often the screen is drawn."""
        self._remark = sentence
        self.redraw()

    def refused(self, sentence: str) -> None:
        self.remark(sentence)

    async def _save(self) -> None:
        record = self.replay.record
        if not record.text:
            self.remark("You can save a game once it is over.")
            return
        path = Path.cwd() / f"{record.terms.game}-{record.room}.txt"
        try:
            path.write_text(record.text, encoding="utf-8")
        except OSError as error:
            self.remark(f"Cannot write {path.name} in {path.parent}: {error.strerror}.")
        else:
            self.remark(f"Saved as {path.name} in {path.parent}.")
