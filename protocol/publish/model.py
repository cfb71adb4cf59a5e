"""The protocol as data: every message and every part of one, with the texts that stand beside it in the source.

A docstring tells about a struct, the comment behind a field about the field, the comment above an alias about the alias
(where there is none, `remarks` has something to say), and a line `# ==== client to server: the lobby` begins a section.
"""

from __future__ import annotations

import ast
import inspect
import io
import re
import tokenize
from functools import lru_cache
from itertools import takewhile
from types import ModuleType
from typing import Any, Literal, get_args

import msgspec
from msgspec import NODEFAULT, Struct

from parlour.protocol import messages, scene, tables
from parlour.protocol.messages import ClientMessage, ServerMessage
from publish.annotations import Type, read
from publish.remarks import REMARKS

CLIENT_KINDS: tuple[type[Struct], ...] = get_args(ClientMessage)
SERVER_KINDS: tuple[type[Struct], ...] = get_args(ServerMessage)

_SECTION = re.compile(r"=+ (client|server) to (?:client|server): (.+)")
_FOR_TOOLS = ("fmt:", "noqa", "type:")
_PYTHON = re.compile(r"\b(None|True|False)\b")
_ON_THE_WIRE = {"None": "null", "True": "true", "False": "false"}


class Field(Struct, frozen=True):
    """One field of a form."""

    name: str
    type: Type
    about: str
    default: str | None  # as JSON; None: the field is required


class Form(Struct, frozen=True):
    """A message or a part of one."""

    kind: type[Struct]
    name: str
    tag: str | None  # its name as a message; None: a part
    about: str
    array: bool
    fields: tuple[Field, ...]  # in the order of the wire

    @property
    def literal(self) -> str:
        """What stands for the name on the wire, as JSON."""
        return msgspec.json.encode(self.kind.__struct_config__.tag).decode()


class Alias(Struct, frozen=True):
    """A name for a type."""

    name: str
    type: Type
    about: str


class Section(Struct, frozen=True):
    """The messages one side sends about one thing."""

    sender: Literal["client", "server"]
    title: str
    forms: tuple[Form, ...]


class Constant(Struct, frozen=True):
    """One member of an enumeration of numbers."""

    name: str
    value: int
    about: str


class Protocol(Struct, frozen=True):
    """All there is to publish."""

    sections: tuple[Section, ...]
    parts: tuple[Form, ...]
    aliases: tuple[Alias, ...]
    marks: tuple[Constant, ...]

    @property
    def messages(self) -> tuple[Form, ...]:
        return tuple(form for section in self.sections for form in section.forms)


class _Source:
    """A module as text: its classes, aliases and comments."""

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
        """The comment behind a statement."""
        comment = self.comments.get(node.end_lineno or 0, "")
        return "" if comment.startswith(_FOR_TOOLS) else _PYTHON.sub(lambda word: _ON_THE_WIRE[word[0]], comment)

    def above(self, node: ast.stmt) -> str:
        """The comment lines directly above a statement."""
        lines = range(node.lineno - 1, 0, -1)
        found = takewhile(lambda line: self.lines[line - 1].startswith("#"), lines)
        return " ".join(reversed([self.comments[line] for line in found]))


@lru_cache(maxsize=1)
def protocol() -> Protocol:
    """The protocol as it stands in the source."""
    sources = [_Source(module) for module in (scene, tables, messages)]
    forms = {form.name: form for source in sources for form in _forms(source)}
    return Protocol(
        sections=tuple(_sections(sources[-1], forms)),
        parts=tuple(form for form in forms.values() if form.tag is None),
        aliases=tuple(alias for source in sources for alias in _aliases(source)),
        marks=tuple(_marks(sources[0])),
    )


def _forms(source: _Source) -> list[Form]:
    """Every struct of a module that is sent, in order."""
    found = []
    for name in source.classes():
        kind = getattr(source.module, name)
        if isinstance(kind, type) and issubclass(kind, Struct) and kind not in (messages.Message, messages.Command):
            tag = kind.__struct_config__.tag
            fields = tuple(_field(source, kind, field) for field in msgspec.structs.fields(kind))
            about = inspect.cleandoc(kind.__doc__ or "")
            named = None if tag is None else messages.name_of(kind)
            found.append(Form(kind, name, named, about, _is_array(kind), fields))
    return found


def _is_array(kind: type[Struct]) -> bool:
    return bool(kind.__struct_config__.array_like)


def _field(source: _Source, kind: type[Struct], field: msgspec.structs.FieldInfo) -> Field:
    classes = source.classes()
    for owner in kind.__mro__:
        for node in classes[owner.__name__].body if owner.__name__ in classes else ():
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == field.name:
                about = source.beside(node) or _remark(kind.__name__, field.name)
                return Field(field.name, read(node.annotation), about, _default(field))
    raise LookupError(f"{kind.__name__}.{field.name} is not where it was defined")


def _remark(form: str, field: str) -> str:
    return REMARKS.get(f"{form}.{field}", REMARKS.get(field, ""))


def _default(field: msgspec.structs.FieldInfo) -> str | None:
    value: Any = field.default
    if field.default_factory is not NODEFAULT:
        value = field.default_factory()
    return None if value is NODEFAULT else msgspec.json.encode(value).decode()


def _aliases(source: _Source) -> list[Alias]:
    """Every name for a type in a module, except for the unions of messages, which have sections of their own."""
    found = []
    for node in source.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name[0].isupper() and not name.isupper() and not name.startswith(("Client", "Server")):
                found.append(Alias(name, read(node.value), source.above(node) or REMARKS.get(name, "")))
    return found


def _sections(source: _Source, forms: dict[str, Form]) -> list[Section]:
    starts = {line: match for line, text in source.comments.items() if (match := _SECTION.fullmatch(text))}
    members: dict[int, list[Form]] = {line: [] for line in starts}
    for name, node in source.classes().items():
        if name in forms and forms[name].tag is not None:
            members[max(line for line in starts if line < node.lineno)].append(forms[name])
    return [
        Section("client" if starts[line][1] == "client" else "server", starts[line][2], tuple(found))
        for line, found in members.items()
    ]


def _marks(source: _Source) -> list[Constant]:
    members = source.classes()["Mark"].body
    comments = {ast.unparse(node.targets[0]): source.beside(node) for node in members if isinstance(node, ast.Assign)}
    return [Constant(mark.name, mark.value, comments[mark.name]) for mark in scene.Mark]
