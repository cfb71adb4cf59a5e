"""What the line client prints for programs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec

from parlour.protocol.types import Player
from parlour.terminal.plain import outputs
from parlour.terminal.plain.outputs import Output

PAGE = (Path(__file__).parents[3] / "docs" / "terminal.md").read_text(encoding="utf-8")


def test_every_output_is_documented() -> None:
    """The page about the terminal client lists exactly the events that there are."""
    kinds = {str(kind.__struct_config__.tag) for kind in Output.__subclasses__()}
    table = PAGE.partition("| `event` | meaning")[2].partition("\n\n")[0]
    listed = {name for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert listed == kinds


def test_an_output_is_one_line() -> None:
    """An output is a JSON object on one line, without the fields that have their usual value."""
    text = msgspec.json.encode(outputs.Ready("parlour", Player("Ada\n"))).decode()
    assert "\n" not in text
    assert json.loads(text) == {"event": "ready", "server": "parlour", "you": {"name": "Ada\n"}}
