"""A lesson as one screen shows it: the server says what may be picked and judges each move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from parlour.client.client import Client
from parlour.client.table import Table
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Lesson, Tried
from parlour.terminal.ui.lesson_state import LessonState
from parlour.terminal.ui.pick_names import find_pick, split_names


class LessonView:
    """One lesson on one screen. `begin` must be called for each step."""

    def __init__(self, client: Client, lesson: Lesson) -> None:
        self.client = client
        self.state = LessonState(lesson)
        self.on_change: Callable[[], None] = lambda: None  # called when an answer of the server has arrived

    @classmethod
    async def open(cls, client: Client, game: str) -> Self:
        """Return the lesson of a game at its first step."""
        view = cls(client, await client.lessons.get(game))
        await view.begin()
        return view

    @property
    def game(self) -> str:
        return self.state.lesson.game

    async def begin(self) -> None:
        """Ask for the choices of the current step."""
        state = self.state
        if not state.is_finished:
            index = state.index
            choices = await self.client.lessons.explore(self.game, state.step.key)
            if state.index == index:
                state.explored(choices)
                self.on_change()

    async def pick(self, place: int) -> None:
        """Pick a place. The last pick plays the turn."""
        self.add_pick(place)
        await self.continue_turn()

    def add_pick(self, place: int) -> None:
        """Add a pick to the turn at once, so that the next key finds it there. `continue_turn` must follow."""
        if place not in [pick.place for pick in self.state.legal_picks]:
            name = self.state.lesson.board.place_name(place)
            raise Refusal(ErrorCode.MOVE_ILLEGAL, f"You cannot choose {name} now.")
        self.state.pick(place)

    async def continue_turn(self) -> None:
        """Ask for the next picks if they are not known, or try the turn if it is complete."""
        state, turn = self.state, self.state.turn
        if turn is None or state.is_finished:
            return
        if turn.complete:
            tried = await self.client.lessons.try_move(self.game, state.step.key, turn.picks)
            if state.turn is turn:  # the learner has not gone elsewhere in the meantime
                self._judged(tried)
        elif turn.unexplored:
            choices = await self.client.lessons.explore(self.game, state.step.key, turn.picks)
            if state.turn is turn:
                state.explored(choices)
                self.on_change()

    async def play_text(self, text: str) -> None:
        """Try what was typed: one or more picks, or a move in the game's notation. A tried move is put back first."""
        state, board = self.state, self.state.lesson.board
        if state.is_finished:
            raise Refusal(ErrorCode.GAME_OVER, "The lesson is finished.")
        if state.tried is not None:
            state.again()
        before, names = state.turn, split_names(text)
        for name in names:
            pick = find_pick(board, state.legal_picks, name)
            if pick is None:
                break
            await self.pick(pick.place)
            if state.tried is not None:
                return
        else:
            if names:
                return
        state.turn = before
        index = state.index
        tried = await self.client.lessons.try_move(self.game, state.step.key, text.strip())
        if state.index == index:
            self._judged(tried)

    def _judged(self, tried: Tried) -> None:
        self.state.judged(tried)
        self.on_change()

    async def start_game(self) -> Table:
        """Start the game that follows the lesson: against the computer, without a clock."""
        ready = self.state.lesson.ready
        return await self.client.play_computer(ready.terms, ready.level, ready.seat)
