"""docs/protocol.asyncapi.json: the protocol as an AsyncAPI 3.0.0 document, from the server's point of view.

AsyncAPI expects JSON Schema draft 7. msgspec writes a newer draft, so the differences are rewritten.
"""

from __future__ import annotations

import inspect
import json
from typing import Any

import msgspec
from msgspec import Struct

from parlour.protocol.codec import CODECS
from parlour.protocol.messages import name_of
from publish.markdown import answers
from publish.model import CLIENT_KINDS, SERVER_KINDS, Definition, protocol
from publish.vectors import messages

VERSION = "1.0.0"  # of the protocol: the first number is the one in the names of the subprotocols
PATH = "/ws"

_DESCRIPTION = (
    "A protocol for abstract board games in real time. Read protocol.md first: it explains what a schema cannot. "
    "Messages are sent as MessagePack in binary frames or as JSON in text frames, depending on the subprotocol; "
    "both use the schemas given here."
)


def text() -> str:
    """Return the whole document."""
    return json.dumps(document(), ensure_ascii=False, indent=1) + "\n"


def document() -> dict[str, Any]:
    definitions = protocol().messages
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Parlour",
            "version": VERSION,
            "description": _DESCRIPTION,
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/msgpack",
        "servers": {
            "parlour": {
                "host": "{host}",
                "protocol": "ws",
                "description": "Any Parlour server; wss over the internet.",
                "variables": {"host": {"description": "Host name and port.", "default": "localhost"}},
            }
        },
        "channels": {
            "parlour": {
                "address": PATH,
                "title": "The connection between a client and the server.",
                "messages": {
                    _tag(definition): {"$ref": f"#/components/messages/{_tag(definition)}"}
                    for definition in definitions
                },
                "bindings": {"ws": _binding()},
            }
        },
        "operations": {
            **{_tag(each): _request(each) for each in definitions if each.kind in CLIENT_KINDS},
            "toClient": _operation("send", "Messages from the server.", SERVER_KINDS),
        },
        "components": {
            "messages": {_tag(definition): _message(definition) for definition in definitions},
            "schemas": _schemas(),
        },
    }


def _tag(definition: Definition) -> str:
    assert definition.tag is not None
    return definition.tag


def _binding() -> dict[str, Any]:
    """Describe the WebSocket handshake."""
    chosen = {"type": "string", "enum": list(CODECS), "description": "The encoding of the messages."}
    return {
        "method": "GET",
        "headers": {
            "type": "object",
            "required": ["Sec-WebSocket-Protocol"],
            "properties": {"Sec-WebSocket-Protocol": chosen},
        },
        "bindingVersion": "0.1.0",
    }


def _operation(action: str, title: str, kinds: tuple[type[Struct], ...]) -> dict[str, Any]:
    return {
        "action": action,
        "title": title,
        "channel": {"$ref": "#/channels/parlour"},
        "messages": [{"$ref": f"#/channels/parlour/messages/{name_of(kind)}"} for kind in kinds],
    }


def _request(definition: Definition) -> dict[str, Any]:
    """Describe a message from a client with its answers."""
    title = _line(definition.about.partition("\n\n")[0])
    replies = [{"$ref": f"#/channels/parlour/messages/{name}"} for name in (*answers(definition), "refused")]
    reply = {"channel": {"$ref": "#/channels/parlour"}, "messages": replies}
    return {**_operation("receive", title, (definition.kind,)), "reply": reply}


def _message(definition: Definition) -> dict[str, Any]:
    summary, _, rest = definition.about.partition("\n\n")
    message: dict[str, Any] = {"name": definition.tag, "title": definition.name, "summary": _line(summary)}
    if rest:
        message["description"] = _line(rest)
    message["payload"] = {"$ref": f"#/components/schemas/{definition.name}"}
    # AsyncAPI requires an example to be a map, so `moved`, which is an array, has none.
    if not definition.array:
        found = [vector for vector in messages() if vector.t == definition.tag]
        message["examples"] = [{"name": vector.name, "payload": vector.json} for vector in found]
    return message


# -- schemas


def _schemas() -> dict[str, Any]:
    """Return a draft 7 schema of every struct, with its description."""
    kinds = [*CLIENT_KINDS, *SERVER_KINDS]
    _, found = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    told = protocol()
    definitions = {definition.name: definition for definition in (*told.messages, *told.parts)}
    return {name: _described(_draft7(schema), definitions[name]) for name, schema in found.items()}


def _draft7(schema: Any) -> Any:
    """Rewrite a schema without the keywords that draft 7 lacks."""
    if isinstance(schema, list):
        return [_draft7(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: value if key == "default" else _draft7(value) for key, value in schema.items()}
    if "prefixItems" in found:
        if "items" in found:
            found["additionalItems"] = found.pop("items")
        found["items"] = found.pop("prefixItems")
    if "anyOf" in found:  # the order has no meaning and differs between versions of msgspec
        found["anyOf"].sort(key=lambda option: (option == {"type": "null"}, json.dumps(option)))
    if "$ref" in found and len(found) > 1:  # draft 7 ignores keywords beside a reference
        found["allOf"] = [{"$ref": found.pop("$ref")}]
    return found


def _described(schema: dict[str, Any], definition: Definition) -> dict[str, Any]:
    schema["description"] = _line(definition.about)
    if definition.array:
        items = schema["items"][1 if definition.tag else 0 :]
        for position, (field, item) in enumerate(
            zip(definition.fields, items, strict=True), start=1 if definition.tag else 0
        ):
            schema["items"][position] = {"title": field.name, **_beside(item, field.about)}
    else:
        for field in definition.fields:
            schema["properties"][field.name] = _beside(schema["properties"][field.name], field.about)
    return schema


def _beside(schema: dict[str, Any], about: str) -> dict[str, Any]:
    if "$ref" in schema:
        schema = {"allOf": [schema]}
    return {"description": about, **schema}


def _line(about: str) -> str:
    """Return a docstring without line breaks inside its paragraphs."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in inspect.cleandoc(about).split("\n\n"))
