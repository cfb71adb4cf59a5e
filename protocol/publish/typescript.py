"""client/web/sdk/protocol.ts: the messages as TypeScript types, and the codes and marks as constants.

Plain types and `as const` objects only, so that a runtime that just strips types can run it.
"""

from __future__ import annotations

import json
import textwrap

from parlour.protocol.codec import JSON, LARGEST_FROM_CLIENT, MSGPACK
from parlour.protocol.errors import CloseCode, ErrorCode, Retry
from parlour.protocol.messages import ServerMap
from publish.annotations import Bounded, Listed, Mapped, Named, OneOf, Plain, Row, Type, Words
from publish.asyncapi import PATH
from publish.model import CLIENT_KINDS, SERVER_KINDS, Field, Form, protocol

WIDTH = 110

_HEAD = f"""\
// The protocol of Parlour as types. Made by `python -m publish` from the Python structs: do not edit.
// docs/protocol.md explains everything here.

export const PATH = "{PATH}";
export const MSGPACK = "{MSGPACK.subprotocol}";
export const JSON_TEXT = "{JSON.subprotocol}";

/** Bytes of the largest message a server accepts, unless its welcome says otherwise. */
export const LARGEST = {LARGEST_FROM_CLIENT};
"""

_PLAIN = {"int": "number", "str": "string", "bool": "boolean", "None": "null"}


def text() -> str:
    """The whole file."""
    told = protocol()
    blocks = [_HEAD, _errors(), _closes(), _marks(), _title("Names for values")]
    blocks += [_comment(alias.about) + f"export type {alias.name} = {_type(alias.type)};\n" for alias in told.aliases]
    blocks.append(_title("Parts of messages"))
    blocks += [_form(form) for form in told.parts]
    for section in told.sections:
        blocks.append(_title(f"From the {section.sender}: {section.title}"))
        blocks += [_form(form) for form in section.forms]
    blocks.append(_title("The two unions"))
    maps = [kind.__name__ for kind in ServerMap.__args__]
    assert {*maps, "Moved"} == {kind.__name__ for kind in SERVER_KINDS}
    blocks += [
        _union("ClientMessage", [kind.__name__ for kind in CLIENT_KINDS], "Whatever a client sends."),
        _union("ServerMap", maps, "Whatever a server sends as a map."),
        _union("ServerMessage", ["ServerMap", "Moved"], "Whatever a server sends: an array is `Moved`."),
    ]
    return "\n".join(blocks)


def _title(title: str) -> str:
    return f"// {'-' * 20} {title}\n"


# -- constants


def _errors() -> str:
    retries = " | ".join(json.dumps(retry.value) for retry in Retry)
    lines = [
        f"  {code.value}: {{\n"
        f"    meaning: {_string(code.meaning)},\n"
        f"    retry: {_string(code.retry.value)},\n"
        f"    advice: {_string(code.advice)},\n"
        "  },"
        for code in ErrorCode
    ]
    return (
        _comment(
            "Whether to send the same again: never; later, with the same id; when things have changed, with a new id."
        )
        + f"export type Retry = {retries};\n\n"
        + _comment("Every refusal. A server may know more of them: treat those like `never`.")
        + "export const ERRORS = {\n"
        + "\n".join(lines)
        + "\n} as const satisfies { [code: string]: { meaning: string; retry: Retry; advice: string } };\n\n"
        + "export type ErrorCode = keyof typeof ERRORS;\n"
    )


def _closes() -> str:
    names = [f"  {code.name}: {code.value}," for code in CloseCode]
    lines = [
        f"  {code.value}: {{ meaning: {_string(code.meaning)}, advice: {_string(code.advice)} }}," for code in CloseCode
    ]
    return (
        _comment("Why a connection was closed.")
        + "export const CLOSE = {\n"
        + "\n".join(names)
        + "\n} as const;\n\nexport type CloseCode = (typeof CLOSE)[keyof typeof CLOSE];\n\n"
        + _comment("What a close code means, and what to do then.")
        + "export const CLOSES = {\n"
        + "\n".join(lines)
        + "\n} as const;\n"
    )


def _marks() -> str:
    lines = [f"  /** {mark.about} */\n  {mark.name}: {mark.value}," for mark in protocol().marks]
    return (
        _comment("What a mark means. There may be kinds you do not know: leave them out.")
        + "export const MARK = {\n"
        + "\n".join(lines)
        + "\n} as const;\n\nexport type Mark = (typeof MARK)[keyof typeof MARK];\n"
    )


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


# -- types


def _form(form: Form) -> str:
    return _comment(form.about) + (_tuple(form) if form.array else _interface(form))


def _interface(form: Form) -> str:
    lines = [f'  t: "{form.tag}";'] if form.tag else []
    for field in form.fields:
        lines += [f"  /** {_about(field)} */", f"  {_key(field)}: {_type(field.type)};"]
    return f"export interface {form.name} {{\n" + "\n".join(lines) + "\n}\n"


def _key(field: Field) -> str:
    return field.name if field.default is None else f"{field.name}?"


def _about(field: Field) -> str:
    if field.default in (None, "null"):
        return field.about
    return f"{field.about} (default: {field.default})"


def _tuple(form: Form) -> str:
    lines = [f"t: {form.literal},"] if form.tag else []
    for field in form.fields:
        lines += [f"/** {field.about} */", f"{field.name}: {_type(field.type)},"]
    return f"export type {form.name} = [\n" + textwrap.indent("\n".join(lines), "  ") + "\n];\n"


def _type(written: Type) -> str:
    match written:
        case Plain(name):
            return _PLAIN[name]
        case Named(name):
            return name
        case Listed(OneOf() as item):
            return f"({_type(item)})[]"
        case Listed(item):
            return f"{_type(item)}[]"
        case Row(items):
            return f"[{', '.join(_type(item) for item in items)}]"
        case Mapped(value):
            return f"{{ [key: string]: {_type(value)} }}"
        case Words(words):
            return " | ".join(_string(word) for word in words)
        case Bounded(inner, _, _):
            return _type(inner)
        case OneOf(parts):
            return " | ".join(_type(part) for part in parts)


def _union(name: str, members: list[str], about: str) -> str:
    line = f"export type {name} = {' | '.join(members)};\n"
    if len(line) > WIDTH:
        line = f"export type {name} =\n" + "\n".join(f"  | {member}" for member in members) + ";\n"
    return _comment(about) + line


def _comment(about: str) -> str:
    """A doc comment, in one line if it fits."""
    if "\n" not in about and len(about) + 7 <= WIDTH:
        return f"/** {about} */\n"
    lines = []
    for paragraph in about.split("\n\n"):
        lines += [*textwrap.wrap(" ".join(paragraph.split()), WIDTH - 3), ""]
    return "/**\n" + "\n".join(f" * {line}".rstrip() for line in lines[:-1]) + "\n */\n"
