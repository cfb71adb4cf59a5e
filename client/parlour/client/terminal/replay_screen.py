"""A game from its beginning, move by move."""

from __future__ import annotations

from pathlib import Path

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal

from parlour.client.drawing import Ink, Line, draw, seat_lines, size_of
from parlour.client.terminal.help_screen import HelpScreen
from parlour.client.terminal.page import Page
from parlour.client.terminal.paint import Lines, plain
from parlour.client.terminal.pane import heading, moves_lines, player_line
from parlour.client.visit.replay import Replay
from parlour.client.words.outcome import outcome
from parlour.client.words.table import assessment_words
from parlour.client.words.terms import terms_line
from parlour.client.words.times import span
from parlour.protocol.messages import Assess, Assessment
from parlour.protocol.tables import Chair

PACE = 1.0  # seconds a move, when it plays by itself


class ReplayScreen(Page):
    """Step, jump, play by itself, ask the computer, save."""

    keys = "Left/Right step  Home/End  digits+Enter jump  Space play  A assess  S save  F turn  q back"
    CSS = """
    #table { height: 1fr; }
    #board { width: auto; height: 1fr; }
    #pane { width: 1fr; height: 1fr; border-left: solid #5a5346; padding: 0 0 0 1; }
    """

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        self.replay = replay
        self.flipped = False
        self.plays = False
        self._typed = ""

    def body(self) -> ComposeResult:
        with Horizontal(id="table"):
            yield Lines(id="board")
            yield Lines(id="pane")

    def on_mount(self) -> None:
        record = self.replay.record
        card = next((card for card in self.visit.parlour.games if card.key == record.terms.game), None)
        self.card = card
        self.title_words = f"{terms_line(record.terms, card)}  looking back"
        self.set_interval(PACE, self._tick)
        self.redraw()

    def on_resize(self) -> None:
        self.redraw()

    def _tick(self) -> None:
        if self.plays:
            self.replay.step(1)
            self.plays = self.replay.at < self.replay.length
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
            chair = Chair(replay.record.players[seat], online=True)
            to_move = replay.scene.to_move == seat
            shown.append(player_line(board, chair, seat, style=self.style_, width=width, to_move=to_move, you=False))
            shown += seat_lines(board, replay.scene, seat, style=self.style_, width=width)
        shown.append(heading("moves", width, self.style_))
        moves = [move.move for move in replay.record.moves]
        room = max(1, self.size.height - 3 - len(shown) - 2)
        shown += moves_lines(moves, style=self.style_, width=width, height=room, at=replay.at)
        result = replay.record.result
        if result is not None:
            shown.append(plain(outcome(result, board.seats, self.card)[:width], Ink.LAST))
        self.query_one("#pane", Lines).show(shown)
        self.say(self._sentence())

    def _sentence(self) -> str:
        replay = self.replay
        if self._typed:
            return f"Go to move {self._typed}: Enter"
        if replay.at == 0:
            return f"Before the first of {replay.length} moves."
        took = f", which took {span(replay.took // 100 * 100)}" if replay.took else ""
        note = f" {replay.scene.note}" if replay.scene.note else ""
        return f"Move {replay.at} of {replay.length}: {replay.move}{took}.{note}"

    def on_key(self, event: events.Key) -> None:
        key, replay = event.key, self.replay
        self.plays = self.plays and key == "space"
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
            if replay.at == replay.length:
                replay.go(0)
            self.plays = not self.plays
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
        at = self.replay.at
        asked = Assess(id=0, room=self.replay.record.room, ply=at)
        found = await self.visit.parlour.connection.ask(asked, Assessment)
        if self.replay.at == at:
            self.say(assessment_words(tuple(seat.name for seat in self.replay.board.seats), found))

    async def _save(self) -> None:
        record = self.replay.record
        if not record.text:
            self.say("A game can be saved when it is over.")
            return
        path = Path.cwd() / f"{record.terms.game}-{record.room}.txt"
        try:
            path.write_text(record.text, encoding="utf-8")
        except OSError as fault:
            self.say(f"It cannot be saved as {path}: {fault.strerror}.")
        else:
            self.say(f"Saved as {path}.")
