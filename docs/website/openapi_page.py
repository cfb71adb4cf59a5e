"""The page that shows an OpenAPI document."""

from __future__ import annotations

import json
from typing import Any

from docs.website import json_schema

METHODS = ("get", "head", "post", "put", "patch", "delete")


def text(source: str) -> str:
    """Return the page as Markdown."""
    document: dict[str, Any] = json.loads(source)
    info = document["info"]
    parts = [
        f"# OpenAPI: {info['title']} {info['version']}",
        info.get("description", "").replace("http-api.md", "[The HTTP API](http-api.md)"),
        "The document itself is [http-api.openapi.json](http-api.openapi.json), for code generators and validators.",
        *(f"All paths are below `{server['url']}`." for server in document.get("servers", [])[:1]),
        "## Operations",
        json_schema.table(
            ("operation", "meaning"),
            [
                (f"[`{method.upper()} {path}`](#{_anchor(method, path)})", operation.get("summary", ""))
                for path, method, operation in _operations(document)
            ],
        ),
    ]
    for path, method, operation in _operations(document):
        parts += [f"### {method.upper()} {path}", *_operation(document, path, operation)]
    parts += ["## Schemas", *json_schema.schemas(document)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method, item[method])
        for path, item in document.get("paths", {}).items()
        for method in METHODS
        if method in item
    ]


def _anchor(method: str, path: str) -> str:
    kept = "".join(letter for letter in f"{method} {path}".lower() if letter.isalnum() or letter in "_- ")
    return kept.replace(" ", "-")


def _operation(document: dict[str, Any], path: str, operation: dict[str, Any]) -> list[str]:
    common = document["paths"][path].get("parameters", [])
    parameters = [_resolved(document, each) for each in [*common, *operation.get("parameters", [])]]
    parts = [operation.get("summary", ""), operation.get("description", ""), _security(operation)]
    parts.append(
        json_schema.table(
            ("parameter", "in", "type", "if absent", "meaning"),
            [
                (
                    f"`{parameter['name']}`",
                    parameter["in"],
                    json_schema.type_in_words(parameter.get("schema", {})),
                    "required" if parameter.get("required") else _default(parameter),
                    parameter.get("description", ""),
                )
                for parameter in parameters
            ],
        )
    )
    if "requestBody" in operation:
        body = _resolved(document, operation["requestBody"])
        parts.append(f"Body: {_contents(body)}" + ("." if body.get("required") else ", may be left out."))
        parts += [json_schema.properties(content.get("schema", {})) for content in body.get("content", {}).values()]
    responses = [(status, _resolved(document, response)) for status, response in operation.get("responses", {}).items()]
    parts.append(
        json_schema.table(
            ("status", "meaning", "body"),
            [(f"`{status}`", response.get("description", ""), _contents(response)) for status, response in responses],
        )
    )
    for status, response in responses:
        if status.startswith("2"):
            parts += [
                json_schema.example(content["example"])
                for kind, content in response.get("content", {}).items()
                if kind == "application/json" and "example" in content
            ]
    return parts


def _security(operation: dict[str, Any]) -> str:
    """Return what token a request needs; empty: none."""
    accepted = operation.get("security", [{}])
    if {} in accepted:
        return ""
    scopes = [f"`{scope}`" for schemes in accepted for names in schemes.values() for scope in names]
    return f"Needs a token with the scope {' or '.join(scopes)}." if scopes else "Needs a token."


def _default(parameter: dict[str, Any]) -> str:
    schema = parameter.get("schema", {})
    return f"`{json.dumps(schema['default'])}`" if "default" in schema else "optional"


def _contents(body: dict[str, Any]) -> str:
    found = []
    for kind, content in body.get("content", {}).items():
        found.append(
            f"`{kind}`" + (f" {json_schema.type_in_words(content['schema'])}" if content.get("schema") else "")
        )
    return " or ".join(found)


def _resolved(document: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of the document, or the one that it refers to."""
    if "$ref" not in part:
        return part
    found: Any = document
    for key in part["$ref"].removeprefix("#/").split("/"):
        found = found[key.replace("~1", "/").replace("~0", "~")]
    assert isinstance(found, dict)
    return found
