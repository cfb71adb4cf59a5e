"""What the fields mean, for the OpenAPI document."""

from __future__ import annotations

import json

import pytest

from parlour.server.api import openapi
from publish import field_meanings


@pytest.mark.parametrize(
    ("about", "sentence"),
    [
        ("the id of the room", "The id of the room."),
        ("Send it, and keep it secret.", "Send it, and keep it secret."),
        ("`more` of an earlier answer", "`more` of an earlier answer."),
    ],
)
def test_a_meaning_is_a_sentence(about: str, sentence: str) -> None:
    """Whether it was one in the source or not."""
    assert field_meanings.sentence(about) == sentence


def test_structs_of_the_protocol_and_of_the_api_are_there() -> None:
    """With the comments beside their fields, also inherited ones."""
    told = json.loads(field_meanings.text())
    assert told["Play"]["move"] == "The turn in the game's notation; or give `picks`."
    assert told["ExportedGames"]["since"] == told["GamesOfPlayer"]["since"]
    assert told["Invitation"]["player"] == "Who invites."


def test_nothing_in_the_document_is_without_meaning() -> None:
    """Every field, item and parameter of the API is described, except for names of messages."""
    document = openapi.document()
    found = [
        (name, field)
        for name, schema in document["components"]["schemas"].items()
        for field, about in [*schema.get("properties", {}).items(), *enumerate(schema.get("prefixItems", ()))]
        if "description" not in about and field != "t" and about != {"enum": [0]}
    ]
    for path, methods in document["paths"].items():
        for operation in methods.values():
            contents = operation.get("requestBody", {}).get("content", {}).values()
            body = {name: about for content in contents for name, about in content["schema"]["properties"].items()}
            found += [(path, each["name"]) for each in operation.get("parameters", ()) if "description" not in each]
            found += [(path, name) for name, about in body.items() if "description" not in about]
    assert found == []
