"""The argument --options."""

from __future__ import annotations

import argparse

import pytest

from parlour.cli.options_argument import add_options_argument, read_options
from parlour.protocol.errors import ErrorCode, Refusal


def test_without_the_argument_no_option_is_given() -> None:
    """The default is an empty object."""
    parser = argparse.ArgumentParser()
    add_options_argument(parser)

    assert read_options(parser.parse_args([]).options) == {}


def test_options_are_words_numbers_and_truth_values() -> None:
    """The values have the types of JSON."""
    assert read_options('{"size": 12, "kings": "2", "passive": false}') == {"size": 12, "kings": "2", "passive": False}


@pytest.mark.parametrize(
    "text",
    ["", "x", "[]", "null", "8", '"size"', "{", '{"size"}', "{'size': 8}", '{"size": 8} x', "{1: 8}", '{"\ud800": 1}',
     "\x00", '{"size": ' + "[" * 100_000 + "]" * 100_000 + "}", '{"size": 8.5}', '{"size": [8]}', '{"size": null}'],
)  # fmt: skip
def test_options_are_a_json_object(text: str) -> None:
    """Anything else is refused with an example."""
    with pytest.raises(Refusal) as caught:
        read_options(text)

    assert caught.value.code == ErrorCode.REQUEST_MALFORMED
    assert caught.value.sentence.startswith('--options must be a JSON object such as {"name": "value"}: ')
