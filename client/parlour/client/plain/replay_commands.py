"""What can be typed while looking at a game from its beginning."""

from __future__ import annotations

from pathlib import Path

from parlour.client.plain.line_client import Command, LineClient
from parlour.client.visit.replay import Replay
from parlour.client.words.cells import board_words
from parlour.client.words.outcome import outcome
from parlour.client.words.table import assessment_words
from parlour.protocol.messages import Assess, Assessment
from parlour.protocol.tables import GameCard


class ReplayCommands:
    """Step, jump, ask, save."""

    def __init__(self, client: LineClient) -> None:
        self.client = client
        self.commands = {
            "next": Command("next [N]", "one move on, or N", lambda text: self.step(text, 1)),
            "back": Command("back [N]", "one move back, or N", lambda text: self.step(text, -1)),
            "go": Command("go N", "to the position after N moves", self.go),
            "first": Command("first", "to the beginning", lambda _: self.go("0")),
            "last": Command("last", "to the end", lambda _: self.go(str(self.replay.length))),
            "board": Command("board", "draw the board", lambda _: self.step("0", 1)),
            "cells": Command("cells", "the board in words", self.cells),
            "moves": Command("moves", "all moves", self.moves),
            "assess": Command("assess", "what the computer thinks of this position", self.assess),
            "save": Command("save FILE", "keep the game as text", self.save),
            "leave": Command("leave", "look at it no longer", self.leave),
            "help": Command("help", "this list", self.help),
            "quit": Command("quit", "leave for good", self.quit),
        }

    @property
    def replay(self) -> Replay:
        assert self.client.replay is not None, "these commands are for a replay"
        return self.client.replay

    async def step(self, text: str, sign: int) -> None:
        await self.go(str(self.replay.at + sign * (int(text) if text.isdecimal() else 1)))

    async def go(self, text: str) -> None:
        replay = self.replay
        if not text.lstrip("-").isdecimal():
            self.client.say(f"Say a number from 0 to {replay.length}.")
            return
        replay.go(int(text))
        self.client.draw(replay.board, replay.scene)
        words = f"Move {replay.at} of {replay.length}: {replay.move}." if replay.at else "Before the first move."
        result = replay.record.result
        if result is not None and replay.at == replay.length:
            words += f" {outcome(result, replay.board.seats, self._card())}"
        self.client.say(words)

    def _card(self) -> GameCard | None:
        key = self.replay.record.terms.game
        return next((card for card in self.client.visit.parlour.games if card.key == key), None)

    async def cells(self, text: str) -> None:
        self.client.say(*board_words(self.replay.board, self.replay.scene))

    async def moves(self, text: str) -> None:
        for number, move in enumerate(self.replay.record.moves, 1):
            self.client.say(f"  {number}. {move.move}")

    async def assess(self, text: str) -> None:
        asked = Assess(id=0, room=self.replay.record.room, ply=self.replay.at)
        found = await self.client.visit.parlour.connection.ask(asked, Assessment)
        self.client.say(assessment_words(tuple(seat.name for seat in self.replay.board.seats), found))

    async def save(self, text: str) -> None:
        record = self.replay.record
        if not record.text:
            self.client.say("A game can be saved when it is over.")
            return
        path = Path(text or f"{record.terms.game}-{record.room}.txt")
        try:
            path.write_text(record.text, encoding="utf-8")
        except OSError as fault:
            self.client.say(f"It cannot be saved as {path}: {fault.strerror}.")
        else:
            self.client.say(f"Saved as {path}.")

    async def leave(self, text: str) -> None:
        self.client.replay = None
        self.client.say("You look at it no longer.")

    async def help(self, text: str) -> None:
        self.client.help()

    async def quit(self, text: str) -> None:
        self.client.quits = True
