"""The arguments that name a position: a game, its options, a position text."""

from __future__ import annotations

import argparse
from typing import Any

import msgspec

from parlour import games
from parlour.games.api import Game
from parlour.games.options import Options
from parlour.protocol.errors import ErrorCode, Refusal


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--options", metavar="JSON", default="{}", help="the game's options, as a JSON object")
    parser.add_argument("--position", metavar="TEXT", help="start from this position instead of the first one")


def start(arguments: argparse.Namespace) -> tuple[Game[Any], Any]:
    """The game and the position that the arguments name."""
    game = games.find(arguments.game)
    options = settled(game, arguments.options)
    if arguments.position is None:
        return game, game.initial(options)
    return game, game.parse(arguments.position, options)


def settled(game: Game[Any], text: str) -> Options:
    try:
        given = msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        sentence = f'--options must be a JSON object such as {{"name": "value"}}: {fault}.'
        raise Refusal(ErrorCode.REQUEST_MALFORMED, sentence) from fault
    return game.options(given)
