"""docs/protocol.md: the written part, with what can be made from the source filled in, then the reference."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from parlour.protocol.codec import LARGEST_FROM_CLIENT
from parlour.protocol.errors import CloseCode, ErrorCode, Retry
from parlour.protocol.scene import scene_hash
from parlour.protocol.session import HURRY_AFTER, PATIENCE, PING_EVERY, SILENCE_MEANS_DEAD
from publish.conversation import Line, conversation
from publish.edges import WORKED
from publish.model import Field, Form, Protocol, Section, protocol
from publish.vectors import messages
from publish.wording import pretty, words

TEMPLATE = Path(__file__).with_name("protocol.md.in")

ALIASES = "names-for-values"

_RETRIES = {
    Retry.NEVER: "the same request will be refused again",
    Retry.LATER: "the same request, with the same `id`, may be accepted after a while",
    Retry.CHANGED: "ask again when something has changed, with a new `id`",
}


def text() -> str:
    """The whole page."""
    told = protocol()
    filled = {
        "ping": f"{PING_EVERY:g}",
        "silence": f"{SILENCE_MEANS_DEAD:g}",
        "hurry": f"{HURRY_AFTER:g}",
        "patience": f"{PATIENCE:g}",
        "largest": f"{LARGEST_FROM_CLIENT:,}",
        "marks": _table(("kind", "name", "meaning"), [(m.value, f"`{m.name}`", m.about) for m in told.marks]),
        "worked scene": _fenced(pretty(msgspec.to_builtins(WORKED))),
        "worked bytes": _fenced("\n".join(_bytes(msgspec.to_builtins(WORKED))), "text"),
        "worked hash": f"{scene_hash(WORKED):,} (`0x{scene_hash(WORKED):08X}`)",
        "conversation": _fenced("\n".join(_spoken(line) for line in conversation()), "text"),
        "retries": " ".join(f"*{retry.value}*: {meaning}." for retry, meaning in _RETRIES.items()),
        "errors": _table(
            ("code", "meaning", "again?", "what to do"),
            [(f"`{code.value}`", code.meaning, code.retry.value, code.advice) for code in ErrorCode],
        ),
        "closes": _table(
            ("code", "meaning", "what to do"), [(code.value, code.meaning, code.advice) for code in CloseCode]
        ),
        "aliases": _aliases(told),
        "reference": _reference(told),
    }
    filled |= {f"example {vector.name}": _fenced(pretty(vector.json)) for vector in messages()}
    page = re.sub(r"\{\{(.+?)\}\}", lambda place: filled.get(place[1], place[0]), TEMPLATE.read_text("utf-8"))
    return page.replace("{{contents}}", _contents(page))


def _contents(page: str) -> str:
    titles = re.findall(r"^## (.+)$", page, re.MULTILINE)
    return " ·\n".join(f"[{title}](#{anchor(title)})" for title in titles)


def anchor(title: str) -> str:
    """Where a heading is on the page."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


# -- the reference


def _aliases(told: Protocol) -> str:
    links = _links(told)
    rows = [(f"`{alias.name}`", words(alias.type, links), alias.about) for alias in told.aliases]
    return _table(("name", "type", "meaning"), rows)


def _links(told: Protocol) -> dict[str, str]:
    return {alias.name: ALIASES for alias in told.aliases} | {form.name: anchor(form.name) for form in told.parts}


def _reference(told: Protocol) -> str:
    links = _links(told)
    return "\n\n".join(
        [
            *(_section(section, links) for section in told.sections),
            "### Parts of messages",
            *(_form(form, links) for form in told.parts),
        ]
    )


def _section(section: Section, links: dict[str, str]) -> str:
    other = {"client": "server", "server": "client"}[section.sender]
    title = f"### {section.sender.capitalize()} to {other}: {section.title}"
    return "\n\n".join([title, *(_form(form, links) for form in section.forms)])


def _form(form: Form, links: dict[str, str]) -> str:
    parts = [f"#### {form.tag or form.name}", form.about]
    if form.array:
        named = ([form.literal] if form.tag else []) + [field.name for field in form.fields]
        parts.append(f"An array: `[{', '.join(named)}]`.")
    rows = [(f"`{field.name}`", words(field.type, links), _presence(form, field), field.about) for field in form.fields]
    if rows:
        parts.append(_table(("field", "type", "if absent", "meaning"), rows))
    if form.tag:
        parts.append(_fenced(pretty(next(vector.json for vector in messages() if vector.t == form.tag))))
    return "\n\n".join(parts)


def _presence(form: Form, field: Field) -> str:
    if field.default is None:
        return "required"
    return f"`{field.default}`"


# -- pieces of the written part


def _spoken(line: Line) -> str:
    if line.message is None:
        return f"\n{line.remark}\n"
    arrow = ">" if line.sender == "client" else "<"
    if line.remark == "welcome, as above":
        return f"{arrow} ({line.remark})"
    remark = f"   ({line.remark})" if line.remark else ""
    said = pretty(msgspec.to_builtins(line.message), room=120)
    return f"{arrow} " + said.replace("\n", "\n  ") + remark


def _bytes(value: Any, depth: int = 0, meaning: str = "") -> list[str]:
    """The canonical bytes of a value, line by line with what they mean."""
    hexed = msgspec.msgpack.encode(value).hex(" ")
    if isinstance(value, list | tuple) and any(isinstance(item, list | tuple) for item in value):
        head = msgspec.msgpack.encode([None] * len(value))[: -len(value)].hex(" ")
        names = ("pieces", "tallies", "to_move", "marks", "note") if depth == 0 else ("",) * len(value)
        said = f"array of {len(value)}" + (f": {meaning}" if meaning else ": the scene" if depth == 0 else "")
        lines = [_byte_line(depth, head, said)]
        for item, name in zip(value, names, strict=True):
            lines += _bytes(item, depth + 1, name)
        return lines
    said = msgspec.json.encode(value).decode()
    return [_byte_line(depth, hexed, f"{meaning}: {said}" if meaning else said)]


def _byte_line(depth: int, hexed: str, meaning: str) -> str:
    return f"{'  ' * depth + hexed:<24}{meaning}"


def _table(titles: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    lines = [titles, ("---",) * len(titles), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def _fenced(text: str, language: str = "json") -> str:
    return f"```{language}\n{text}\n```"
