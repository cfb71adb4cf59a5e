"""The model of the protocol is complete, and has something to say about everything."""

from __future__ import annotations

import ast

import msgspec
import pytest

from parlour.protocol.scene import Mark
from publish.annotations import Bounded, Listed, Mapped, Named, OneOf, Plain, Row, Type, Words, read
from publish.model import CLIENT_KINDS, SERVER_KINDS, Form, protocol
from publish.remarks import REMARKS

TOLD = protocol()
FORMS = (*TOLD.messages, *TOLD.parts)


def names(written: Type) -> set[str]:
    """Every name that a type refers to."""
    match written:
        case Named(name):
            return {name}
        case Listed(inner) | Mapped(inner) | Bounded(inner, _, _):
            return names(inner)
        case Row(parts) | OneOf(parts):
            return set().union(*(names(part) for part in parts))
        case _:
            return set()


def test_every_message_is_in_one_section_of_its_sender() -> None:
    """The sections hold every message of the two unions, once."""
    for sender, kinds in (("client", CLIENT_KINDS), ("server", SERVER_KINDS)):
        found = [form.kind for section in TOLD.sections if section.sender == sender for form in section.forms]

        assert len(found) == len(kinds)
        assert set(found) == set(kinds)


def test_every_name_is_explained() -> None:
    """Whatever a type refers to is a part or an alias."""
    used = set().union(*(names(field.type) for form in FORMS for field in form.fields))

    assert used <= {alias.name for alias in TOLD.aliases} | {part.name for part in TOLD.parts}


@pytest.mark.parametrize("form", [pytest.param(form, id=form.name) for form in FORMS])
def test_fields_are_those_of_the_wire(form: Form) -> None:
    """Fields come in the order in which they are written, and are required where the decoder requires them."""
    fields = msgspec.structs.fields(form.kind)

    assert [field.name for field in form.fields] == [field.encode_name for field in fields]
    assert [field.default is None for field in form.fields] == [field.required for field in fields]


def test_everything_has_a_meaning() -> None:
    """No form, field, alias or mark goes without words."""
    silent = [f"{form.name}.{field.name}" for form in FORMS for field in form.fields if not field.about]
    silent += [form.name for form in FORMS if not form.about]
    silent += [alias.name for alias in TOLD.aliases if not alias.about]
    silent += [mark.name for mark in TOLD.marks if not mark.about]

    assert silent == []


def test_every_remark_is_needed() -> None:
    """No remark is left that a comment in the source has replaced, or whose field is gone."""
    said = {field.about for form in FORMS for field in form.fields} | {alias.about for alias in TOLD.aliases}

    assert [key for key, remark in REMARKS.items() if remark not in said] == []


def test_words_of_python_are_those_of_the_wire() -> None:
    """Comments say null, true and false to people who do not know Python."""
    abouts = [field.about for form in FORMS for field in form.fields]

    assert not [about for about in abouts if {"None", "True", "False"} & set(about.replace(":", " ").split())]


def test_marks_are_all_there() -> None:
    """Every mark is told with its number."""
    assert [(mark.name, mark.value) for mark in TOLD.marks] == [(mark.name, mark.value) for mark in Mark]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("int", Plain("int")),
        ("str | None", OneOf((Plain("str"), Plain("None")))),
        ("str | int | bool", OneOf((Plain("str"), Plain("int"), Plain("bool")))),
        ("tuple[Standing, ...]", Listed(Named("Standing"))),
        ("tuple[int, Scene]", Row((Plain("int"), Named("Scene")))),
        ("dict[str, int]", Mapped(Plain("int"))),
        ("Literal['any', 'first']", Words(("any", "first"))),
        ("Annotated[int, Meta(ge=0, lt=2**53)]", Bounded(Plain("int"), 0, 2**53 - 1)),
        ("Annotated[str, Meta(min_length=1, max_length=24)]", Bounded(Plain("str"), 1, 24)),
        ("Annotated[tuple[int, ...], Meta(max_length=32)]", Bounded(Listed(Plain("int")), None, 32)),
    ],
)
def test_annotations_are_read(written: str, meant: Type) -> None:
    """An annotation is read as the type it stands for, with its bounds."""
    assert read(ast.parse(written, mode="eval").body) == meant


@pytest.mark.parametrize("written", ["list[int]", "Annotated[int, Meta(multiple_of=2)]", "3", "dict[int, str]"])
def test_other_annotations_are_refused(written: str) -> None:
    """A type that nothing here can publish is found when it is first used, not when it is published wrongly."""
    with pytest.raises(ValueError, match="no idea"):
        read(ast.parse(written, mode="eval").body)
