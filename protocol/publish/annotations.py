"""The types of fields as the source spells them.

At run time `Milliseconds` and `Count` are the same type. The annotations in the source still tell them apart.
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


class ListOf(Struct, frozen=True):
    """A list of items of one type."""

    item: Type


class TupleOf(Struct, frozen=True):
    """A fixed number of values."""

    items: tuple[Type, ...]


class MapOf(Struct, frozen=True):
    """A map from text to values of one type."""

    value: Type


class OneOfTexts(Struct, frozen=True):
    """One of several texts."""

    words: tuple[str, ...]


class Bounded(Struct, frozen=True):
    """A type with bounds on the number or on the length; None: no bound."""

    inner: Type
    least: int | None
    most: int | None


class OneOf(Struct, frozen=True):
    """One of several types."""

    parts: tuple[Type, ...]


Type: TypeAlias = Plain | Named | ListOf | TupleOf | MapOf | OneOfTexts | Bounded | OneOf


def read(node: ast.expr) -> Type:
    """Return the type that an annotation describes. Only what the protocol's modules use is supported."""
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
            return ListOf(read(item))
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=items)):
            return TupleOf(tuple(read(item) for item in items))
        case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=[ast.Name(id="str"), value])):
            return MapOf(read(value))
        case ast.Subscript(value=ast.Name(id="Literal"), slice=words):
            return OneOfTexts(tuple(ast.literal_eval(words)))
        case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[inner, ast.Call(keywords=bounds)])):
            return _bounded(read(inner), {bound.arg: _number(bound.value) for bound in bounds})
    raise ValueError(f"unsupported annotation: {ast.unparse(node)}")


def _parts(found: Type) -> tuple[Type, ...]:
    return found.parts if isinstance(found, OneOf) else (found,)


def _bounded(inner: Type, bounds: dict[str | None, int]) -> Bounded:
    least = bounds.pop("ge", bounds.pop("min_length", None))
    most = bounds.pop("le", bounds.pop("max_length", None))
    if (above := bounds.pop("lt", None)) is not None:
        most = above - 1
    if bounds:
        raise ValueError(f"unsupported bounds: {bounds}")
    return Bounded(inner, least, most)


def _number(node: ast.expr) -> int:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return int(_number(left) ** _number(right))
    raise ValueError(f"unsupported number: {ast.unparse(node)}")
