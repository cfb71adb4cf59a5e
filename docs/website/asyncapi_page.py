"""The page that shows an AsyncAPI document."""

from __future__ import annotations

import json
from typing import Any

from docs.website import json_schema


def text(source: str) -> str:
    """Return the page as Markdown."""
    document: dict[str, Any] = json.loads(source)
    info = document["info"]
    parts = [
        f"# AsyncAPI: {info['title']} {info['version']}",
        info.get("description", ""),
        "The document itself is [protocol.asyncapi.json](protocol.asyncapi.json), for code generators and validators.",
        "## Channels",
        *(_channel(channel) for channel in document["channels"].values()),
        "## Operations",
        "“receive” is what the server receives, “send” what it sends.",
        json_schema.table(
            ("operation", "action", "messages", "replies"),
            [_operation(name, operation) for name, operation in document["operations"].items()],
        ),
        "## Messages",
    ]
    for name, message in document["components"]["messages"].items():
        parts += [f"### {name}", message.get("summary", ""), message.get("description", "")]
        parts.append(f"Payload: {json_schema.type_in_words(message['payload'])}.")
        parts += [json_schema.example(example["payload"]) for example in message.get("examples", [])[:1]]
    parts += ["## Schemas", *json_schema.schemas(document)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _channel(channel: dict[str, Any]) -> str:
    headers = channel.get("bindings", {}).get("ws", {}).get("headers", {})
    said = f"`{channel['address']}`: {channel['title']}"
    return f"{said}\n\n{json_schema.properties(headers)}" if headers else said


def _operation(name: str, operation: dict[str, Any]) -> tuple[str, str, str, str]:
    reply = operation.get("reply", {}).get("messages", [])
    return f"`{name}`", operation["action"], _links(operation["messages"]), _links(reply)


def _links(references: list[dict[str, str]]) -> str:
    names = [reference["$ref"].rpartition("/")[2] for reference in references]
    return ", ".join(f"[{name}](#{name})" for name in names)
