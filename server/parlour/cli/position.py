"""Arguments for a position: the options of the game and the text of the position."""

from __future__ import annotations

import argparse
from typing import Any

import msgspec

from parlour import games
from parlour.games.api import Game
from parlour.games.options import Options
from parlour.protocol.errors import ErrorCode, Refusal


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--options", metavar="JSON", default="{}", help="options of the game, as a JSON object")
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
    try:
        given = msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        sentence = f'--options must be a JSON object such as {{"name": "value"}}: {error}.'
        raise Refusal(ErrorCode.REQUEST_MALFORMED, sentence) from error
    return game.options(given)
