"""Annotations in the source are converted to types that can be published."""

from __future__ import annotations

import ast

import pytest

from publish.annotations import Bounded, ListOf, MapOf, Named, OneOf, OneOfTexts, Plain, TupleOf, Type, read


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("int", Plain("int")),
        ("Clock", Named("Clock")),
        ("Clock | None", OneOf((Named("Clock"), Plain("None")))),
        ("tuple[Seat, ...]", ListOf(Named("Seat"))),
        ("tuple[int, str]", TupleOf((Plain("int"), Plain("str")))),
        ("dict[str, Clock]", MapOf(Named("Clock"))),
        ('Literal["any", "first"]', OneOfTexts(("any", "first"))),
        ("Annotated[int, Meta(ge=0, lt=2**53)]", Bounded(Plain("int"), 0, 2**53 - 1)),
        ("Annotated[str, Meta(max_length=32)]", Bounded(Plain("str"), None, 32)),
    ],
)
def test_an_annotation_is_read(source: str, expected: Type) -> None:
    """Names, unions, lists, tuples, maps, literals and bounds are recognised."""
    assert read(ast.parse(source, mode="eval").body) == expected


def test_an_unsupported_annotation_is_an_error() -> None:
    """A type that the reference cannot describe raises an error on publication."""
    with pytest.raises(ValueError, match="unsupported"):
        read(ast.parse("set[int]", mode="eval").body)
