"""docs/protocol.asyncapi.json is complete, and its schemas accept valid messages only."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft7Validator

from parlour.protocol.messages import name_of
from publish.__main__ import ROOT, VECTORS
from publish.model import CLIENT_KINDS, SERVER_KINDS, Definition, protocol

DOCUMENT = json.loads((ROOT / "docs" / "protocol.asyncapi.json").read_text("utf-8"))
MESSAGES = json.loads((VECTORS / "messages.json").read_text("utf-8"))
NEWER_WORDS = {"prefixItems", "$defs", "unevaluatedItems", "dependentRequired"}


def inside(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every map in a document."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from inside(item)


def find(reference: str) -> Any:
    found = DOCUMENT
    for name in reference.removeprefix("#/").split("/"):
        found = found[name]
    return found


def validator(name: str) -> Draft7Validator:
    return Draft7Validator({"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]})


def test_it_says_what_it_is() -> None:
    """The document has the parts that the specification requires."""
    assert DOCUMENT["asyncapi"] == "3.0.0"
    assert {"title", "version"} <= set(DOCUMENT["info"])
    (channel,) = DOCUMENT["channels"].values()
    assert channel["address"] == "/ws"
    assert set(channel["bindings"]) == {"ws"}


def test_references_resolve() -> None:
    """Every reference resolves within the document."""
    references = [found["$ref"] for found in inside(DOCUMENT) if "$ref" in found]

    assert references
    for reference in references:
        assert find(reference)


def test_every_message_is_there() -> None:
    """Each message from a client is an operation, and one operation lists the server's; each has a schema."""
    operations = DOCUMENT["operations"]
    listed = [find(reference["$ref"])["$ref"] for reference in operations["toClient"]["messages"]]

    assert listed == [f"#/components/messages/{name_of(kind)}" for kind in SERVER_KINDS]
    assert set(operations) == {"toClient", *(name_of(kind) for kind in CLIENT_KINDS)}
    for kind in (*CLIENT_KINDS, *SERVER_KINDS):
        message = DOCUMENT["components"]["messages"][name_of(kind)]
        assert message["payload"] == {"$ref": f"#/components/schemas/{kind.__name__}"}
        assert message["summary"]


def test_directions_are_those_of_the_server() -> None:
    """The server receives client messages and sends all others."""
    actions = {name: operation["action"] for name, operation in DOCUMENT["operations"].items()}
    assert actions.pop("toClient") == "send"
    assert set(actions.values()) == {"receive"}


def test_every_command_has_its_answers() -> None:
    """The reply of an operation names what answers the message; every command can be refused."""
    replies = {
        name: [find(reference["$ref"])["$ref"].rpartition("/")[2] for reference in operation["reply"]["messages"]]
        for name, operation in DOCUMENT["operations"].items()
        if "reply" in operation
    }
    assert replies["sync"] == ["ok", "room", "refused"]
    assert replies["hello"] == ["welcome", "refused"]
    assert all("refused" in names for names in replies.values())
    assert len(replies) == len(CLIENT_KINDS)


@pytest.mark.parametrize("name", DOCUMENT["components"]["schemas"])
def test_a_schema_is_one_of_draft_7(name: str) -> None:
    """AsyncAPI reads schemas as draft 7, so they use no newer keywords and no siblings of a reference."""
    schema = DOCUMENT["components"]["schemas"][name]
    Draft7Validator.check_schema(schema)

    for part in inside(schema):
        assert not NEWER_WORDS & set(part)
        assert "$ref" not in part or set(part) == {"$ref"}


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector["name"]) for vector in MESSAGES])
def test_a_vector_fits_its_schema(vector: dict[str, Any]) -> None:
    """Every example is valid under the schema of its own message, and under no other."""
    names = {definition.tag: definition.name for definition in protocol().messages}
    fitting = [tag for tag, name in names.items() if validator(name).is_valid(vector["json"])]

    assert fitting == [vector["t"]]


@pytest.mark.parametrize(
    "definition", [pytest.param(definition, id=definition.name) for definition in protocol().messages]
)
def test_a_schema_refuses_what_the_server_refuses(definition: Definition) -> None:
    """Without a required field, or with a fractional number, an example is no longer valid."""
    example = next(vector["json"] for vector in MESSAGES if vector["t"] == definition.tag)
    check = validator(definition.name)
    if definition.array:
        assert not check.is_valid(example[:-1])
        assert not check.is_valid([*example[:2], 1.5, *example[3:]])
        return
    for field in definition.fields:
        if field.default is None:
            assert not check.is_valid({key: value for key, value in example.items() if key != field.name})
        assert not check.is_valid({**example, field.name: 1.5})


def test_every_field_is_described() -> None:
    """The schemas contain the descriptions of the reference."""
    for definition in protocol().messages:
        schema = DOCUMENT["components"]["schemas"][definition.name]
        parts = (
            schema["items"][1:]
            if definition.array
            else [schema["properties"][field.name] for field in definition.fields]
        )

        assert [part["description"] for part in parts] == [field.about for field in definition.fields]
