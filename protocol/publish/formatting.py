"""Formats types and values for the reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from publish.annotations import Bounded, ListOf, MapOf, Named, OneOf, OneOfTexts, Plain, TupleOf, Type

WIDTH = 100

_ONE = {"int": "whole number", "str": "text", "bool": "true or false", "None": "null"}
_MANY = {"int": "whole numbers", "str": "texts"}


def type_in_words(written: Type, links: dict[str, str], many: bool = False) -> str:
    """Describe a type in plain words. `links` maps the name of a type to its anchor on the page."""
    match written:
        case Plain(name):
            return (_MANY if many else _ONE)[name]
        case Named(name):
            return f"[{name}](#{links[name]})"
        case ListOf(OneOf() | Plain("bool") as item):
            return f"{'lists' if many else 'list'}, each item {type_in_words(item, links)}"
        case ListOf(item):
            return f"{'lists' if many else 'list'} of {type_in_words(item, links, many=True)}"
        case TupleOf(items):
            return "[" + ", ".join(type_in_words(item, links) for item in items) + "]"
        case MapOf(value):
            return f"map from text to {type_in_words(value, links)}"
        case OneOfTexts(names):
            return _or([f"`{name}`" for name in names])
        case Bounded(inner, least, most):
            return type_in_words(inner, links) + _bounds(inner, least, most)
        case OneOf(parts):
            return _or([type_in_words(part, links) for part in parts])


def _bounds(inner: Type, least: int | None, most: int | None) -> str:
    unit = " items"
    if isinstance(inner, Plain):
        unit = " characters" if inner.name == "str" else ""
    if least is None:
        return f" (at most {most:,}{unit})"
    if most is None:
        return f" ({least:,}{unit} or more)"
    return f" ({least:,} to {most:,}{unit})"


def _or(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"


def pretty_json(value: Any, indent: int = 0, room: int = WIDTH) -> str:
    """Return JSON for people: a value that does not fit on one line is broken over several."""
    line = msgspec.json.encode(value).decode()
    if len(line) <= room - indent or not isinstance(value, dict | list | tuple) or not value:
        return line
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        items = [f"{msgspec.json.encode(key).decode()}: {pretty_json(item, indent + 2)}" for key, item in value.items()]
        return "{\n" + ",\n".join(inner + item for item in items) + "\n" + " " * indent + "}"
    return "[\n" + ",\n".join(inner + item for item in _filled(value, indent + 2)) + "\n" + " " * indent + "]"


def _filled(items: Sequence[Any], indent: int) -> list[str]:
    """Return the items of an array, several to a line if they are short."""
    lines: list[str] = []
    for item in items:
        text = pretty_json(item, indent)
        if lines and "\n" not in lines[-1] + text and len(lines[-1]) + len(text) + 2 <= WIDTH - indent:
            lines[-1] += f", {text}"
        else:
            lines.append(text)
    return lines
