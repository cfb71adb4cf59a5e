"""Types and values as the reference shows them."""

from __future__ import annotations

import json

import pytest

from publish.annotations import Bounded, ListOf, MapOf, Named, OneOf, OneOfTexts, Plain, TupleOf, Type
from publish.formatting import WIDTH, pretty_json, type_in_words


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (Plain("bool"), "true or false"),
        (Named("Clock"), "[Clock](#clock)"),
        (ListOf(Plain("str")), "list of texts"),
        (ListOf(OneOf((Plain("int"), Named("Clock")))), "list, each item whole number or [Clock](#clock)"),
        (TupleOf((Plain("int"), Plain("str"))), "[whole number, text]"),
        (MapOf(Plain("int")), "map from text to whole number"),
        (OneOfTexts(("any", "first", "second")), "`any`, `first` or `second`"),
        (Bounded(Plain("str"), 1, 24), "text (1 to 24 characters)"),
        (Bounded(Plain("int"), 0, None), "whole number (0 or more)"),
    ],
)
def test_a_type_in_words(written: Type, words: str) -> None:
    """Each type has a phrase that requires no knowledge of Python."""
    assert type_in_words(written, {"Clock": "clock"}) == words


def test_long_json_is_broken_into_lines() -> None:
    """A value that does not fit on one line is split over several, and remains the same value."""
    value = {"short": [1, 2], "long": list(range(100)), "deep": {"a": "x" * 60, "b": "y" * 60}}
    text = pretty_json(value)
    assert json.loads(text) == value
    assert max(len(line.rstrip(",")) for line in text.splitlines()) <= WIDTH
