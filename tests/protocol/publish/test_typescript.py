"""client/web/sdk/protocol.ts has every type and code, and runs after its types are stripped."""

from __future__ import annotations

import re

import pytest

from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.scene import Mark
from publish.__main__ import ROOT
from publish.model import CLIENT_KINDS, SERVER_KINDS, Definition, protocol

TEXT = (ROOT / "client" / "web" / "sdk" / "protocol.ts").read_text("utf-8")
FORMS = [pytest.param(definition, id=definition.name) for definition in (*protocol().messages, *protocol().parts)]
CODE = re.sub(r'/\*\*.*?\*/|//.*?$|"(?:[^"\\]|\\.)*"', "", TEXT, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("definition", FORMS)
def test_every_form_is_a_type(definition: Definition) -> None:
    """A map is an interface with a key for each field; an array is a tuple with its items in order."""
    opening = f"export type {definition.name} = [\n" if definition.array else f"export interface {definition.name} {{\n"
    body = re.sub(r"/\*\*.*?\*/", "", TEXT.split(opening, 1)[1].split("\n}" if not definition.array else "\n];", 1)[0])
    keys = re.findall(r"^  (\w+)(\??):", body, re.MULTILINE)
    tag = [("t", "")] if definition.tag else []

    assert keys == tag + [
        (field.name, "?" if field.default and not definition.array else "") for field in definition.fields
    ]
    if definition.tag:
        assert f"t: {definition.literal}" in body


def test_the_unions_are_complete() -> None:
    """ClientMessage and ServerMessage have every message of their side."""
    unions = {name: set(re.findall(r"\w+", body)) for name, body in re.findall(r"export type (\w+) =([^;[{]+);", TEXT)}

    assert unions["ClientMessage"] == {kind.__name__ for kind in CLIENT_KINDS}
    assert unions["ServerMap"] | unions["ServerMessage"] - {"ServerMap"} == {kind.__name__ for kind in SERVER_KINDS}


def test_codes_and_marks_are_there() -> None:
    """Programs can look up what an error code, a close code or a mark means."""
    for code in ErrorCode:
        assert f'  {code.value}: {{\n    meaning: "{code.meaning}",\n    retry: "{code.retry.value}",\n' in TEXT
    for close in CloseCode:
        assert f"  {close.name}: {close.value}," in TEXT
    for mark in Mark:
        assert f"  {mark.name}: {mark.value}," in TEXT


def test_types_can_be_stripped() -> None:
    """The file uses only erasable syntax: no enums, namespaces, decorators or parameter properties."""
    assert not re.search(r"\b(enum|namespace|module|abstract|declare|class|function|import)\b", CODE)
    assert "@" not in CODE


def test_brackets_match() -> None:
    """Every opening bracket has its closing one."""
    assert all(CODE.count(opening) == CODE.count(closing) for opening, closing in ("{}", "[]", "()"))


def test_no_name_is_exported_twice() -> None:
    """Every name means one type or one constant."""
    exported = re.findall(r"^export (?:type|interface|const) (\w+)", TEXT, re.MULTILINE)

    assert len(set(exported)) == len(exported)
