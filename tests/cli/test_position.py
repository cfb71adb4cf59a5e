"""The arguments for a position."""

from __future__ import annotations

import argparse

import pytest

from parlour import games
from parlour.cli.position import add_arguments, parse_options, start
from parlour.protocol.errors import ErrorCode, Refusal

REPLICA = games.find("replica")


def parsed(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    add_arguments(parser)
    return parser.parse_args(arguments)


def refused(text: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        parse_options(REPLICA, text)
    return caught.value


def test_the_initial_position_is_the_default() -> None:
    """Without options and position the game starts as usual."""
    game, state = start(parsed("replica"))

    assert game is REPLICA
    assert state == REPLICA.initial(REPLICA.options({}))


def test_options_and_position() -> None:
    """The position is parsed with the given options."""
    text = "/".join(["." * 12] * 10 + ["W" + "." * 11, "." * 11 + "B"]) + " w"
    _, state = start(parsed("replica", "--options", '{"size": 12, "kings": "2"}', "--position", text))

    assert REPLICA.print(state) == text
    assert (state.size, state.two_kings) == (12, True)


def test_options_are_completed_by_the_game() -> None:
    """The game fills in defaults and refuses unknown options."""
    assert parse_options(REPLICA, "{}") == REPLICA.options({})
    assert parse_options(REPLICA, '{"size": 16}') == REPLICA.options({"size": 16})
    assert refused('{"sise": 8}').code == ErrorCode.OPTION_UNKNOWN
    assert refused('{"size": 9}').code == ErrorCode.OPTION_INVALID
