"""`parlour rules`: the rule engines for programs in any language, one JSON object a line."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from msgspec import Struct

from parlour import games
from parlour.cli.lines import serve
from parlour.games.api import UNKNOWN, Game, Outcome

DESCRIPTION = """\
Answers questions about rules: one JSON object a line on standard input, one answer a line on standard output.

  in   {"game": "mapello", "options": {"board": "default"}, "position": "...", "play": "f7"}
  out  {"position": "...", "to_move": "black", "legal": ["...", ...],
        "after": "...", "winner": null, "reason": null, "score": [2, 2]}

`options`, `position` and `play` may be left out: they default to the game's own options, its first position and no
move. `to_move` and `legal` (sorted) belong to the given position; `after`, `winner`, `reason` and `score` to the
position after the move, or to the given one without a move. Games without points have the score null.
Anything wrong gives {"error": {"code": "...", "message": "..."}} for that line, and the next line is served.
"""


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
    parser = commands.add_parser(
        "rules",
        help="answer questions about rules, JSON lines in and out",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)


def run(_: argparse.Namespace) -> int:
    serve(sys.stdin.buffer, sys.stdout.buffer, Request, answer)
    return 0


def answer(request: Request) -> Answer:
    game = games.find(request.game)
    options = game.options(request.options or {})
    state = game.initial(options) if request.position is None else game.parse(request.position, options)
    after = state if request.play is None else game.apply(state, game.read(state, request.play))
    outcome = game.outcome(after)
    to_move = game.to_move(state)
    return Answer(
        position=game.print(state),
        to_move=None if to_move is None else seat_word(game, to_move),
        legal=sorted([game.write(state, move) for move in game.moves(state)]),
        after=game.print(after),
        winner=winner_word(game, outcome),
        reason=None if outcome is None else outcome.reason,
        score=game.scores(after) or None,
    )


def seat_word(game: Game[Any], seat: int) -> str:
    return game.info.seats[seat].name.lower()


def winner_word(game: Game[Any], outcome: Outcome | None) -> str | None:
    if outcome is None or outcome.reason == UNKNOWN:
        return None
    return "draw" if outcome.winner is None else seat_word(game, outcome.winner)
