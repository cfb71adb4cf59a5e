"""Replaying a game."""

from __future__ import annotations

from pathlib import Path

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal

from parlour.client.drawing import Ink, Line, draw, seat_lines, size_of
from parlour.client.terminal.help_screen import HelpScreen
from parlour.client.terminal.page import Page
from parlour.client.terminal.paint import Lines, plain
from parlour.client.terminal.sidebar import heading, moves_lines, player_line
from parlour.client.text.result import result_line
from parlour.client.text.table import assessment_line
from parlour.client.text.terms import terms_line
from parlour.client.text.times import format_duration
from parlour.client.ui.replay import Replay
from parlour.protocol.messages import Assess, Assessment
from parlour.protocol.types import SeatedPlayer

AUTOPLAY_INTERVAL = 1.0  # seconds per move


class ReplayScreen(Page):
    """Stepping, jumping, playing automatically, assessing and saving."""

    keys = "Left/Right step  Home/End  digits+Enter jump  Space play  A assess  S save  F rotate  q back"
    CSS = """
    #table { height: 1fr; }
    #board { width: auto; height: 1fr; }
    #sidebar { width: 1fr; height: 1fr; border-left: solid #5a5346; padding: 0 0 0 1; }
    """

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        self.replay = replay
        self.flipped = False
        self.autoplay = False
        self._typed = ""

    def body(self) -> ComposeResult:
        with Horizontal(id="table"):
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
        lines = draw(board, replay.scene, style=self.style_, flipped=self.flipped)
        self.query_one("#board", Lines).show(lines)
        width = max(24, self.size.width - size_of(board)[0] - 2)
        shown: list[Line] = []
        for seat in range(len(board.seats)):
            seated = SeatedPlayer(replay.record.players[seat], online=True)
            to_move = replay.scene.to_move == seat
            shown.append(player_line(board, seated, seat, style=self.style_, width=width, to_move=to_move, you=False))
            shown += seat_lines(board, replay.scene, seat, style=self.style_, width=width)
        shown.append(heading("moves", width, self.style_))
        moves = [move.move for move in replay.record.moves]
        room = max(1, self.size.height - 3 - len(shown) - 2)
        shown += moves_lines(moves, style=self.style_, width=width, height=room, at=replay.ply)
        result = replay.record.result
        if result is not None:
            shown.append(plain(result_line(result, [seat.name for seat in board.seats], self.card)[:width], Ink.LAST))
        self.query_one("#sidebar", Lines).show(shown)
        self.say(self._sentence())

    def _sentence(self) -> str:
        replay = self.replay
        if self._typed:
            return f"Go to move {self._typed}: press Enter"
        if replay.ply == 0:
            return f"Before the first of {replay.length} moves."
        took = f" in {format_duration(replay.duration // 100 * 100)}" if replay.duration else ""
        note = f" {replay.scene.note}" if replay.scene.note else ""
        return f"Move {replay.ply} of {replay.length}: {replay.move}{took}.{note}"

    def on_key(self, event: events.Key) -> None:
        key, replay = event.key, self.replay
        self.autoplay = self.autoplay and key == "space"
        if key.isdigit():
            self._typed += key
        elif key == "enter" and self._typed:
            replay.go(int(self._typed[:6]))
            self._typed = ""
        elif key in ("left", "backspace"):
            replay.step(-1)
        elif key == "right":
            replay.step(1)
        elif key in ("up", "pageup"):
            replay.step(-10)
        elif key in ("down", "pagedown"):
            replay.step(10)
        elif key == "home":
            replay.go(0)
        elif key == "end":
            replay.go(replay.length)
        elif key == "space":
            if replay.ply == replay.length:
                replay.go(0)
            self.autoplay = not self.autoplay
        elif key in ("f", "F"):
            self.flipped = not self.flipped
        elif key in ("a", "A"):
            self.say("The computer is thinking.")
            self.attempt(self._assess)
            return
        elif key in ("s", "S"):
            self.attempt(self._save)
            return
        elif key == "question_mark":
            self.app.push_screen(HelpScreen())
        elif key in ("q", "escape"):
            self._typed = ""
            self.dismiss()
        else:
            return
        event.stop()
        self.redraw()

    async def _assess(self) -> None:
        at = self.replay.ply
        asked = Assess(id=0, room=self.replay.record.room, ply=at)
        found = await self.client.connection.ask(asked, Assessment)
        if self.replay.ply == at:
            self.say(assessment_line(tuple(seat.name for seat in self.replay.board.seats), found))

    async def _save(self) -> None:
        record = self.replay.record
        if not record.text:
            self.say("You can save a game once it is over.")
            return
        path = Path.cwd() / f"{record.terms.game}-{record.room}.txt"
        try:
            path.write_text(record.text, encoding="utf-8")
        except OSError as error:
            self.say(f"Cannot write {path}: {error.strerror}.")
        else:
            self.say(f"Saved as {path}.")
