"""A script without changes."""

from __future__ import annotations

from typing import Any

from parlour.conform.script import Script
from parlour.protocol.messages import Ok, Ping

CONNECTION: Any = object()


def test_everything_passes() -> None:
    """The plain script neither holds back nor changes any message."""
    script = Script()
    assert script.incoming(CONNECTION, Ping())
    assert list(script.outgoing(CONNECTION, Ok(id=1))) == [Ok(id=1)]
