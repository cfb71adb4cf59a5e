"""The index of messages."""

from __future__ import annotations

import re
from pathlib import Path

from parlour.protocol.errors import ErrorCode
from publish.index import text
from publish.markdown import anchor
from publish.model import protocol

REFERENCE = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text("utf-8")


def test_every_message_is_in_the_index() -> None:
    """Each message has a row, and each code."""
    page = text()
    for definition in protocol().messages:
        assert f"| [`{definition.tag}`](protocol.md#{definition.tag}) |" in page
    for code in ErrorCode:
        assert f"`{code.value}`" in page


def test_links_lead_to_the_reference() -> None:
    """Every link names a heading of the reference."""
    headings = {anchor(title) for title in re.findall(r"^#+ (.+)$", REFERENCE, re.MULTILINE)}
    named = set(re.findall(r"\]\(protocol\.md#([\w-]+)\)", text()))
    assert len(named) > 50
    assert named <= headings
