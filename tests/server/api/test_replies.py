"""The structs that the API has besides the messages."""

from __future__ import annotations

import inspect

import msgspec
from msgspec import Struct

from parlour.server.api import replies


def test_every_struct_is_described() -> None:
    """Its docstring is its description in OpenAPI."""
    kinds = [kind for _, kind in inspect.getmembers(replies, inspect.isclass) if kind.__module__ == replies.__name__]
    assert len(kinds) > 10
    for kind in kinds:
        assert issubclass(kind, Struct)
        schema = msgspec.json.schema(kind)["$defs"][kind.__name__]
        assert schema["description"].endswith("."), kind
