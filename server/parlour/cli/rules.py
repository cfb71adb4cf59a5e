"""`parlour rules`: the rules of the games for programs in any language, as JSON Lines."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from msgspec import Struct

from parlour import games
from parlour.cli.commands import add_command
from parlour.cli.json_lines import serve
from parlour.games.api import UNKNOWN, Game, Outcome

DESCRIPTION = """\
Answer questions about the rules: one JSON object per line on standard input, one answer per line on standard output.

  in   {"game": "mapello", "options": {"board": "default"}, "position": "...", "play": "f7"}
  out  {"position": "...", "to_move": "black", "legal": ["...", ...],
        "after": "...", "winner": null, "reason": null, "score": [2, 2]}

`options`, `position` and `play` may be omitted: they default to the standard options, the initial position and no
move. `to_move` and `legal` (sorted) describe the given position; `after`, `winner`, `reason` and `score` the position
after the move, or the given one if there is no move. `score` is null for games without points.
An invalid line is answered with {"error": {"code": "...", "message": "..."}}.
"""

EPILOG = """example: echo '{"game": "replica", "play": "e7-d6"}' | parlour rules"""


class Request(Struct):
    game: str
    options: dict[str, Any] | None = None
    position: str | None = None
    play: str | None = None


class Answer(Struct):
    position: str
    to_move: str | None
    legal: list[str]
    after: str
    winner: str | None
    reason: str | None
    score: tuple[int, ...] | None


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "rules",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.set_defaults(run=run)


def run(_: argparse.Namespace) -> int:
    serve(sys.stdin.buffer, sys.stdout.buffer, Request, answer)
    return 0


def answer(request: Request) -> Answer:
    """Return the answer of the rules about a position and a move."""
    game = games.find(request.game)
    options = game.options(request.options or {})
    state = game.initial(options) if request.position is None else game.parse(request.position, options)
    after = state if request.play is None else game.apply(state, game.read(state, request.play))
    outcome = game.outcome(after)
    to_move = game.to_move(state)
    return Answer(
        position=game.print(state),
        to_move=None if to_move is None else seat_name(game, to_move),
        legal=sorted([game.write(state, move) for move in game.moves(state)]),
        after=game.print(after),
        winner=winner_name(game, outcome),
        reason=None if outcome is None else outcome.reason,
        score=game.scores(after) or None,
    )


def seat_name(game: Game[Any], seat: int) -> str:
    return game.info.seats[seat].name.lower()


def winner_name(game: Game[Any], outcome: Outcome | None) -> str | None:
    if outcome is None or outcome.reason == UNKNOWN:
        return None
    return "draw" if outcome.winner is None else seat_name(game, outcome.winner)
