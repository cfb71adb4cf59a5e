"""The clock vectors."""

from __future__ import annotations

import json

import msgspec

from parlour.protocol.clock import time_left, turn_limit
from parlour.protocol.types import Clock, TimeLeft
from publish.__main__ import VECTORS
from publish.clocks import CASES, clocks

KINDS = {"none", "move", "days", "fischer", "bronstein", "delay", "byoyomi", "canadian"}


def test_every_kind_of_clock_is_there() -> None:
    """The vectors show every kind of clock while it runs."""
    assert {clock.kind for clock, _ in CASES} == KINDS
    assert all(len(vector["after"]) > 1 for vector in clocks())


def test_the_published_vectors_hold() -> None:
    """The published vectors match what the clock arithmetic yields."""
    published = json.loads((VECTORS / "clocks.json").read_text("utf-8"))
    assert len(published) >= len(KINDS)
    for vector in published:
        clock, left = msgspec.convert(vector["clock"], Clock), msgspec.convert(vector["left"], TimeLeft)
        assert turn_limit(clock, left) == vector["limit"]
        for moment in vector["after"]:
            assert time_left(clock, left, moment["elapsed"]) == msgspec.convert(moment["left"], TimeLeft)
