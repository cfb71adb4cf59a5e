"""Commands of a replay."""

from __future__ import annotations

from pathlib import Path

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import GameCard
from parlour.terminal.plain import outputs
from parlour.terminal.plain.line_client import Command, LineClient
from parlour.terminal.text.board import board_lines
from parlour.terminal.text.result import result_line
from parlour.terminal.text.table import assessment_line, review_words
from parlour.terminal.ui.replay import Replay


class ReplayCommands:
    """Stepping, jumping, assessing and saving."""

    def __init__(self, ui: LineClient) -> None:
        self.ui = ui
        self.commands = {
            "next": Command("next [N]", "go one move forward, or N", lambda text: self.step(text, 1)),
            "back": Command("back [N]", "go one move back, or N", lambda text: self.step(text, -1)),
            "go": Command("go N", "go to the position after N moves", self.go),
            "first": Command("first", "go to the start", lambda _: self.go("0")),
            "last": Command("last", "go to the end", lambda _: self.go(str(self.replay.length))),
            "board": Command("board", "draw the board", lambda _: self.show()),
            "cells": Command("cells", "describe the board in words", self.cells),
            "moves": Command("moves", "list the moves", self.moves),
            "assess": Command("assess", "show the computer's assessment of this position", self.assess),
            "review": Command("review", "show the computer's assessment of every position", self.review),
            "save": Command("save FILE", "save the game as text", self.save),
            "leave": Command("leave", "close the replay", self.leave),
            "help": Command("help", "show this list", self.help),
            "quit": Command("quit", "exit", self.quit),
        }

    @property
    def replay(self) -> Replay:
        assert self.ui.replay is not None, "these commands are for a replay"
        return self.ui.replay

    async def step(self, text: str, sign: int) -> None:
        await self.go(str(self.replay.ply + sign * (int(text) if text.isdecimal() else 1)))

    async def go(self, text: str) -> None:
        replay = self.replay
        if not text.lstrip("-").isdecimal():
            raise Refusal(ErrorCode.REQUEST_MALFORMED, f"Give a number from 0 to {replay.length}.")
        replay.go(int(text))
        await self.show()

    async def show(self) -> None:
        """Show the current position."""
        replay = self.replay
        self.ui.draw(replay.board, replay.scene)
        words = f"Move {replay.ply} of {replay.length}: {replay.move}." if replay.ply else "Before the first move."
        if replay.scene.note:
            words += f" {replay.scene.note}"
        result = replay.record.result
        if result is not None and replay.ply == replay.length:
            words += f" {result_line(result, [seat.name for seat in replay.board.seats], self._card())}"
        shown = outputs.ReplayPosition(
            room=replay.record.room, ply=replay.ply, length=replay.length, scene=replay.scene,
            move=replay.move if replay.ply else "", result=result if replay.ply == replay.length else None,
        )  # fmt: skip
        self.ui.show(shown, words)

    def _card(self) -> GameCard | None:
        key = self.replay.record.terms.game
        return next((card for card in self.ui.session.client.games if card.key == key), None)

    async def cells(self, text: str) -> None:
        self.ui.say(*board_lines(self.replay.board, self.replay.scene))

    async def moves(self, text: str) -> None:
        for number, move in enumerate(self.replay.record.moves, 1):
            self.ui.say(f"  {number}. {move.move}")

    async def assess(self, text: str) -> None:
        found = await self.replay.assess(self.ui.session.client, self.replay.ply)
        names = tuple(seat.name for seat in self.replay.board.seats)
        self.ui.show(outputs.Assessed(found), assessment_line(names, found))

    async def review(self, text: str) -> None:
        """Assess every position before a move, and say what the computer would have played."""
        names = [seat.name for seat in self.replay.board.seats]
        for ply, played in enumerate(self.replay.record.moves):
            found = await self.replay.assess(self.ui.session.client, ply)
            self.ui.show(
                outputs.Assessed(found), f"  {ply + 1}. {played.move} ({review_words(names, played.move, found, '')})"
            )

    async def save(self, text: str) -> None:
        record = self.replay.record
        if not record.text:
            raise Refusal(ErrorCode.RECORD_UNKNOWN, "You can save a game once it is over.")
        path = Path(text or f"{record.terms.game}-{record.room}.txt")
        try:
            path.write_text(record.text, encoding="utf-8")
        except OSError as error:
            raise Refusal(ErrorCode.OPTION_INVALID, f"Cannot write {path}: {error.strerror}.") from None
        self.ui.say(f"Saved as {path}.")

    async def leave(self, text: str) -> None:
        self.ui.replay = None
        self.ui.say("Replay closed.")

    async def help(self, text: str) -> None:
        self.ui.help()

    async def quit(self, text: str) -> None:
        self.ui.is_quitting = True
