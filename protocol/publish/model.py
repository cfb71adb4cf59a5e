"""The protocol as data: every message and every part of one, with its documentation from the source.

The docstring of a struct describes it, the comment behind a field the field, and the comment above an alias the alias;
`field_descriptions` describes what has no comment. A line `# ==== client to server: the lobby` starts a section.
"""

from __future__ import annotations

import ast
import inspect
import io
import re
import tokenize
from functools import lru_cache
from importlib import import_module
from itertools import takewhile
from types import ModuleType
from typing import Any, Literal, get_args

import msgspec
from msgspec import NODEFAULT, Struct

from parlour.protocol import messages, scene, types
from parlour.protocol.messages import ClientMessage, ServerMessage
from publish.annotations import Type, read
from publish.field_descriptions import DESCRIPTIONS

CLIENT_KINDS: tuple[type[Struct], ...] = get_args(ClientMessage)
SERVER_KINDS: tuple[type[Struct], ...] = get_args(ServerMessage)

_SECTION = re.compile(r"=+ (client|server) to (?:client|server): (.+)")
_FOR_TOOLS = ("fmt:", "noqa", "type:")
_PYTHON = re.compile(r"\b(None|True|False)\b")
_ON_THE_WIRE = {"None": "null", "True": "true", "False": "false"}


class Field(Struct, frozen=True):
    """One field of a message or part."""

    name: str
    type: Type
    about: str
    default: str | None  # as JSON; None: the field is required


class Definition(Struct, frozen=True):
    """A message or a part of one."""

    kind: type[Struct]
    name: str
    tag: str | None  # its name as a message; None: a part
    about: str
    array: bool
    fields: tuple[Field, ...]  # in the order of the wire

    @property
    def literal(self) -> str:
        """The tag on the wire, as JSON."""
        return msgspec.json.encode(self.kind.__struct_config__.tag).decode()


class Alias(Struct, frozen=True):
    """A named type."""

    name: str
    type: Type
    about: str


class Section(Struct, frozen=True):
    """The messages that one side sends about one subject."""

    sender: Literal["client", "server"]
    title: str
    definitions: tuple[Definition, ...]


class Constant(Struct, frozen=True):
    """A named number."""

    name: str
    value: int
    about: str


class Protocol(Struct, frozen=True):
    """The whole published protocol."""

    sections: tuple[Section, ...]
    parts: tuple[Definition, ...]
    aliases: tuple[Alias, ...]
    marks: tuple[Constant, ...]

    @property
    def messages(self) -> tuple[Definition, ...]:
        return tuple(definition for section in self.sections for definition in section.definitions)


class _Source:
    """The source of a module: its classes, aliases and comments."""

    def __init__(self, module: ModuleType) -> None:
        text = inspect.getsource(module)
        self.module = module
        self.body = ast.parse(text).body
        self.lines = text.splitlines()
        self.comments = {
            token.start[0]: token.string.lstrip("# ").rstrip()
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type == tokenize.COMMENT
        }

    def classes(self) -> dict[str, ast.ClassDef]:
        return {node.name: node for node in self.body if isinstance(node, ast.ClassDef)}

    def beside(self, node: ast.stmt) -> str:
        """Return the comment behind a statement."""
        comment = self.comments.get(node.end_lineno or 0, "")
        return "" if comment.startswith(_FOR_TOOLS) else _PYTHON.sub(lambda word: _ON_THE_WIRE[word[0]], comment)

    def above(self, node: ast.stmt) -> str:
        """Return the comment directly above a statement."""
        lines = range(node.lineno - 1, 0, -1)
        found = takewhile(lambda line: self.lines[line - 1].startswith("#"), lines)
        return " ".join(reversed([self.comments[line] for line in found]))


@lru_cache(maxsize=1)
def protocol() -> Protocol:
    """Return the protocol as the source defines it."""
    sources = [_Source(module) for module in (scene, types, messages)]
    definitions = {definition.name: definition for source in sources for definition in _definitions(source)}
    return Protocol(
        sections=tuple(_sections(sources[-1], definitions)),
        parts=tuple(definition for definition in definitions.values() if definition.tag is None),
        aliases=tuple(alias for source in sources for alias in _aliases(source)),
        marks=tuple(_marks(sources[0])),
    )


def meanings_of(kind: type[Struct]) -> dict[str, str]:
    """Return the meanings of the fields of a struct that is not a message or part of one."""
    source = _source_of(kind.__module__)
    return {name: _declared(source, kind, name)[1] for name in kind.__struct_fields__}


@lru_cache
def _source_of(module: str) -> _Source:
    return _Source(import_module(module))


def _definitions(source: _Source) -> list[Definition]:
    """Return the messages and parts that a module defines, in order."""
    found = []
    for name in source.classes():
        kind = getattr(source.module, name)
        if isinstance(kind, type) and issubclass(kind, Struct) and kind not in (messages.Message, messages.Command):
            tag = kind.__struct_config__.tag
            fields = tuple(_field(source, kind, field) for field in msgspec.structs.fields(kind))
            about = inspect.cleandoc(kind.__doc__ or "")
            named = None if tag is None else messages.name_of(kind)
            found.append(Definition(kind, name, named, about, _is_array(kind), fields))
    return found


def _is_array(kind: type[Struct]) -> bool:
    return bool(kind.__struct_config__.array_like)


def _field(source: _Source, kind: type[Struct], field: msgspec.structs.FieldInfo) -> Field:
    annotation, about = _declared(source, kind, field.name)
    return Field(field.name, read(annotation), about, _default(field))


def _declared(source: _Source, kind: type[Struct], name: str) -> tuple[ast.expr, str]:
    """Return the annotation and the description of a field."""
    classes = source.classes()
    for owner in kind.__mro__:
        for node in classes[owner.__name__].body if owner.__name__ in classes else ():
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == name:
                return node.annotation, source.beside(node) or _description(kind.__name__, name)
    raise LookupError(f"{kind.__name__}.{name} is not defined in this module")


def _description(definition: str, field: str) -> str:
    return DESCRIPTIONS.get(f"{definition}.{field}", DESCRIPTIONS.get(field, ""))


def _default(field: msgspec.structs.FieldInfo) -> str | None:
    value: Any = field.default
    if field.default_factory is not NODEFAULT:
        value = field.default_factory()
    return None if value is NODEFAULT else msgspec.json.encode(value).decode()


def _aliases(source: _Source) -> list[Alias]:
    """Return the named types that a module defines, except for the unions of messages."""
    found = []
    for node in source.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name[0].isupper() and not name.isupper() and not name.startswith(("Client", "Server")):
                found.append(Alias(name, read(node.value), source.above(node) or DESCRIPTIONS.get(name, "")))
    return found


def _sections(source: _Source, definitions: dict[str, Definition]) -> list[Section]:
    starts = {line: match for line, text in source.comments.items() if (match := _SECTION.fullmatch(text))}
    members: dict[int, list[Definition]] = {line: [] for line in starts}
    for name, node in source.classes().items():
        if name in definitions and definitions[name].tag is not None:
            members[max(line for line in starts if line < node.lineno)].append(definitions[name])
    return [
        Section("client" if starts[line][1] == "client" else "server", starts[line][2], tuple(found))
        for line, found in members.items()
    ]


def _marks(source: _Source) -> list[Constant]:
    members = source.classes()["Mark"].body
    comments = {ast.unparse(node.targets[0]): source.beside(node) for node in members if isinstance(node, ast.Assign)}
    return [Constant(mark.name, mark.value, comments[mark.name]) for mark in scene.Mark]
