"""docs/protocol.md: the template `protocol.md.in`, filled in from the source."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from parlour.protocol import session, timing
from parlour.protocol.codec import MAX_MESSAGE_SIZE, SERVER_TAGS
from parlour.protocol.errors import CloseCode, ErrorCode, Retry
from parlour.protocol.messages import GAME_COMMANDS, Command, name_of
from parlour.protocol.scene import scene_hash
from publish.conversation import Line, conversation
from publish.edge_cases import WORKED
from publish.formatting import pretty_json, type_in_words
from publish.model import Definition, Field, Protocol, Section, protocol
from publish.vectors import messages

TEMPLATE = Path(__file__).with_name("protocol.md.in")

ALIASES = "named-types"

_RETRIES = {
    Retry.NEVER: "the same command will be refused again",
    Retry.LATER: "the same command, with the same `id`, may be accepted later",
    Retry.CHANGED: "try again when something has changed, with a new `id`",
}


def text() -> str:
    """Return the whole page."""
    told = protocol()
    filled = {
        "ping interval": f"{timing.PING_INTERVAL:g}",
        "silence limit": f"{timing.SILENCE_LIMIT:g}",
        "probe delay": f"{timing.PROBE_DELAY:g}",
        "probe timeout": f"{timing.PROBE_TIMEOUT:g}",
        "probe round trips": str(timing.PROBE_ROUND_TRIPS),
        "suspension": f"{timing.SUSPENSION:g}",
        "game command timeout": f"{timing.GAME_COMMAND_TIMEOUT:g}",
        "game commands": ", ".join(f"`{name_of(kind)}`" for kind in GAME_COMMANDS),
        "command timeout": f"{timing.COMMAND_TIMEOUT:g}",
        "player hello timeout": f"{timing.PLAYER_HELLO_TIMEOUT:g}",
        "hello timeout": f"{timing.HELLO_TIMEOUT:g}",
        "first command delay": f"{timing.FIRST_COMMAND_DELAY:g}",
        "first player delay": f"{timing.FIRST_PLAYER_DELAY:g}",
        "first spectator delay": f"{timing.FIRST_SPECTATOR_DELAY:g}",
        "first open timeout": f"{timing.FIRST_OPEN_TIMEOUT:g}",
        "addresses at once": str(timing.ADDRESSES_AT_ONCE),
        "next address delay": f"{timing.NEXT_ADDRESS_DELAY:g}",
        "max open timeout": f"{timing.MAX_OPEN_TIMEOUT:g}",
        "retry delay": f"{timing.RETRY_DELAY:g}",
        "max leaves": str(session.MAX_LEAVES),
        "max reconnect delay": f"{timing.MAX_RECONNECT_DELAY:g}",
        "max message size": f"{MAX_MESSAGE_SIZE:,}",
        "retried": ", ".join(f"`{code.value}`" for code in ErrorCode if code.is_retried),
        "answers": _answers(told),
        "marks": table(("kind", "name", "meaning"), [(m.value, f"`{m.name}`", m.about) for m in told.marks]),
        "worked scene": _fenced(pretty_json(msgspec.to_builtins(WORKED))),
        "worked bytes": _fenced("\n".join(_bytes(msgspec.to_builtins(WORKED))), "text"),
        "worked hash": f"{scene_hash(WORKED):,} (`0x{scene_hash(WORKED):08X}`)",
        "conversation": _fenced("\n".join(_spoken(line) for line in conversation()), "text"),
        "retries": " ".join(f"*{retry.value}*: {meaning}." for retry, meaning in _RETRIES.items()),
        "errors": table(
            ("code", "meaning", "again?", "what to do"),
            [(f"`{code.value}`", code.meaning, code.retry.value, code.advice) for code in ErrorCode],
        ),
        "closes": table(
            ("code", "meaning", "what to do"), [(code.value, code.meaning, code.advice) for code in CloseCode]
        ),
        "aliases": _aliases(told),
        "reference": _reference(told),
    }
    filled |= {f"example {vector.name}": _fenced(pretty_json(vector.json)) for vector in messages()}
    page = re.sub(r"\{\{(.+?)\}\}", lambda place: filled.get(place[1], place[0]), TEMPLATE.read_text("utf-8"))
    return page.replace("{{contents}}", _contents(page))


def _contents(page: str) -> str:
    """Return a list of all headings, each with a link; the messages of a section share one line."""
    lines: list[str] = []
    separator = ""
    for level, title in re.findall(r"^(##+) (.+)$", page, re.MULTILINE):
        link = f"[{title}](#{anchor(title)})"
        if level == "####":
            lines[-1] += separator + link
            separator = ", "
        else:
            lines.append(f"{'    ' * (len(level) - 2)}- {link}")
            separator = ": "
    return "\n".join(lines)


def anchor(title: str) -> str:
    """Return the anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


# -- the reference


def _answers(told: Protocol) -> str:
    """Return the table of commands and their answers, as the docstrings of the commands name them."""
    rows = []
    for definition in told.messages:
        if issubclass(definition.kind, Command):
            names = answers(definition)
            assert names, definition.name
            rows.append((reference_link(definition.tag or ""), " or ".join(reference_link(name) for name in names)))
    return table(("command", "answer"), rows)


def answers(definition: Definition) -> list[str]:
    """Return the messages that answer a message, as its docstring names them, besides refused."""
    found = re.search(r"Answered by (\w+)(?: or (\w+))?", definition.about)
    return [] if found is None else [name for name in found.groups() if name in SERVER_TAGS and name != "refused"]


def reference_link(tag: str, page: str = "") -> str:
    """Return a link to a message in the reference, on its own page or on another one."""
    return f"[`{tag}`]({page}#{anchor(tag)})"


def _aliases(told: Protocol) -> str:
    links = _links(told)
    rows = [(f"`{alias.name}`", type_in_words(alias.type, links), alias.about) for alias in told.aliases]
    return table(("name", "type", "meaning"), rows)


def _links(told: Protocol) -> dict[str, str]:
    return {alias.name: ALIASES for alias in told.aliases} | {
        definition.name: anchor(definition.name) for definition in told.parts
    }


def _reference(told: Protocol) -> str:
    links = _links(told)
    return "\n\n".join(
        [
            *(_section(section, links) for section in told.sections),
            "### Parts of messages",
            *(_definition(definition, links) for definition in told.parts),
        ]
    )


def _section(section: Section, links: dict[str, str]) -> str:
    other = {"client": "server", "server": "client"}[section.sender]
    title = f"### {section.sender.capitalize()} to {other}: {section.title}"
    return "\n\n".join([title, *(_definition(definition, links) for definition in section.definitions)])


def _definition(definition: Definition, links: dict[str, str]) -> str:
    parts = [f"#### {definition.tag or definition.name}", definition.about]
    if definition.array:
        named = ([definition.literal] if definition.tag else []) + [field.name for field in definition.fields]
        parts.append(f"An array: `[{', '.join(named)}]`.")
    rows = [
        (f"`{field.name}`", type_in_words(field.type, links), _presence(definition, field), field.about)
        for field in definition.fields
    ]
    if rows:
        parts.append(table(("field", "type", "if absent", "meaning"), rows))
    if definition.tag:
        parts.append(_fenced(pretty_json(next(vector.json for vector in messages() if vector.t == definition.tag))))
    return "\n\n".join(parts)


def _presence(definition: Definition, field: Field) -> str:
    if field.default is None:
        return "required"
    return f"`{field.default}`"


# -- parts of the template


def _spoken(line: Line) -> str:
    if line.message is None:
        return f"\n{line.remark}\n"
    arrow = ">" if line.sender == "client" else "<"
    if line.remark == "welcome, as above":
        return f"{arrow} ({line.remark})"
    remark = f"   ({line.remark})" if line.remark else ""
    said = pretty_json(msgspec.to_builtins(line.message), room=120)
    return f"{arrow} " + said.replace("\n", "\n  ") + remark


def _bytes(value: Any, depth: int = 0, meaning: str = "") -> list[str]:
    """Return the canonical bytes of a value, line by line with their meaning."""
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


def table(titles: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    """Return a table as Markdown."""
    lines = [titles, ("---",) * len(titles), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def _fenced(text: str, language: str = "json") -> str:
    return f"```{language}\n{text}\n```"
