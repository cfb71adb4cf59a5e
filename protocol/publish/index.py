"""docs/messages.md: an index of all messages, with the answers to each command and the codes that can refuse it."""

from __future__ import annotations

from parlour.protocol.errors import ErrorCode
from publish.markdown import answers, reference_link, table
from publish.model import Definition, protocol
from publish.refusals import ELSEWHERE, GENERAL, REFUSALS

REFERENCE = "protocol.md"

_HEAD = f"""\
# Index of messages

All messages of [the protocol]({REFERENCE}): their purpose, their answers, and the codes with which they can be
refused. `python -m publish` generates this page from the source.

Besides its own codes, every message from a client can be refused with {{general}}.
The [table of codes]({REFERENCE}#errors) says what each code means, and whether to try again."""


def text() -> str:
    """Return the page."""
    parts = [_HEAD.format(general=_codes(GENERAL))]
    for section in protocol().sections:
        sender, receiver = ("Client", "server") if section.sender == "client" else ("Server", "client")
        rows = [_row(definition, is_client=section.sender == "client") for definition in section.definitions]
        titles = ("message", "purpose", "answer", "refused with")[: len(rows[0])]
        parts += [f"## {sender} to {receiver}: {section.title}", table(titles, rows)]
    codes = [code for code in ErrorCode if code not in ELSEWHERE]
    parts += [
        "## Commands by code",
        "Which messages can be refused with a code.",
        table(("code", "messages"), [(f"`{code.value}`", _refused_with(code)) for code in codes]),
        f"Operators get {_codes(ELSEWHERE)}; no command of this protocol is refused with them.",
    ]
    return "\n\n".join(parts) + "\n"


def _row(definition: Definition, *, is_client: bool) -> tuple[str, ...]:
    assert definition.tag is not None
    purpose = " ".join(definition.about.partition("\n\n")[0].split())
    if not is_client:
        return _link(definition.tag), purpose
    answered = " or ".join(_link(name) for name in answers(definition)) or "–"
    purpose = purpose.partition(" Answered by ")[0]
    return _link(definition.tag), purpose, answered, _codes(REFUSALS[definition.kind]) or "–"


def _refused_with(code: ErrorCode) -> str:
    if code in GENERAL:
        return "any"
    tags = [each.tag for each in protocol().messages if code in REFUSALS.get(each.kind, ())]
    return ", ".join(_link(tag) for tag in tags if tag is not None)


def _link(tag: str) -> str:
    return reference_link(tag, REFERENCE)


def _codes(codes: tuple[ErrorCode, ...]) -> str:
    return ", ".join(f"`{code.value}`" for code in codes)
