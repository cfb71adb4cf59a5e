"""What can be typed at a table. Whatever is no command is taken for a move, or for a pick."""

from __future__ import annotations

import asyncio

from parlour.client.drawing import render
from parlour.client.plain.line_client import WIDTH, Command, LineClient
from parlour.client.table import What
from parlour.client.visit.replay import Replay
from parlour.client.visit.sitting import Sitting, completions
from parlour.client.words.cells import board_words, tally_words
from parlour.client.words.rulebook import rulebook_lines
from parlour.client.words.table import assessment_words, guidance, side
from parlour.client.words.terms import player_words
from parlour.client.words.times import figures, overtime

WAIT_FOR = 120.0  # seconds, unless another number is said


class TableCommands:
    """Moves, and everything around the board."""

    def __init__(self, client: LineClient) -> None:
        self.client = client
        self.commands = {
            "board": Command("board", "draw the board; [ ] and ^^^ may be chosen", self.board),
            "cells": Command("cells", "the board in words", self.cells),
            "picks": Command("picks", "what may be chosen now", self.picks),
            "back": Command("back", "take the last pick back", self.back),
            "flip": Command("flip", "turn the board", self.flip),
            "auto": Command("auto on|off", "draw the board after each move, or only when asked", self.auto),
            "moves": Command("moves", "the moves so far", self.moves),
            "who": Command("who", "who plays, the clocks, the points", self.who),
            "wait": Command("wait [over|SECONDS]", "wait for your turn, or for the end", self.wait),
            "hint": Command("hint", "what the computer would do; casual games only", self.hint),
            "chat": Command("chat TEXT", "say something to everybody here", self.chat),
            "draw": Command("draw", "offer a draw", lambda _: self.offer("draw")),
            "takeback": Command("takeback", "ask to take your last turn back", lambda _: self.offer("takeback")),
            "rematch": Command("rematch", "offer another game, when this one is over", lambda _: self.offer("rematch")),
            "accept": Command("accept", "accept what was offered", lambda _: self.answer(True)),
            "decline": Command("decline", "decline it", lambda _: self.answer(False)),
            "next": Command("next", "go to the next game, after a rematch was agreed", self.next),
            "me": Command("me", "you move first, where you have the choice", lambda _: self.choose(True)),
            "them": Command("them", "the other one moves first", lambda _: self.choose(False)),
            "resign": Command("resign", "give the game up", self.resign),
            "abort": Command("abort", "call the game off, before both have moved", self.abort),
            "claim": Command("claim", "claim the win, if the opponent is gone for long", self.claim),
            "replay": Command("replay", "look at the game from its beginning", self.replay),
            "rules": Command("rules", "the rules of this game", self.rules),
            "leave": Command("leave", "get up; your seat is kept", self.leave),
            "help": Command("help", "this list; everything else is a move or a pick", self.help),
            "quit": Command("quit", "leave for good", self.quit),
        }

    @property
    def sitting(self) -> Sitting:
        assert self.client.sitting is not None, "these commands are for a table"
        return self.client.sitting

    async def move(self, text: str) -> None:
        """A whole turn, or one or more picks."""
        sitting = self.sitting
        if sitting.turn is None and sitting.table.result is None and sitting.is_player:
            self.client.say(f"{guidance(sitting)} Type wait to wait for your turn.")
            return
        if not await sitting.typed(text) and sitting.turn is not None:
            if self.client.settings.show_board:
                self.client.show_board()
            self.client.say(guidance(sitting))

    # -- looking

    async def board(self, text: str) -> None:
        self.client.show_board()
        self.client.say(guidance(self.sitting))

    async def cells(self, text: str) -> None:
        self.client.say(*board_words(self.sitting.board, self.sitting.scene))

    async def picks(self, text: str) -> None:
        sitting = self.sitting
        names = completions(sitting)
        if not names:
            self.client.say(guidance(sitting))
        for pick in sitting.offered:
            name = sitting.board.place_name(pick.place)
            self.client.say(f"  {name}{f': {pick.label}' if pick.label and pick.label != name else ''}")

    async def back(self, text: str) -> None:
        if not self.sitting.back():
            self.client.say("Nothing is picked. Type takeback to take a whole turn back.")
            return
        self.client.show_board()
        self.client.say(guidance(self.sitting))

    async def flip(self, text: str) -> None:
        self.client.flipped = not self.client.flipped
        self.client.show_board()

    async def auto(self, text: str) -> None:
        self.client.keep(show_board=text != "off")
        self.client.say(f"The board is drawn {'after each move' if text != 'off' else 'only when you ask'}.")

    async def moves(self, text: str) -> None:
        moves = self.sitting.table.moves
        for start in range(0, len(moves), 2):
            self.client.say(f"  {start // 2 + 1}. {' '.join(moves[start : start + 2])}")
        if not moves:
            self.client.say("No move was made yet.")

    async def who(self, text: str) -> None:
        sitting, table = self.sitting, self.sitting.table
        for seat, chair in enumerate(table.chairs):
            left = table.time_left(seat)
            clock = "" if left is None else f", {figures(left.main)} {overtime(table.terms.clock, left)}".rstrip()
            tally = tally_words(sitting.board, sitting.scene, seat)
            you = " (you)" if seat == sitting.seat else ""
            self.client.say(f"{side(sitting, seat)}: {player_words(chair.player)}{you}{clock}. {tally}")
        self.client.say(guidance(sitting))

    async def hint(self, text: str) -> None:
        found = await self.sitting.table.hint()
        self.client.say(assessment_words(tuple(seat.name for seat in self.sitting.board.seats), found))

    async def rules(self, text: str) -> None:
        rules = await self.sitting.parlour.rules(self.sitting.table.terms.game)
        for line in rulebook_lines(rules, style=self.client.style, width=WIDTH):
            self.client.say(render(line, self.client.style).rstrip())

    async def replay(self, text: str) -> None:
        self.client.replay = Replay(await self.sitting.parlour.records.record(self.sitting.table.room))
        await self.client.do("board")

    # -- waiting

    async def wait(self, text: str) -> None:
        """Never longer than was said."""
        sitting = self.sitting
        seconds = float(text) if text.replace(".", "", 1).isdecimal() else WAIT_FOR

        def is_there() -> bool:
            over = sitting.table.result is not None
            return over or (text != "over" and sitting.turn is not None)

        try:
            async with asyncio.timeout(None if text == "over" and self._ends_by_itself() else seconds):
                while not is_there():
                    await self.client.changed.wait()
        except TimeoutError:
            self.client.say(f"{guidance(sitting)} Type wait to go on waiting.")

    def _ends_by_itself(self) -> bool:
        return all(chair.player is not None and chair.player.bot for chair in self.sitting.table.chairs)

    # -- around the board

    async def chat(self, text: str) -> None:
        if text:
            await self.sitting.table.say(text)

    async def offer(self, what: What) -> None:
        await self.sitting.offer(what)

    async def answer(self, yes: bool) -> None:
        if not self.sitting.offers:
            self.client.say("Nothing was offered.")
            return
        await self.sitting.answer(self.sitting.offers[0], yes)

    async def next(self, text: str) -> None:
        following = await self.sitting.follow()
        if following is None:
            self.client.say("There is no next game. Type rematch to offer one.")
            return
        await self.client.leave()
        await self.client.sit_down(following)

    async def choose(self, me: bool) -> None:
        await self.sitting.choose_first(me)

    async def resign(self, text: str) -> None:
        await self.sitting.resign()

    async def abort(self, text: str) -> None:
        await self.sitting.table.abort()

    async def claim(self, text: str) -> None:
        await self.sitting.table.claim()

    async def leave(self, text: str) -> None:
        await self.client.leave()
        self.client.say("You are back in the lobby.")

    async def help(self, text: str) -> None:
        self.client.help()

    async def quit(self, text: str) -> None:
        self.client.quits = True
