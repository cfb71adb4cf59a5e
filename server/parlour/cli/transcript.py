"""`parlour transcript`: a game of random moves in full detail, as text."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import msgspec

from parlour import games
from parlour.cli.argument_types import checked
from parlour.cli.commands import add_command
from parlour.cli.position import add_arguments, parse_options, start
from parlour.cli.rules import winner_name
from parlour.games.api import Game, Move
from parlour.games.match import Match
from parlour.games.options import Options
from parlour.protocol.scene import Mark, MarkedPlaces, Scene, scene_hash
from parlour.server.configuration.setting_types import whole_number

WIDTH = 100
MAX_MOVES = 40
MAX_SEED = 2**53 - 1

DESCRIPTION = """\
Play a game of random moves and print every detail: each position, the legal moves, the move played, what players are
shown, and the result. The same seed gives the same text on every machine and every version of Python, so comparing it
with a saved transcript shows what a change to the rules has changed.
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "transcript",
        description=DESCRIPTION,
        epilog="example: parlour transcript mapello --seed 7",
    )
    parser.add_argument("game", metavar="GAME", help=f"one of {', '.join(games.keys())}")
    parser.add_argument(
        "--seed", metavar="N", type=checked(whole_number(0, MAX_SEED)), default=0, help="seed (default: 0)"
    )
    add_arguments(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    game, state = start(arguments)
    for line in transcript(game, parse_options(game, arguments.options), state, arguments.seed):
        print(line)
    return 0


def transcript(game: Game[Any], options: Options, state: Any, seed: int) -> Iterator[str]:
    """Yield the lines of the random game with that seed, from `state` to its end."""
    yield f"game:     {game.info.name} ({game.info.key}), rules version {game.info.rules_version}"
    yield f"options:  {msgspec.json.encode(dict(options), order='sorted').decode()}"
    yield f"seed:     {seed}"
    match, rng, shown = Match(game, options, state), Random(seed), game.scene(state)
    while match.outcome is None:
        before = match.state
        moves = {game.write(before, move): move for move in game.moves(before)}
        text = _choose(sorted(moves), rng)
        yield ""
        yield f"ply {len(match.moves) + 1}"
        yield from _position(game, before)
        yield from _legal(sorted(moves))
        match.play(moves[text])
        shown = game.scene_after(before, moves[text], match.state)
        yield from _played(game, before, moves[text], text, shown)
    yield ""
    yield f"end after {len(match.moves)} plies"
    yield from _position(game, match.state)
    yield f"winner:   {winner_name(game, match.outcome) or 'unknown'}"
    description = game.info.reasons.get(match.outcome.reason)
    yield f"reason:   {match.outcome.reason}" + (f", {description}" if description else "")
    yield f"scores:   {', '.join(map(str, match.outcome.scores)) or 'none'}"
    yield f"scene:    {scene_hash(shown):08x}"


def _choose(texts: list[str], rng: Random) -> str:
    """Choose at random. Only random() gives the same numbers in every version of Python."""
    return texts[int(rng.random() * len(texts))]


def _position(game: Game[Any], state: Any) -> Iterator[str]:
    mover = game.to_move(state)
    yield f"position: {game.print(state)}"
    yield f"to move:  {'none' if mover is None else game.info.seats[mover].name}"


def _legal(texts: list[str]) -> Iterator[str]:
    yield f"legal:    {len(texts)}"
    left = len(texts) - MAX_MOVES
    more = [f"… and {left} more"] if left > 0 else []
    yield from _wrapped([*texts[:MAX_MOVES], *more])


def _wrapped(texts: Iterable[str]) -> Iterator[str]:
    """Yield the texts in lines of at most `WIDTH` columns, without breaking one: a move may contain a space."""
    line = " " * 10
    for text in texts:
        if len(line) + len(text) > WIDTH:
            yield line.rstrip()
            line = " " * 10
        line += f"{text}  "
    yield line.rstrip()


def _played(game: Game[Any], before: Any, move: Move, text: str, shown: Scene) -> Iterator[str]:
    """Yield the move, and the marks and the note that it leaves on the board."""
    picks = (f"{game.place(before, pick)} = {pick}" for pick in move)
    yield f"picks:    {', '.join(picks)}"
    yield f"played:   {text}"
    yield f"marks:    {'; '.join(_mark(game, before, mark) for mark in shown.marks)}"
    if shown.note:
        yield f"note:     {shown.note}"


def _mark(game: Game[Any], state: Any, mark: MarkedPlaces) -> str:
    kind, *places = mark
    return f"{Mark(kind).name.lower()} {' '.join(game.place(state, place) for place in places)}"
