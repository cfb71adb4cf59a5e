"""Thinking on request: what to think about, how long, and what came of it, in words that any program has.

`parlour think` serves this over a pipe, and the server's own computer players use it in the same way.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from parlour import games
from parlour.bots.alphabeta import Tables
from parlour.bots.levels import STRONGEST, assess, think
from parlour.bots.thought import Budget, Thought, chance
from parlour.games.api import Game
from parlour.protocol.errors import ErrorCode, Refusal

# A budget in seconds alone has no other end.
ANY_NUMBER = 1 << 40


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """A position, and how long to think about it: as a level does, or for so many nodes or seconds."""

    game: str
    options: dict[str, Any] = {}
    position: str | None = None  # None: the game's own beginning
    moves: tuple[str, ...] = ()  # made from there; they matter where a position may not come again
    level: int | str | None = None
    nodes: Annotated[int, Meta(ge=1)] | None = None
    seconds: Annotated[float, Meta(gt=0, le=3600)] | None = None
    seed: int = 0
    scale: Annotated[float, Meta(gt=0, le=100)] = 1.0  # of the level's budget
    table: Any = None  # where it is played, which `parlour bot` tells every engine; nothing here needs it


class Answer(Struct, frozen=True):
    """A move, and why."""

    move: str
    score: int  # for the side to move, in the game's own units
    chance: float  # that this side wins
    line: tuple[str, ...]  # what is expected to be played, with the move first
    nodes: int
    depth: int


class Engine:
    """Thinks about one position after another and remembers what it learnt of a game."""

    def __init__(self) -> None:
        self._tables: dict[tuple[str, str], Tables] = {}

    def answer(self, request: Request) -> Answer:
        """What to play; refuses what cannot be thought about."""
        game = games.find(request.game)
        options = game.options(request.options)
        state = game.initial(options) if request.position is None else game.parse(request.position, options)
        past = []
        for number, text in enumerate(request.moves, 1):
            if game.to_move(state) is None:
                raise Refusal(ErrorCode.GAME_OVER, f"The game was over before move {number}.")
            past.append(state)
            state = game.apply(state, game.read(state, text))
        thought = self._think(game, state, request, past)
        return Answer(
            move=game.write(state, thought.move),
            score=thought.score,
            chance=round(chance(thought.score, game), 3),
            line=_texts(game, state, thought),
            nodes=thought.nodes,
            depth=thought.depth,
        )

    def _think(self, game: Game[Any], state: Any, request: Request, past: list[Any]) -> Thought:
        if request.level is None and request.nodes is None and request.seconds is None:
            raise Refusal(ErrorCode.REQUEST_MALFORMED, "Say how long to think: give a level, nodes or seconds.")
        # Positions of another board are other positions; the two sides of a game must not learn from each other.
        level = str(STRONGEST if request.level is None else request.level)
        # Tables that are warm make the same request give another answer, so a number of nodes alone starts afresh.
        tables = None if request.nodes is not None else self._tables_for(game, level)
        if request.level is None:
            budget = Budget(request.nodes or ANY_NUMBER, request.seconds)
            return assess(game, state, budget, seed=request.seed, tables=tables, past=past)
        return think(
            game,
            state,
            level,
            seed=request.seed,
            seconds=request.seconds,
            nodes=request.nodes,
            scale=request.scale,
            tables=tables,
            past=past,
        )

    def _tables_for(self, game: Game[Any], level: str) -> Tables:
        return self._tables.setdefault((game.info.key, level), Tables())


def _texts(game: Game[Any], state: Any, thought: Thought) -> tuple[str, ...]:
    texts = []
    for move in thought.line:
        texts.append(game.write(state, move))
        state = game.apply(state, move)
    return tuple(texts)
