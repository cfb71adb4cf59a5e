"""Commands at a table. Any other line is taken as a move or as picks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from parlour.client.table import OfferKind
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.terminal.plain import outputs
from parlour.terminal.plain.line_client import Command, Confirmation, LineClient
from parlour.terminal.plain.player_commands import PlayerCommands
from parlour.terminal.plain.table_reporter import TableReporter
from parlour.terminal.text.board import board_lines, tally_line
from parlour.terminal.text.questions import question
from parlour.terminal.text.table import assessment_line, seat_name
from parlour.terminal.text.terms import player_label
from parlour.terminal.text.times import format_overtime, format_time
from parlour.terminal.ui.replay import Replay
from parlour.terminal.ui.table_action import TableAction
from parlour.terminal.ui.table_view import OFFER_KINDS, TableView, completions

WAIT_TIMEOUT = 120.0  # seconds, unless the player gives another number


class TableCommands:
    """Moves, and everything else a player can do at a table."""

    def __init__(self, ui: LineClient) -> None:
        self.ui = ui
        self.commands = {
            "board": Command("board", "draw the board; [ ] and ^^^ mark what you can choose", self.board),
            "cells": Command("cells", "describe the board in words", self.cells),
            "picks": Command("picks", "list what you can choose now", self.picks),
            "back": Command("back", "undo the last pick", self.back),
            "flip": Command("flip", "rotate the board", self.flip),
            "auto": Command("auto on|off", "draw the board after each move, or only on request", self.auto),
            "moves": Command("moves", "list the moves so far", self.moves),
            "last": Command("last", "describe the last move in words", self.last),
            "who": Command("who", "show the players, clocks and points", self.who),
            "wait": Command("wait [over|SECONDS]", "wait for your turn, or for the end of the game", self.wait),
            "hint": Command("hint", "ask the computer for a move; casual games only", self.hint),
            "chat": Command("chat TEXT", "send a chat message to the table", self.chat),
            **PlayerCommands(ui).commands,
            "draw": Command("draw", "offer a draw", self.draw),
            "takeback": Command("takeback", "ask to take back your last move", lambda _: self.offer("takeback")),
            "rematch": Command("rematch", "offer a rematch after the game", lambda _: self.offer("rematch")),
            "accept": Command("accept", "accept the opponent's offer", self.accept),
            "decline": Command("decline", "decline the opponent's offer", self.decline),
            "withdraw": Command("withdraw", "take back your own offer", self.withdraw),
            "next": Command("next", "go to the rematch", self.next),
            "me": Command("me", "move first, where you have the choice", lambda _: self.choose(True)),
            "them": Command("them", "let the opponent move first", lambda _: self.choose(False)),
            "resign": Command("resign", "resign the game", self.resign),
            "abort": Command("abort", "abort the game before both sides have moved", self.abort),
            "berserk": Command("berserk", "halve your clock in an arena, for an extra point", self.berserk),
            "claim": Command("claim", "claim the win if the opponent has been offline for long", self.claim),
            "replay": Command("replay", "replay the game from the start", self.replay),
            "rules": Command("rules", "show the rules", self.rules),
            "leave": Command("leave", "leave the table; you keep your seat", self.leave),
            "help": Command("help", "show this list; any other line is a move or a pick", self.help),
            "quit": Command("quit", "exit", self.quit),
        }

    @property
    def view(self) -> TableView:
        return self.reporter.view

    @property
    def reporter(self) -> TableReporter:
        assert self.ui.reporter is not None, "these commands need a table"
        return self.ui.reporter

    async def move(self, text: str) -> None:
        """Play a move, or one or more picks."""
        view = self.view
        if view.turn is None and view.table.result is None and view.is_player:
            sentence = f"{self.reporter.status} Type wait to wait for your turn."
            raise Refusal(ErrorCode.NOT_YOUR_TURN, sentence)
        if not await view.play_text(text) and view.turn is not None:
            if self.ui.settings.show_board:
                self.reporter.show_board()
            self.reporter.show_status()

    # -- showing things

    async def board(self, text: str) -> None:
        self.reporter.show_board()
        self.reporter.show_status()

    async def cells(self, text: str) -> None:
        self.ui.say(*board_lines(self.view.board, self.view.scene))

    async def picks(self, text: str) -> None:
        view = self.view
        if not completions(view):
            self.reporter.show_status()
        for pick in view.legal_picks:
            name = view.board.place_name(pick.place)
            self.ui.say(f"  {name}{f': {pick.label}' if pick.label and pick.label != name else ''}")

    async def back(self, text: str) -> None:
        if not self.view.back():
            sentence = "Nothing is picked. Type takeback to ask for your last move back."
            raise Refusal(ErrorCode.NOTHING_OFFERED, sentence)
        self.reporter.show_board()
        self.reporter.show_status()

    async def flip(self, text: str) -> None:
        self.reporter.is_flipped = not self.reporter.is_flipped
        self.reporter.show_board()

    async def auto(self, text: str) -> None:
        self.ui.save_settings(show_board=text != "off")
        self.ui.say(f"The board is drawn {'after each move' if text != 'off' else 'only on request'}.")

    async def moves(self, text: str) -> None:
        moves = self.view.table.moves
        for start in range(0, len(moves), 2):
            self.ui.say(f"  {start // 2 + 1}. {' '.join(moves[start : start + 2])}")
        if not moves:
            self.ui.say("No moves yet.")

    async def last(self, text: str) -> None:
        if not self.view.table.moves:
            raise Refusal(ErrorCode.GAME_NOT_STARTED, "No moves yet.")
        self.ui.say(await self.view.table.describe())

    async def who(self, text: str) -> None:
        view, table = self.view, self.view.table
        for seat, seated in enumerate(table.players):
            left = table.time_left(seat)
            clock = (
                ""
                if left is None
                else f", {format_time(left.main)} {format_overtime(table.terms.clock, left)}".rstrip()
            )
            tally = tally_line(view.board, view.scene, seat)
            you = " (you)" if seat == view.seat else ""
            self.ui.say(f"{seat_name(view, seat)}: {player_label(seated.player)}{you}{clock}. {tally}")
        self.reporter.show_status()

    async def hint(self, text: str) -> None:
        found = await self.view.table.hint()
        names = tuple(seat.name for seat in self.view.board.seats)
        self.ui.show(outputs.Assessed(found), assessment_line(names, found))

    async def rules(self, text: str) -> None:
        self.ui.show_rules(await self.view.client.rules(self.view.table.terms.game))

    async def replay(self, text: str) -> None:
        await self.ui.open_replay(Replay(await self.view.client.records.record(self.view.table.room)))

    # -- waiting

    async def wait(self, text: str) -> None:
        """Wait for the player's turn or the end of the game, but no longer than asked."""
        view = self.view
        seconds = float(text) if text.replace(".", "", 1).isdecimal() else WAIT_TIMEOUT

        def is_reached() -> bool:
            over = view.table.result is not None
            return over or (text != "over" and view.turn is not None)

        try:
            async with asyncio.timeout(None if text == "over" and self._needs_no_player() else seconds):
                while not is_reached():
                    await self.reporter.changed.wait()
        except TimeoutError:
            self.ui.say(f"{self.reporter.status} Type wait to keep waiting.")

    def _needs_no_player(self) -> bool:
        return all(seated.player.bot for seated in self.view.table.players)

    # -- offers, resigning, chat

    async def chat(self, text: str) -> None:
        if text:
            await self.view.table.say(text)

    async def offer(self, kind: OfferKind) -> None:
        await self.view.offer(kind)

    async def draw(self, text: str) -> None:
        await self._confirm(TableAction.DRAW, partial(self.view.offer, "draw"))

    async def accept(self, text: str) -> None:
        await self._confirm(TableAction.ACCEPT, partial(self.view.answer, self._offered(), True))

    async def decline(self, text: str) -> None:
        await self.view.answer(self._offered(), False)

    def _offered(self) -> OfferKind:
        if not self.view.offers:
            raise Refusal(ErrorCode.NOTHING_OFFERED, "There is no offer.")
        return self.view.offers[0]

    async def _confirm(self, action: TableAction, run: Callable[[], Awaitable[None]]) -> None:
        """Run an irreversible action once the player has said yes. If the game has gone on meanwhile, ask again."""
        view = self.view
        asked = question(view, action) if view.table.result is None else ""  # then there is nothing to lose any more

        async def run_if_same() -> None:
            if question(view, action) == asked:
                await run()
            else:
                await self._confirm(action, run)

        if asked:
            await self.ui.confirm(Confirmation(asked, run_if_same))
        else:
            await run()

    async def withdraw(self, text: str) -> None:
        table = self.view.table
        own = [kind for kind in OFFER_KINDS if (self.view.seat, kind) in table.offers]
        if not own:
            raise Refusal(ErrorCode.NOTHING_OFFERED, "You have not offered anything.")
        await table.answer(own[0], False)

    async def next(self, text: str) -> None:
        rematch = await self.view.join_rematch()
        if rematch is None:
            raise Refusal(ErrorCode.ROOM_UNKNOWN, "There is no rematch. Type rematch to offer one.")
        await self.ui.leave()
        await self.ui.open_table(rematch)

    async def choose(self, me: bool) -> None:
        await self.view.choose_first(me)

    async def resign(self, text: str) -> None:
        await self._confirm(TableAction.RESIGN, self.view.resign)

    async def abort(self, text: str) -> None:
        await self._confirm(TableAction.ABORT, self.view.table.abort)

    async def berserk(self, text: str) -> None:
        await self.view.table.berserk()

    async def claim(self, text: str) -> None:
        await self.view.table.claim()

    async def leave(self, text: str) -> None:
        await self.ui.leave()
        self.ui.say("You are back in the lobby.")

    async def help(self, text: str) -> None:
        self.ui.help()

    async def quit(self, text: str) -> None:
        self.ui.is_quitting = True
