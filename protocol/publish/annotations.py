"""The types of fields as they are written in the source, with the names their authors gave them.

The run-time type of a field has forgotten whether a number was called `Milliseconds` or `Count`; its annotation has
not.
"""

from __future__ import annotations

import ast
from typing import TypeAlias

from msgspec import Struct


class Plain(Struct, frozen=True):
    """`int`, `str`, `bool` or `None`."""

    name: str


class Named(Struct, frozen=True):
    """A struct or an alias."""

    name: str


class Listed(Struct, frozen=True):
    """Any number of the same."""

    item: Type


class Row(Struct, frozen=True):
    """A fixed number of values."""

    items: tuple[Type, ...]


class Mapped(Struct, frozen=True):
    """Text to something."""

    value: Type


class Words(Struct, frozen=True):
    """One of a few texts."""

    words: tuple[str, ...]


class Bounded(Struct, frozen=True):
    """A type with bounds, each None where there is none. `least` and `most` are of a number or of a length."""

    inner: Type
    least: int | None
    most: int | None


class OneOf(Struct, frozen=True):
    """Either of several."""

    parts: tuple[Type, ...]


Type: TypeAlias = Plain | Named | Listed | Row | Mapped | Words | Bounded | OneOf


def read(node: ast.expr) -> Type:
    """The type an annotation stands for. Knows what the protocol's modules use, and nothing else."""
    match node:
        case ast.Constant(value=None):
            return Plain("None")
        case ast.Name(id="int" | "str" | "bool" as name):
            return Plain(name)
        case ast.Name(id=name):
            return Named(name)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return OneOf((*_parts(read(left)), *_parts(read(right))))
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=[item, ast.Constant(value=rest)])) if (
            rest is Ellipsis
        ):
            return Listed(read(item))
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=items)):
            return Row(tuple(read(item) for item in items))
        case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=[ast.Name(id="str"), value])):
            return Mapped(read(value))
        case ast.Subscript(value=ast.Name(id="Literal"), slice=words):
            return Words(tuple(ast.literal_eval(words)))
        case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[inner, ast.Call(keywords=bounds)])):
            return _bounded(read(inner), {bound.arg: _number(bound.value) for bound in bounds})
    raise ValueError(f"no idea what type this is: {ast.unparse(node)}")


def _parts(found: Type) -> tuple[Type, ...]:
    return found.parts if isinstance(found, OneOf) else (found,)


def _bounded(inner: Type, bounds: dict[str | None, int]) -> Bounded:
    least = bounds.pop("ge", bounds.pop("min_length", None))
    most = bounds.pop("le", bounds.pop("max_length", None))
    if (above := bounds.pop("lt", None)) is not None:
        most = above - 1
    if bounds:
        raise ValueError(f"no idea what these bounds are: {bounds}")
    return Bounded(inner, least, most)


def _number(node: ast.expr) -> int:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return int(_number(left) ** _number(right))
    raise ValueError(f"no idea what number this is: {ast.unparse(node)}")
