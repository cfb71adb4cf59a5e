"""The public attributes of a class, read from its source: the types from annotations, the meanings from comments."""

from __future__ import annotations

import ast
import inspect
import io
import tokenize
from collections.abc import Iterator
from enum import Enum
from textwrap import dedent
from typing import NamedTuple

FOR_TOOLS = ("fmt:", "noqa", "type:")


class Attribute(NamedTuple):
    name: str
    type: str  # empty: the source does not say it
    about: str


def attributes(kind: type) -> list[Attribute]:
    """Return the fields of a class and what its `__init__` sets, also inherited ones; or the members of an enum."""
    found: dict[str, Attribute] = {}
    for owner in reversed(kind.__mro__):
        if owner.__module__.startswith("parlour."):
            found |= {each.name: each for each in _own(owner)}
    return list(found.values())


def _own(kind: type) -> Iterator[Attribute]:
    try:
        text = dedent(inspect.getsource(kind))
    except (OSError, TypeError):
        return
    comments = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    }
    (definition,) = ast.parse(text).body
    assert isinstance(definition, ast.ClassDef)
    types: dict[str, str] = {}
    statements: list[ast.stmt] = list(definition.body)
    for node in definition.body:
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            given = [*node.args.args, *node.args.kwonlyargs]
            types = {each.arg: ast.unparse(each.annotation) for each in given if each.annotation is not None}
            statements += node.body
    for statement in statements:
        target = _target(statement, is_enum=issubclass(kind, Enum))
        if target and not target.startswith("_"):
            parts = comments.get(statement.end_lineno or 0, "").split("  # ")
            about = next((part for part in parts if not part.startswith(FOR_TOOLS)), "")
            yield Attribute(target, _type(statement, types), about)


def _target(statement: ast.stmt, *, is_enum: bool) -> str:
    """Return the name of the attribute that a statement declares; empty: it declares none."""
    match statement:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)]):
            return name
        case ast.AnnAssign(target=ast.Attribute(value=ast.Name(id="self"), attr=name)):
            return name
        case ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) if is_enum:
            return name
    return ""


def _type(statement: ast.stmt, types: dict[str, str]) -> str:
    """Return the type of an attribute: as annotated, or that of the parameter, constant or object that it is set to."""
    match statement:
        case ast.AnnAssign(annotation=annotation):
            return ast.unparse(annotation)
        case ast.Assign(value=ast.Name(id=name)):
            return types.get(name, "")
        case ast.Assign(value=ast.Call(func=ast.Name(id=name))) if name[0].isupper():
            return name
        case ast.Assign(value=ast.Constant(value=value)):
            return type(value).__name__
    return ""
