"""Every field of the reference has a description."""

from __future__ import annotations

import pytest

from publish.field_descriptions import DESCRIPTIONS
from publish.model import protocol

FIELDS = [
    (f"{definition.name}.{field.name}", field)
    for definition in (*protocol().messages, *protocol().parts)
    for field in definition.fields
]


def test_no_field_is_without_a_description() -> None:
    """A comment in the source or an entry here describes each field."""
    assert [name for name, field in FIELDS if not field.about] == []


@pytest.mark.parametrize("name", [name for name in DESCRIPTIONS if "." in name])
def test_every_description_belongs_to_a_field(name: str) -> None:
    """There are no descriptions of fields that no longer exist."""
    assert name in dict(FIELDS)
