"""docs/protocol.asyncapi.json: the protocol as an AsyncAPI 3.0.0 document, as the server sees it.

AsyncAPI reads schemas as JSON Schema draft 7; msgspec writes a newer draft, so what differs between them is rewritten.
"""

from __future__ import annotations

import inspect
import json
from typing import Any

import msgspec
from msgspec import Struct

from parlour.protocol.codec import CODECS
from parlour.protocol.messages import name_of
from publish.model import CLIENT_KINDS, SERVER_KINDS, Form, protocol
from publish.vectors import messages

VERSION = "1.0.0"  # of the protocol: the first number is the one in the names of the subprotocols
PATH = "/ws"

_DESCRIPTION = (
    "Real-time play of abstract board games. Read protocol.md first: it explains what a schema cannot say. "
    "Messages are sent as MessagePack in binary frames or as JSON in text frames, depending on the subprotocol; "
    "both have the schemas given here."
)


def text() -> str:
    """The whole document."""
    return json.dumps(document(), ensure_ascii=False, indent=1) + "\n"


def document() -> dict[str, Any]:
    forms = protocol().messages
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
                "description": "Any server of Parlour; wss where it is reached over the internet.",
                "variables": {"host": {"description": "Name and port.", "default": "localhost"}},
            }
        },
        "channels": {
            "parlour": {
                "address": PATH,
                "title": "The one connection of a client.",
                "messages": {_tag(form): {"$ref": f"#/components/messages/{_tag(form)}"} for form in forms},
                "bindings": {"ws": _binding()},
            }
        },
        "operations": {
            "fromClient": _operation("receive", "What clients say.", CLIENT_KINDS),
            "toClient": _operation("send", "What the server says.", SERVER_KINDS),
        },
        "components": {
            "messages": {_tag(form): _message(form) for form in forms},
            "schemas": _schemas(),
        },
    }


def _tag(form: Form) -> str:
    assert form.tag is not None
    return form.tag


def _binding() -> dict[str, Any]:
    """The handshake."""
    chosen = {"type": "string", "enum": list(CODECS), "description": "The form of the messages."}
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


def _message(form: Form) -> dict[str, Any]:
    summary, _, rest = form.about.partition("\n\n")
    message: dict[str, Any] = {"name": form.tag, "title": form.name, "summary": _line(summary)}
    if rest:
        message["description"] = _line(rest)
    message["payload"] = {"$ref": f"#/components/schemas/{form.name}"}
    # The specification wants an example to be a map, so the one message that is an array has none here.
    if not form.array:
        found = [vector for vector in messages() if vector.t == form.tag]
        message["examples"] = [{"name": vector.name, "payload": vector.json} for vector in found]
    return message


# -- schemas


def _schemas() -> dict[str, Any]:
    """Every struct as a schema of draft 7, with its texts."""
    kinds = [*CLIENT_KINDS, *SERVER_KINDS]
    _, found = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    told = protocol()
    forms = {form.name: form for form in (*told.messages, *told.parts)}
    return {name: _described(_draft7(schema), forms[name]) for name, schema in found.items()}


def _draft7(schema: Any) -> Any:
    """The same schema, without the words that draft 7 does not know."""
    if isinstance(schema, list):
        return [_draft7(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: value if key == "default" else _draft7(value) for key, value in schema.items()}
    if "prefixItems" in found:
        if "items" in found:
            found["additionalItems"] = found.pop("items")
        found["items"] = found.pop("prefixItems")
    if "anyOf" in found:  # their order means nothing and differs between versions of msgspec
        found["anyOf"].sort(key=lambda option: (option == {"type": "null"}, json.dumps(option)))
    if "$ref" in found and len(found) > 1:  # draft 7 ignores whatever stands beside a reference
        found["allOf"] = [{"$ref": found.pop("$ref")}]
    return found


def _described(schema: dict[str, Any], form: Form) -> dict[str, Any]:
    schema["description"] = _line(form.about)
    if form.array:
        items = schema["items"][1 if form.tag else 0 :]
        for position, (field, item) in enumerate(zip(form.fields, items, strict=True), start=1 if form.tag else 0):
            schema["items"][position] = {"title": field.name, **_beside(item, field.about)}
    else:
        for field in form.fields:
            schema["properties"][field.name] = _beside(schema["properties"][field.name], field.about)
    return schema


def _beside(schema: dict[str, Any], about: str) -> dict[str, Any]:
    if "$ref" in schema:
        schema = {"allOf": [schema]}
    return {"description": about, **schema}


def _line(about: str) -> str:
    """A docstring without its line breaks, paragraph by paragraph."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in inspect.cleandoc(about).split("\n\n"))
