"""The API as an OpenAPI 3.1 document, generated from the operations and from the structs that they take and return."""

from __future__ import annotations

import inspect
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, get_args

import msgspec

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Scope
from parlour.server.api.operation import PLAIN_TYPE, Operation, Tag, status_of
from parlour.server.api.operations import OPERATIONS
from parlour.server.api.replies import Problem
from parlour.server.connections.http import API_PATH, JSON_TYPE

VERSION = "1.0.0"  # of the API: the first number is the one in its path
REF = "#/components/schemas/{name}"

# The meaning of each field of the protocol's structs. `python -m publish` writes this file.
Meanings = Mapping[str, Mapping[str, str]]
MEANINGS = Path(__file__).with_name("field_meanings.json")

ABOUT = (
    "Games, players, records and live games by HTTP, and everything that a bot needs to play. Replies are the messages "
    "of the WebSocket protocol, refusals have its codes and sentences, and commands go the same way: what is answered "
    "with success is stored. http-api.md explains tokens, scopes, streams and limits."
)
TAGS: Mapping[Tag, str] = {
    "games": "The games of the server.",
    "players": "Players, their ratings and their games.",
    "records": "Finished games.",
    "rooms": "One game: following it and playing it.",
    "lobby": "Live games, seeks, challenges and the queue.",
    "tournaments": "Tournaments, their standings and games.",
    "positions": "Analysis and pictures of positions.",
    "account": "Guests, tokens, and what concerns a player.",
}
TOKEN = (
    "The token of a player or a bot. A token without limits allows everything; the others have scopes: "
    f"{', '.join(get_args(Scope))}."
)
KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "Any text. A request with the same key and token is not carried out again, but answered again.",
    "schema": {"type": "string", "maxLength": 256},
}

ANY = (
    ErrorCode.REQUEST_MALFORMED, ErrorCode.TOKEN_UNKNOWN, ErrorCode.SUSPENDED, ErrorCode.BANNED, ErrorCode.TOO_FAST,
    ErrorCode.OVER_BUDGET, ErrorCode.TRY_AGAIN,
)  # fmt: skip


def text(meanings: Meanings | None = None) -> str:
    """Return the whole document, with the meanings of fields from the file, or as given."""
    return json.dumps(document(meanings), ensure_ascii=False, indent=1) + "\n"


def document(meanings: Meanings | None = None) -> dict[str, Any]:
    if meanings is None:
        meanings = msgspec.json.decode(MEANINGS.read_bytes())
    kinds = [Problem, *(operation.input for operation in OPERATIONS), *_replies()]
    schemas, components = msgspec.json.schema_components(kinds, ref_template=REF)
    by_kind = dict(zip(kinds, schemas, strict=True))
    for name, component in components.items():
        _describe(component, meanings.get(name, {}))
    paths: dict[str, dict[str, Any]] = defaultdict(dict)
    for operation in OPERATIONS:
        given = components[operation.input.__name__]
        paths[operation.path][operation.method.lower()] = _operation(operation, given, by_kind)
    used = _used(components, paths)
    found: dict[str, Any] = _tidy(
        {
            "openapi": "3.1.0",
            "info": {"title": "Parlour", "version": VERSION, "description": ABOUT, "license": {"name": "MIT"}},
            "servers": [{"url": API_PATH.rstrip("/"), "description": "Any Parlour server."}],
            "tags": [{"name": tag, "description": about} for tag, about in TAGS.items()],
            "paths": paths,
            "components": {
                "schemas": {name: components[name] for name in components if name in used},
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": TOKEN}},
            },
        }
    )
    return found


def _describe(schema: dict[str, Any], meanings: Mapping[str, str]) -> None:
    """Add descriptions to the schema of a struct, and the names of its fields to that of an array."""
    tag = 1 if "prefixItems" in schema and schema["prefixItems"][0].get("enum") == [0] else 0
    for item, (name, meaning) in zip(schema.get("prefixItems", [])[tag:], meanings.items(), strict=False):
        item |= {"title": name, "description": meaning}
    for name, field in schema.get("properties", {}).items():
        if name in meanings:
            field.setdefault("description", meanings[name])


def _replies() -> Iterator[Any]:
    for operation in OPERATIONS:
        if isinstance(operation.reply, tuple):  # not a union: msgspec allows no array-like struct in one
            yield from operation.reply
        elif operation.reply is not None:
            yield operation.reply


def _operation(operation: Operation, given: Mapping[str, Any], by_kind: Mapping[Any, Any]) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.about,
        "security": _security(operation),
        "parameters": list(_parameters(operation, given["properties"])),
    }
    if operation.has_body:
        names = [name for name in operation.fields if name not in operation.in_path]
        required = [name for name in given.get("required", ()) if name in names]
        body = {
            "type": "object",
            "properties": {name: given["properties"][name] for name in names},
            "required": required,
            "additionalProperties": False,
        }
        shown["requestBody"] = {"required": bool(required), "content": {JSON_TYPE: {"schema": body}}}
    shown["responses"] = _responses(operation, by_kind)
    return {name: value for name, value in shown.items() if value not in ("", [])}


def _security(operation: Operation) -> list[dict[str, list[str]]]:
    match operation.scope:
        case None:
            return [{}, {"token": []}]
        case "any" | "account":
            return [{"token": []}]
        case scope:
            return [{"token": [scope]}]


def _parameters(operation: Operation, properties: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name in operation.fields:
        schema = dict(properties[name])
        if name in operation.in_path:
            place = {"name": name, "in": "path", "required": True}
        elif operation.method == "GET":
            place = {"name": name, "in": "query"}
            if operation.fields[name].required:
                place["required"] = True
            schema = _without_null(schema)
        else:
            continue
        if "description" in schema:
            place["description"] = schema.pop("description")
        yield {**place, "schema": schema}
    if operation.method == "POST" and operation.scope is not None:
        yield KEY


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a parameter without null: a parameter is left out instead."""
    if "anyOf" not in schema:
        return schema
    options = [option for option in schema.pop("anyOf") if option != {"type": "null"}]
    if schema.get("default", 0) is None:
        del schema["default"]
    return {**schema, **(options[0] if len(options) == 1 else {"anyOf": options})}


def _responses(operation: Operation, by_kind: Mapping[Any, Any]) -> dict[str, Any]:
    success: dict[str, Any] = {}
    for kind in operation.formats:
        if isinstance(operation.reply, tuple):
            success[kind] = {"schema": {"anyOf": [by_kind[each] for each in operation.reply]}}
        elif operation.reply is not None:
            success[kind] = {"schema": by_kind[operation.reply]}
        elif kind == PLAIN_TYPE:
            success[kind] = {"schema": {"type": "string"}}
        else:
            success[kind] = {}
    each = "Each line is one of these. " if operation.is_stream else ""
    found = {str(int(operation.status)): {"description": f"{each}{operation.status.phrase}.", "content": success}}
    if operation.method == "GET" and not operation.is_stream:
        found["304"] = {"description": "The client has it already: its ETag was in If-None-Match."}
    refused = defaultdict(list)
    codes = [*ANY, *operation.codes]
    if operation.scope not in (None, "any"):
        codes.append(ErrorCode.SCOPE_MISSING)
    if operation.has_body:
        codes.append(ErrorCode.REQUEST_TOO_LARGE)
    for code in dict.fromkeys(codes):
        refused[status_of(code)].append(code)
    if operation.method == "GET" and len(operation.fields) > len(operation.in_path):
        refused[HTTPStatus.REQUEST_URI_TOO_LONG].append(ErrorCode.REQUEST_TOO_LARGE)
    if operation.has_body or (operation.method == "GET" and len(operation.fields) > len(operation.in_path)):
        refused.setdefault(HTTPStatus.UNPROCESSABLE_ENTITY, [ErrorCode.REQUEST_MALFORMED])
    if operation.in_path:
        refused.setdefault(HTTPStatus.NOT_FOUND, [])
    problem = {JSON_TYPE: {"schema": by_kind[Problem]}}
    for status, reasons in sorted(refused.items()):
        told = ", ".join(f"`{code}`" for code in reasons) or "There is nothing at this address."
        found[str(int(status))] = {"description": told, "content": problem}
    return found


def _used(components: Mapping[str, Any], paths: Mapping[str, Any]) -> set[str]:
    """Return the schemas that are referred to, directly or through others."""
    found: set[str] = set()
    waiting = list(_references(paths))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _references(components[name])
    return found


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        if isinstance(ref := value.get("$ref"), str):
            yield ref.rpartition("/")[2]
        for each in value.values():
            yield from _references(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _references(each)


def _tidy(value: Any) -> Any:
    """Return the document with docstrings in one line each, and the same for all versions of msgspec."""
    if isinstance(value, list | tuple):
        return [_tidy(each) for each in value]
    if not isinstance(value, Mapping):
        return value
    found = {key: _tidy(each) for key, each in value.items()}
    if isinstance(options := found.get("anyOf"), list):
        options.sort(key=lambda option: (option == {"type": "null"}, json.dumps(option)))
    if isinstance(about := found.get("description"), str):
        paragraphs = inspect.cleandoc(about).split("\n\n")
        found["description"] = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    return found
