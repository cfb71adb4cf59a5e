"""The arguments that name a position."""

from __future__ import annotations

import argparse

import pytest

from parlour import games
from parlour.cli.position import add_arguments, settled, start
from parlour.protocol.errors import ErrorCode, Refusal

REPLICA = games.find("replica")


def parsed(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    add_arguments(parser)
    return parser.parse_args(arguments)


def refused(text: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        settled(REPLICA, text)
    return caught.value


def test_a_game_alone_means_its_first_position() -> None:
    """Without options and position these are the game's own."""
    game, state = start(parsed("replica"))

    assert game is REPLICA
    assert state == REPLICA.initial(REPLICA.options({}))


def test_options_and_position() -> None:
    """Both are heeded: the position is read with the options."""
    text = "/".join(["." * 12] * 10 + ["W" + "." * 11, "." * 11 + "B"]) + " w"
    _, state = start(parsed("replica", "--options", '{"size": 12, "kings": "2"}', "--position", text))

    assert REPLICA.print(state) == text
    assert (state.size, state.two_kings) == (12, True)


@pytest.mark.parametrize(
    "text",
    ["", "x", "[]", "null", "8", '"size"', "{", '{"size"}', "{'size': 8}", '{"size": 8} x', "{1: 8}", '{"\ud800": 1}',
     "\x00", '{"size": ' + "[" * 100_000 + "]" * 100_000 + "}"],
)  # fmt: skip
def test_options_are_a_json_object(text: str) -> None:
    """Anything else is refused with an example of one."""
    refusal = refused(text)

    assert refusal.code == ErrorCode.REQUEST_MALFORMED
    assert refusal.sentence.startswith('--options must be a JSON object such as {"name": "value"}: ')


def test_options_are_settled_by_the_game() -> None:
    """Defaults are filled in, and what the game does not know is refused by it."""
    assert settled(REPLICA, "{}") == REPLICA.options({})
    assert settled(REPLICA, '{"size": 16}') == REPLICA.options({"size": 16})
    assert refused('{"sise": 8}').code == ErrorCode.OPTION_UNKNOWN
    assert refused('{"size": 9}').code == ErrorCode.OPTION_INVALID
