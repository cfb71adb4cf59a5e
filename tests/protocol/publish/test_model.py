"""The model of the protocol is complete and describes everything."""

from __future__ import annotations

import ast

import msgspec
import pytest

from parlour.protocol.scene import Mark
from publish.annotations import Bounded, ListOf, MapOf, Named, OneOf, OneOfTexts, Plain, TupleOf, Type, read
from publish.field_descriptions import DESCRIPTIONS
from publish.model import CLIENT_KINDS, SERVER_KINDS, Definition, protocol

TOLD = protocol()
FORMS = (*TOLD.messages, *TOLD.parts)


def names(written: Type) -> set[str]:
    """Return every name that a type refers to."""
    match written:
        case Named(name):
            return {name}
        case ListOf(inner) | MapOf(inner) | Bounded(inner, _, _):
            return names(inner)
        case TupleOf(parts) | OneOf(parts):
            return set().union(*(names(part) for part in parts))
        case _:
            return set()


def test_every_message_is_in_one_section_of_its_sender() -> None:
    """The sections contain every message of the two unions exactly once."""
    for sender, kinds in (("client", CLIENT_KINDS), ("server", SERVER_KINDS)):
        found = [
            definition.kind
            for section in TOLD.sections
            if section.sender == sender
            for definition in section.definitions
        ]

        assert len(found) == len(kinds)
        assert set(found) == set(kinds)


def test_every_name_is_explained() -> None:
    """Every name that a type refers to is a part or an alias."""
    used = set().union(*(names(field.type) for definition in FORMS for field in definition.fields))

    assert used <= {alias.name for alias in TOLD.aliases} | {part.name for part in TOLD.parts}


@pytest.mark.parametrize("definition", [pytest.param(definition, id=definition.name) for definition in FORMS])
def test_fields_are_those_of_the_wire(definition: Definition) -> None:
    """Fields are in wire order, and are required where the decoder requires them."""
    fields = msgspec.structs.fields(definition.kind)

    assert [field.name for field in definition.fields] == [field.encode_name for field in fields]
    assert [field.default is None for field in definition.fields] == [field.required for field in fields]


def test_everything_has_a_meaning() -> None:
    """Every definition, field, alias and mark has a description."""
    silent = [
        f"{definition.name}.{field.name}" for definition in FORMS for field in definition.fields if not field.about
    ]
    silent += [definition.name for definition in FORMS if not definition.about]
    silent += [alias.name for alias in TOLD.aliases if not alias.about]
    silent += [mark.name for mark in TOLD.marks if not mark.about]

    assert silent == []


def test_every_remark_is_needed() -> None:
    """No remark is left that a comment in the source has replaced or whose field no longer exists."""
    said = {field.about for definition in FORMS for field in definition.fields} | {
        alias.about for alias in TOLD.aliases
    }

    assert [key for key, remark in DESCRIPTIONS.items() if remark not in said] == []


def test_words_of_python_are_those_of_the_wire() -> None:
    """Descriptions say null, true and false, for readers who do not know Python."""
    abouts = [field.about for definition in FORMS for field in definition.fields]

    assert not [about for about in abouts if {"None", "True", "False"} & set(about.replace(":", " ").split())]


def test_marks_are_all_there() -> None:
    """Every mark is listed with its number."""
    assert [(mark.name, mark.value) for mark in TOLD.marks] == [(mark.name, mark.value) for mark in Mark]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("int", Plain("int")),
        ("str | None", OneOf((Plain("str"), Plain("None")))),
        ("str | int | bool", OneOf((Plain("str"), Plain("int"), Plain("bool")))),
        ("tuple[Cursor, ...]", ListOf(Named("Cursor"))),
        ("tuple[int, Scene]", TupleOf((Plain("int"), Named("Scene")))),
        ("dict[str, int]", MapOf(Plain("int"))),
        ("Literal['any', 'first']", OneOfTexts(("any", "first"))),
        ("Annotated[int, Meta(ge=0, lt=2**53)]", Bounded(Plain("int"), 0, 2**53 - 1)),
        ("Annotated[str, Meta(min_length=1, max_length=24)]", Bounded(Plain("str"), 1, 24)),
        ("Annotated[tuple[int, ...], Meta(max_length=32)]", Bounded(ListOf(Plain("int")), None, 32)),
    ],
)
def test_annotations_are_read(written: str, meant: Type) -> None:
    """An annotation is read as the type it stands for, with its bounds."""
    assert read(ast.parse(written, mode="eval").body) == meant


@pytest.mark.parametrize("written", ["list[int]", "Annotated[int, Meta(multiple_of=2)]", "3", "dict[int, str]"])
def test_other_annotations_are_refused(written: str) -> None:
    """A type that cannot be published raises an error instead of being published incorrectly."""
    with pytest.raises(ValueError, match="unsupported"):
        read(ast.parse(written, mode="eval").body)
