"""Positions to study: the board after any moves, what may be picked there, and where a turn leads.

The server keeps no state: a position is given by a first position and the moves from there. The latest ones are cached,
so that a player who continues from a position does not have it computed again.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from random import Random
from typing import Any

from msgspec import Struct

from parlour import games
from parlour.games.api import Game
from parlour.games.choices import choices
from parlour.games.voice import tell
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import AssessPosition, Studied, Study
from parlour.protocol.types import Result, Step
from parlour.server.compute import ComputeThread
from parlour.server.rooms.setup import complete_options
from parlour.server.rooms.state import starting_state
from parlour.server.sessions.command_ids import Handler
from parlour.server.sessions.session import Session
from parlour.server.store.jobs import Line

CACHED = 1 << 9  # positions, of some kilobytes


class Reached(Struct, frozen=True):
    """The position after a line, and how it was reached."""

    state: Any
    before: Any = None  # None: no move has been played
    move: tuple[int, ...] = ()
    texts: tuple[str, ...] = ()  # all moves, as the game writes them


class AnalysisBoard:
    """Computes positions in the compute thread, since a line takes as long as all of its moves."""

    def __init__(self, compute: ComputeThread) -> None:
        self._compute = compute
        self._latest: OrderedDict[tuple[object, ...], Reached] = OrderedDict()  # used by that thread only
        self.handlers: dict[type[Any], Handler] = {Study: self.study}

    async def study(self, session: Session, command: Study) -> None:
        """Reply with a position, and with what may be picked there."""
        session.send(await self._compute.run(session.connection.address, partial(self._answer, command)))

    async def reach(self, session: Session, line: Line) -> Reached:
        """Return the position after a line. Refuse moves that are not legal, or that follow the end of the game."""
        return await self._compute.run(session.connection.address, partial(self._reach, line))

    def _answer(self, command: Study) -> Studied:
        line = line_of(command)
        game = games.find(line.game)
        reached = self._reach(line)
        picks = tuple(command.picks)
        if picks and is_whole_turn(game, reached.state, picks):
            text = game.write(reached.state, game.check(reached.state, picks))
            line = Line(line.game, line.options, line.position, (*reached.texts, text))
            reached, picks = self._reach(line), ()
        return studied(game, line, reached, picks, command.id)

    def _reach(self, line: Line) -> Reached:
        """Continue from the latest cached position of the line."""
        begin = line.game, tuple(sorted(line.options.items())), line.position
        known = len(line.moves)
        while (reached := self._latest.get((begin, line.moves[:known]))) is None and known:
            known -= 1
        game = games.find(line.game)
        if reached is None:
            reached = Reached(starting_state(game, line.options, line.position))
        for number, text in enumerate(line.moves[known:], known + 1):
            before = reached.state
            if game.to_move(before) is None:
                raise Refusal(ErrorCode.GAME_OVER, f"The game was over before move {number}.")
            move = game.read(before, text)
            reached = Reached(game.apply(before, move), before, move, (*reached.texts, game.write(before, move)))
        self._latest[begin, line.moves] = reached
        self._latest.move_to_end((begin, line.moves))
        if len(self._latest) > CACHED:
            self._latest.popitem(last=False)
        return reached


def line_of(command: Study | AssessPosition) -> Line:
    """Return the line that a command is about. Without a seed a random board is that of seed 0."""
    options = complete_options(command.terms, None, Random(0))
    return Line(command.terms.game, options, command.position, tuple(command.moves))


def is_whole_turn(game: Game[Any], state: Any, picks: tuple[int, ...]) -> bool:
    """Return whether these picks complete a turn. Refuse picks that cannot be made."""
    for made, pick in enumerate(picks):
        if pick not in game.steps(state, picks[:made]):
            raise Refusal(ErrorCode.MOVE_ILLEGAL, "These picks cannot be made.")
    return not game.steps(state, picks)


def studied(game: Game[Any], line: Line, reached: Reached, picks: tuple[int, ...], id: int) -> Studied:
    """Return a position as a message."""
    state, before, move = reached.state, reached.before, reached.move
    scene = game.scene(state) if before is None else game.scene_after(before, move, state)
    step: Step | None = None
    prompts: tuple[str, ...] = ()
    if game.to_move(state) is not None:
        step, prompts = choices(game, state, picks)
    ended = game.outcome(state)
    return Studied(
        id=id,
        board=game.board(line.options),
        scene=scene,
        moves=reached.texts,
        position=game.print(state),
        text="" if before is None else tell(game, before, move, state),
        step=step,
        prompts=prompts,
        picks=picks,
        result=None if ended is None else Result(ended.winner, ended.reason, ended.scores),
    )
