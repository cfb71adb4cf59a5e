"""Arguments for a position: the options of the game and the text of the position."""

from __future__ import annotations

import argparse
from typing import Any

from parlour import games
from parlour.cli.options_argument import add_options_argument, read_options
from parlour.games.api import Game
from parlour.games.options import Options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options_argument(parser)
    parser.add_argument("--position", metavar="TEXT", help="start from this position instead of the initial one")


def start(arguments: argparse.Namespace) -> tuple[Game[Any], Any]:
    """Return the game and the position given by the arguments."""
    game = games.find(arguments.game)
    options = parse_options(game, arguments.options)
    if arguments.position is None:
        return game, game.initial(options)
    return game, game.parse(arguments.position, options)


def parse_options(game: Game[Any], text: str) -> Options:
    """Return the options in a JSON object, completed and validated by the game."""
    return game.options(read_options(text))
