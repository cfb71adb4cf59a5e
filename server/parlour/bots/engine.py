"""The engine: searches on request, with plain structs in and out, for other programs.

`parlour think` serves this over a pipe, and the server's own bots use it in the same way.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from parlour import games
from parlour.bots.alphabeta import Tables
from parlour.bots.levels import STRONGEST, assess, think
from parlour.bots.search import Budget, SearchResult, chance
from parlour.games.api import Game, Move
from parlour.protocol.errors import ErrorCode, Refusal

# The node limit of a budget that is given in seconds only.
ANY_NUMBER = 1 << 40


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """A position, and how long to think about it: as a level does, or for a number of nodes or seconds."""

    game: str
    options: dict[str, Any] = {}
    position: str | None = None  # None: the first position of the game
    moves: tuple[str, ...] = ()  # played from there; they matter where repetition is a draw
    level: int | str | None = None
    nodes: Annotated[int, Meta(ge=1)] | None = None
    seconds: Annotated[float, Meta(gt=0, le=3600)] | None = None
    seed: int = 0
    scale: Annotated[float, Meta(gt=0, le=100)] = 1.0  # of the level's budget
    table: Any = None  # the table, which `parlour bot` sends to every engine; not used here


class Answer(Struct, frozen=True):
    """The best move, and the findings of the search about it."""

    move: str
    score: int  # for the side to move, in the units of the game's insight
    chance: float  # that this side wins
    line: tuple[str, ...]  # the moves expected to be played, starting with the best move
    nodes: int
    depth: int


class Engine:
    """Answers requests and keeps what its searches learn about each game."""

    def __init__(self) -> None:
        self._tables: dict[tuple[str, str], Tables] = {}

    def answer(self, request: Request) -> Answer:
        """Return the move to play; refuse invalid requests and games that are over."""
        game = games.find(request.game)
        options = game.options(request.options)
        state = game.initial(options) if request.position is None else game.parse(request.position, options)
        past = []
        for number, text in enumerate(request.moves, 1):
            if game.to_move(state) is None:
                raise Refusal(ErrorCode.GAME_OVER, f"The game was over before move {number}.")
            past.append(state)
            state = game.apply(state, game.read(state, text))
        found = self._think(game, state, request, past)
        return Answer(
            move=game.write(state, found.move),
            score=found.score,
            chance=round(chance(found.score, game), 3),
            line=_texts(game, state, found.line),
            nodes=found.nodes,
            depth=found.depth,
        )

    def _think(self, game: Game[Any], state: Any, request: Request, past: list[Any]) -> SearchResult:
        if request.level is None and request.nodes is None and request.seconds is None:
            raise Refusal(ErrorCode.REQUEST_MALFORMED, "Say how long to think: give a level, nodes or seconds.")
        # Levels do not share tables, so that two levels in one game do not learn from each other.
        level = str(STRONGEST if request.level is None else request.level)
        # A request with a number of nodes must always get the same answer, so it starts with empty tables.
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


def _texts(game: Game[Any], state: Any, line: tuple[Move, ...]) -> tuple[str, ...]:
    texts = []
    for move in line:
        texts.append(game.write(state, move))
        state = game.apply(state, move)
    return tuple(texts)
