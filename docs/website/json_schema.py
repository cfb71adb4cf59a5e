"""JSON schemas as Markdown, for the pages about AsyncAPI and OpenAPI documents."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

SCHEMAS = "#/components/schemas/"


def table(titles: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Return a table; empty if it has no rows."""
    if not rows:
        return ""
    lines = [titles, ("---",) * len(titles), *rows]
    return "\n".join("| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def one_line(text: str) -> str:
    """Return a text without line breaks, for a table or a heading."""
    return " ".join(text.split())


def example(value: Any) -> str:
    """Return a value as a block of JSON."""
    short = json.dumps(value, ensure_ascii=False)
    return f"```json\n{short if len(short) <= 100 else json.dumps(value, ensure_ascii=False, indent=2)}\n```"


def anchor_of(reference: str) -> str:
    """Return the anchor of the schema that a reference names."""
    return reference.removeprefix(SCHEMAS).lower()


def type_in_words(schema: Any) -> str:
    """Return the type that a schema describes, with links to named schemas."""
    if schema is True or not schema:
        return "anything"
    if "$ref" in schema:
        return f"[{schema['$ref'].removeprefix(SCHEMAS)}](#{anchor_of(schema['$ref'])})"
    if "const" in schema:
        return f"`{json.dumps(schema['const'], ensure_ascii=False)}`"
    if "enum" in schema:
        return _either([f"`{json.dumps(value, ensure_ascii=False)}`" for value in schema["enum"]])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return _either([type_in_words(part) for part in schema[key]])
    if "allOf" in schema:
        return " and ".join(type_in_words(part) for part in schema["allOf"])
    kind: Any = schema.get("type", "anything")
    if isinstance(kind, list):
        return _either(kind)
    if kind == "array":
        return _array(schema)
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"map to {type_in_words(schema['additionalProperties'])}"
    return f"{kind}{_bounds(schema)}"


def _either(parts: list[str]) -> str:
    return " or ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _array(schema: dict[str, Any]) -> str:
    fixed = schema.get("prefixItems") or (schema["items"] if isinstance(schema.get("items"), list) else None)
    if fixed is not None:
        names = [item.get("title") or type_in_words(item) for item in fixed]
        return f"array [{', '.join(names)}]"
    return f"array of {type_in_words(schema.get('items', True))}" + _bounds(schema)


def _bounds(schema: dict[str, Any]) -> str:
    said = []
    for low, high, unit in (
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", " items"),
    ):
        least, most = schema.get(low), schema.get(high)
        if least is not None and most is not None:
            said.append(f"{least:,} to {most:,}{unit}")
        elif least is not None:
            said.append(f"at least {least:,}{unit}")
        elif most is not None:
            said.append(f"at most {most:,}{unit}")
    if "pattern" in schema:
        said.append(f"`{schema['pattern']}`")
    return f" ({', '.join(said)})" if said else ""


def properties(schema: dict[str, Any]) -> str:
    """Return a table of the fields of an object, or of the items of an array."""
    required = schema.get("required", [])
    items = schema.get("prefixItems") or (schema["items"] if isinstance(schema.get("items"), list) else [])
    rows = [
        (f"`{name}`", type_in_words(_undescribed(field)), _presence(name, field, required), _about(field))
        for name, field in schema.get("properties", {}).items()
    ]
    rows += [
        (f"`{item.get('title', position)}`", type_in_words(_undescribed(item)), "required", _about(item))
        for position, item in enumerate(items)
    ]
    return table(("field", "type", "if absent", "meaning"), rows)


def schemas(document: dict[str, Any]) -> list[str]:
    """Return a section for each named schema of a document."""
    parts = []
    for name, schema in document.get("components", {}).get("schemas", {}).items():
        parts += [f"### {name}", schema.get("description", ""), properties(schema) or type_in_words(schema)]
    return parts


def _undescribed(field: Any) -> Any:
    """Return a field's schema without the wrapper that gives a reference its description."""
    if isinstance(field, dict) and len(field.get("allOf", [])) == 1:
        return field["allOf"][0]
    return field


def _about(field: Any) -> str:
    return field.get("description", "") if isinstance(field, dict) else ""


def _presence(name: str, field: Any, required: list[str]) -> str:
    if name in required:
        return "required"
    if isinstance(field, dict) and "default" in field:
        return f"`{json.dumps(field['default'], ensure_ascii=False)}`"
    return "optional"
