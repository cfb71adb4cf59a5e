"""The argument --options: the options of a game, as a JSON object."""

from __future__ import annotations

import argparse

import msgspec

from parlour.protocol.errors import ErrorCode, Refusal


def add_options_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--options", metavar="JSON", default="{}", help="options of the game, as a JSON object")


def read_options(text: str) -> dict[str, str | int | bool]:
    """Return the options that the user has given. Raise Refusal if the text is not a JSON object of simple values."""
    try:
        return msgspec.json.decode(text, type=dict[str, str | int | bool])
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        sentence = f'--options must be a JSON object such as {{"name": "value"}}: {error}.'
        raise Refusal(ErrorCode.REQUEST_MALFORMED, sentence) from error
