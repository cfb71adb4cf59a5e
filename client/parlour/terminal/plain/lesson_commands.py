"""Commands of a lesson."""

from __future__ import annotations

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.terminal.plain import outputs
from parlour.terminal.plain.line_client import Command, LineClient
from parlour.terminal.plain.table_reporter import board_lines as drawn_lines
from parlour.terminal.text.board import board_lines
from parlour.terminal.text.lesson import hint_lines, lesson_heading, lesson_lines, lesson_prompt
from parlour.terminal.ui.lesson_view import LessonView


class LessonCommands:
    """Reading a step, and trying moves in it."""

    def __init__(self, ui: LineClient) -> None:
        self.ui = ui
        self.commands = {
            "hint": Command("hint", "show a hint; again: show the move", self.hint),
            "next": Command("next", "go to the next step", lambda _: self.go(1)),
            "previous": Command("previous", "go to the step before", lambda _: self.go(-1)),
            "back": Command("back", "undo the last pick of a turn", self.back),
            "picks": Command("picks", "list what may be picked", self.picks),
            "board": Command("board", "draw the board and show the task", lambda _: self.show()),
            "cells": Command("cells", "describe the board in words", self.cells),
            "play": Command("play", "play a first game against the computer", self.play),
            "leave": Command("leave", "close the lesson", self.leave),
            "help": Command("help", "show this list", self.help),
            "quit": Command("quit", "exit", self.quit),
        }

    @property
    def view(self) -> LessonView:
        assert self.ui.lesson is not None, "these commands are for a lesson"
        return self.ui.lesson

    async def show(self) -> None:
        """Show the current step, or the end of the lesson."""
        state, board = self.view.state, self.view.state.lesson.board
        lines = [f"{lesson_heading(state)}.", *lesson_lines(state)]
        if state.is_finished:
            shown = outputs.LessonShown(game=self.view.game, title=lesson_heading(state), text=tuple(lines[1:]))
            self.ui.show(shown, *lines, "Type play to start, or leave.")
            return
        drawn = drawn_lines(board, state.scene, self.ui.style, state.legal_picks, pointers=state.pointers)
        choices = tuple(outputs.Choice(board.place_name(p.place), p.place, p.label) for p in state.legal_picks)
        shown = outputs.LessonShown(
            game=self.view.game, title=state.step.title, text=tuple(lines[1:]), step=state.step.key,
            board=board, scene=state.scene, prompt=lesson_prompt(state), choices=choices,
            picks=() if state.turn is None else state.turn.picks,
        )  # fmt: skip
        self.ui.show(shown, *drawn, *lines, *([lesson_prompt(state)] if lesson_prompt(state) else []))

    async def move(self, text: str) -> None:
        """Try a move, or one or more picks. A move that does not solve the step is put back."""
        state = self.view.state
        if state.is_finished:
            raise Refusal(ErrorCode.GAME_OVER, "The lesson is finished. Type play to start a game, or leave.")
        await self.view.play_text(text)
        tried = state.tried
        if tried is None:
            await self.show()
            return
        state.show_reply()
        lines = lesson_lines(state)
        then = "Type next to go on." if tried.solved else "The move was put back."
        self.ui.show(
            outputs.LessonTried(
                game=self.view.game, step=state.step.key, solved=tried.solved, move=tried.move,
                text=tuple(lines), scene=state.scene, reply=tried.reply.move if tried.reply is not None else "",
            ),
            *drawn_lines(state.lesson.board, state.scene, self.ui.style), *lines, f"{lesson_prompt(state)} {then}",
        )  # fmt: skip
        if not tried.solved:
            state.again()

    async def go(self, steps: int) -> None:
        self.view.state.go(self.view.state.index + steps)
        await self.view.begin()
        await self.show()

    async def hint(self, text: str) -> None:
        state = self.view.state
        if state.tried is not None or state.is_finished:
            raise Refusal(ErrorCode.HINT_REFUSED, "This step is solved. Type next to go on.")
        state.show_hint()
        self.ui.say(*hint_lines(state))

    async def back(self, text: str) -> None:
        if self.view.state.is_finished or not self.view.state.back():
            raise Refusal(ErrorCode.NOTHING_OFFERED, "Nothing is picked.")
        await self.show()

    async def picks(self, text: str) -> None:
        board = self.view.state.lesson.board
        for pick in self.view.state.legal_picks:
            name = board.place_name(pick.place)
            self.ui.say(f"  {name}{f': {pick.label}' if pick.label and pick.label != name else ''}")

    async def cells(self, text: str) -> None:
        if not self.view.state.is_finished:
            self.ui.say(*board_lines(self.view.state.lesson.board, self.view.state.scene))

    async def play(self, text: str) -> None:
        table = await self.view.start_game()
        self.ui.lesson = None
        await self.ui.open_table(await self.ui.session.view(table))

    async def leave(self, text: str) -> None:
        self.ui.lesson = None
        self.ui.say("Lesson closed.")

    async def help(self, text: str) -> None:
        self.ui.help()

    async def quit(self, text: str) -> None:
        self.ui.is_quitting = True
