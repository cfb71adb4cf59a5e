"""Types and values in words, as the reference uses them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from publish.annotations import Bounded, Listed, Mapped, Named, OneOf, Plain, Row, Type, Words

WIDTH = 100

_ONE = {"int": "whole number", "str": "text", "bool": "true or false", "None": "null"}
_MANY = {"int": "whole numbers", "str": "texts"}


def words(written: Type, links: dict[str, str], many: bool = False) -> str:
    """A type in plain words; `links` has the place on the page where each name is explained."""
    match written:
        case Plain(name):
            return (_MANY if many else _ONE)[name]
        case Named(name):
            return f"[{name}](#{links[name]})"
        case Listed(OneOf() | Plain("bool") as item):
            return f"{'lists' if many else 'list'}, each item {words(item, links)}"
        case Listed(item):
            return f"{'lists' if many else 'list'} of {words(item, links, many=True)}"
        case Row(items):
            return "[" + ", ".join(words(item, links) for item in items) + "]"
        case Mapped(value):
            return f"map from text to {words(value, links)}"
        case Words(names):
            return _or([f"`{name}`" for name in names])
        case Bounded(inner, least, most):
            return words(inner, links) + _bounds(inner, least, most)
        case OneOf(parts):
            return _or([words(part, links) for part in parts])


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


def pretty(value: Any, indent: int = 0, room: int = WIDTH) -> str:
    """JSON for people: what fits stands on one line, what does not is opened one level."""
    line = msgspec.json.encode(value).decode()
    if len(line) <= room - indent or not isinstance(value, dict | list | tuple) or not value:
        return line
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        items = [f"{msgspec.json.encode(key).decode()}: {pretty(item, indent + 2)}" for key, item in value.items()]
        return "{\n" + ",\n".join(inner + item for item in items) + "\n" + " " * indent + "}"
    return "[\n" + ",\n".join(inner + item for item in _filled(value, indent + 2)) + "\n" + " " * indent + "]"


def _filled(items: Sequence[Any], indent: int) -> list[str]:
    """The items of an array, several to a line where they are short."""
    lines: list[str] = []
    for item in items:
        text = pretty(item, indent)
        if lines and "\n" not in lines[-1] + text and len(lines[-1]) + len(text) + 2 <= WIDTH - indent:
            lines[-1] += f", {text}"
        else:
            lines.append(text)
    return lines
