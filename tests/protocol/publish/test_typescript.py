"""client/web/sdk/protocol.ts has every type and code, in a form that needs no compiler to run."""

from __future__ import annotations

import re

import pytest

from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.scene import Mark
from publish.__main__ import ROOT
from publish.model import CLIENT_KINDS, SERVER_KINDS, Form, protocol

TEXT = (ROOT / "client" / "web" / "sdk" / "protocol.ts").read_text("utf-8")
FORMS = [pytest.param(form, id=form.name) for form in (*protocol().messages, *protocol().parts)]
CODE = re.sub(r'/\*\*.*?\*/|//.*?$|"(?:[^"\\]|\\.)*"', "", TEXT, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_a_type(form: Form) -> None:
    """A map is an interface with a key for each field; an array is a tuple with its items in order."""
    opening = f"export type {form.name} = [\n" if form.array else f"export interface {form.name} {{\n"
    body = re.sub(r"/\*\*.*?\*/", "", TEXT.split(opening, 1)[1].split("\n}" if not form.array else "\n];", 1)[0])
    keys = re.findall(r"^  (\w+)(\??):", body, re.MULTILINE)
    tag = [("t", "")] if form.tag else []

    assert keys == tag + [(field.name, "?" if field.default and not form.array else "") for field in form.fields]
    if form.tag:
        assert f"t: {form.literal}" in body


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
    """Nothing in it needs more than the removal of types: no enums, namespaces, decorators or parameter properties."""
    assert not re.search(r"\b(enum|namespace|module|abstract|declare|class|function|import)\b", CODE)
    assert "@" not in CODE


def test_brackets_match() -> None:
    """Whatever is opened is closed."""
    assert all(CODE.count(opening) == CODE.count(closing) for opening, closing in ("{}", "[]", "()"))


def test_no_name_is_exported_twice() -> None:
    """Every name means one type or one constant."""
    exported = re.findall(r"^export (?:type|interface|const) (\w+)", TEXT, re.MULTILINE)

    assert len(set(exported)) == len(exported)
