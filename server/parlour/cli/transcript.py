"""`parlour transcript`: a whole match of random moves as text that people can read and files can keep."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import msgspec

from parlour import games
from parlour.cli.position import add_arguments, settled, start
from parlour.cli.rules import winner_word
from parlour.games.api import Game, Move
from parlour.games.match import Match
from parlour.games.options import Options
from parlour.protocol.scene import Mark, MarkedPlaces, Scene, scene_hash

WIDTH = 100
MOST_MOVES = 40
HIGHEST_SEED = 2**53 - 1

DESCRIPTION = """\
Plays a match of random moves and tells everything about it: each position, what could be played and what was, what
players were shown, how it ended. The same seed always gives the same text, on every machine and every Python, so a
text that was kept shows at once what a change of the rules has changed.
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "transcript",
        help="tell a match of random moves, ply by ply",
        description=DESCRIPTION,
        epilog="example: parlour transcript mapello --seed 7",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME", help=f"one of {', '.join(games.keys())}")
    parser.add_argument("--seed", metavar="N", type=_seed, default=0, help="which of the random matches (0)")
    add_arguments(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    game, state = start(arguments)
    for line in transcript(game, settled(game, arguments.options), state, arguments.seed):
        print(line)
    return 0


def transcript(game: Game[Any], options: Options, state: Any, seed: int) -> Iterator[str]:
    """The lines that tell the random match of that seed, from `state` to its end."""
    yield f"game:     {game.info.name} ({game.info.key}), rules version {game.info.rules_version}"
    yield f"options:  {msgspec.json.encode(dict(options), order='sorted').decode()}"
    yield f"seed:     {seed}"
    match, rng, shown = Match(game, options, state), Random(seed), game.scene(state)
    while match.outcome is None:
        before = match.state
        moves = {game.write(before, move): move for move in game.moves(before)}
        text = _chosen(sorted(moves), rng)
        yield ""
        yield f"ply {len(match.moves) + 1}"
        yield from _standing(game, before)
        yield from _legal(sorted(moves))
        match.play(moves[text])
        shown = game.scene_after(before, moves[text], match.state)
        yield from _made(game, before, moves[text], text, shown)
    yield ""
    yield f"end after {len(match.moves)} plies"
    yield from _standing(game, match.state)
    yield f"winner:   {winner_word(game, match.outcome) or 'unknown'}"
    words = game.info.reasons.get(match.outcome.reason)
    yield f"reason:   {match.outcome.reason}" + (f", {words}" if words else "")
    yield f"scores:   {', '.join(map(str, match.outcome.scores)) or 'none'}"
    yield f"scene:    {scene_hash(shown):08x}"


def _chosen(texts: list[str], rng: Random) -> str:
    """Any of them. Of all that Random can do, only random() gives the same numbers in every version of Python."""
    return texts[int(rng.random() * len(texts))]


def _standing(game: Game[Any], state: Any) -> Iterator[str]:
    mover = game.to_move(state)
    yield f"position: {game.print(state)}"
    yield f"to move:  {'nobody' if mover is None else game.info.seats[mover].name}"


def _legal(texts: list[str]) -> Iterator[str]:
    yield f"legal:    {len(texts)}"
    left = len(texts) - MOST_MOVES
    more = [f"… and {left} more"] if left > 0 else []
    yield from _wrapped([*texts[:MOST_MOVES], *more])


def _wrapped(texts: Iterable[str]) -> Iterator[str]:
    """The texts in lines of at most `WIDTH` columns, none of them broken: a move may have a space in it."""
    line = " " * 10
    for text in texts:
        if len(line) + len(text) > WIDTH:
            yield line.rstrip()
            line = " " * 10
        line += f"{text}  "
    yield line.rstrip()


def _made(game: Game[Any], before: Any, move: Move, text: str, shown: Scene) -> Iterator[str]:
    """What was played, and what it left on the board for people to see."""
    picks = (f"{game.place(before, pick)} = {pick}" for pick in move)
    yield f"picks:    {', '.join(picks)}"
    yield f"played:   {text}"
    yield f"marks:    {'; '.join(_mark(game, before, mark) for mark in shown.marks)}"
    if shown.note:
        yield f"note:     {shown.note}"


def _mark(game: Game[Any], state: Any, mark: MarkedPlaces) -> str:
    kind, *places = mark
    return f"{Mark(kind).name.lower()} {' '.join(game.place(state, place) for place in places)}"


def _seed(text: str) -> int:
    seed = int(text) if text.isascii() and text.isdigit() and len(text) <= 16 else -1
    if not 0 <= seed <= HIGHEST_SEED:
        raise argparse.ArgumentTypeError(f"N is a whole number from 0 to {HIGHEST_SEED}")
    return seed
